//! What is changed: the project's own examples, read once.

use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// A model with the lines of its query file.
pub struct Model {
    pub name: String,
    pub text: String,
    pub queries: Vec<String>,
}

pub struct Corpus {
    /// Specs as they are written.
    pub specs: Vec<String>,
    /// What variants among them build on, and the tables that they name.
    pub companions: Vec<(String, String)>,
    /// The same as trees.
    pub trees: Vec<Value>,
    /// Every key of every map in them, with a value that once stood there.
    pub entries: Vec<(String, Value)>,
    pub models: Vec<Model>,
    pub templates: Vec<(String, String)>,
    /// Benchmark files with the name of their format.
    pub imports: Vec<(&'static str, String)>,
}

/// Larger files take long and break no other way.
const MOST: usize = 12_000;

impl Corpus {
    pub fn read() -> Corpus {
        let folders = ["specs", "specs/starters", "specs/lacquer", "specs/scanner"];
        let specs: Vec<String> = folders
            .iter()
            .flat_map(|folder| files(folder, &["yaml"]))
            .map(|path| text(&path))
            .filter(|text| text.len() <= MOST)
            .collect();
        let trees: Vec<Value> =
            specs.iter().map(|text| serde_yaml::from_str(text).expect("a spec")).collect();
        let beside =
            files("specs/lacquer", &["csv", "yaml"]).chain(files("specs/scanner", &["yaml"]));
        let mut entries = Vec::new();
        trees.iter().for_each(|tree| collect(tree, &mut entries));
        Corpus {
            specs,
            companions: beside.map(|path| (name(&path), text(&path))).collect(),
            trees,
            entries,
            models: models(),
            templates: files("templates", &["xta"])
                .map(|path| (name(&path), text(&path)))
                .collect(),
            imports: imports(),
        }
    }
}

fn models() -> Vec<Model> {
    let folders =
        ["specs/automata", "specs/automata/priced", "tests/features", "tests/regressions"];
    let paths = folders.iter().flat_map(|folder| files(folder, &["xta", "ta", "xml"]));
    let models = paths.map(|path| {
        let queries = fs::read_to_string(path.with_extension("q")).unwrap_or_default();
        let queries = queries.lines().map(|line| line.split("//").next().unwrap_or("").trim());
        Model {
            name: name(&path),
            text: text(&path),
            queries: queries.filter(|query| !query.is_empty()).map(str::to_owned).collect(),
        }
    });
    models.filter(|model| model.text.len() <= MOST).collect()
}

fn imports() -> Vec<(&'static str, String)> {
    let found = files("tests/imports", &[]).map(|path| {
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("stg") => "stg",
            Some("sm") => "psplib",
            Some("txt") => "airland",
            _ => "jsplib",
        };
        (format, text(&path))
    });
    found.collect()
}

fn collect(tree: &Value, entries: &mut Vec<(String, Value)>) {
    match tree {
        Value::Object(map) => {
            for (key, value) in map as &Map<String, Value> {
                entries.push((key.clone(), value.clone()));
                collect(value, entries);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, entries)),
        _ => {}
    }
}

/// The files of a folder with one of these extensions (any, if none is named), in order.
fn files(folder: &str, extensions: &[&str]) -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
    let entries = fs::read_dir(folder).expect("a folder of the project");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        path.is_file() && (extensions.is_empty() || extensions.contains(&extension))
    });
    paths.sort();
    paths.into_iter()
}

fn name(path: &Path) -> String {
    path.file_name().expect("a file").to_string_lossy().into_owned()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("UTF-8")
}
