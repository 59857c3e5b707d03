//! What most commands begin with: reads a spec, and templates if some are given.

use super::args;
use super::console::Console;
use super::error::Error;
use super::input;
use super::inputs::Inputs;
use crate::pipeline::{self, Kind, Problem};
use std::fs;
use std::path::{Path, PathBuf};
use takt_automata::compose::Templates;
use takt_diagnostic::{Diagnostics, FileId, Sources, Span, is_unseen};
use takt_spec::{Encoding, Files, Unread};

/// A spec as it was read, with the texts that messages may speak of.
#[derive(Debug)]
pub struct Loaded {
    pub problem: Problem,
    pub sources: Sources,
    pub warnings: Diagnostics,
    /// All files that were read for it.
    pub inputs: Inputs,
}

/// Reads the spec; its name is its own, or the file's stem. Says its warnings.
pub fn read(path: &Path, console: &Console) -> Result<Loaded, Error> {
    let file = input::read(path)?;
    let (mut sources, mut inputs) = (Sources::default(), Inputs::default());
    inputs.add(&file);
    let id = sources.add(file.name, file.text);
    let text = sources.get(id).expect("a source that was just added").text.clone();
    let folder = path.parent().filter(|_| !input::is_standard(path)).unwrap_or(Path::new("."));
    let mut beside = Beside { folder, sources: &mut sources, inputs: &mut inputs };
    match Problem::read(&text, id, &stem(path), &mut beside) {
        Ok((problem, warnings)) => {
            console.warn(&sources, &warnings);
            Ok(Loaded { problem, sources, warnings, inputs })
        }
        Err(wrong) => Err(Error::input(sources, wrong)),
    }
}

/// The files beside a spec, kept as they are read.
struct Beside<'a> {
    folder: &'a Path,
    sources: &'a mut Sources,
    inputs: &'a mut Inputs,
}

impl Files for Beside<'_> {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        self.read_in(path, Encoding::Utf8)
    }

    fn read_in(&mut self, path: &str, encoding: Encoding) -> Result<(FileId, String), Unread> {
        // Never standard input, whatever the file is called.
        let path = match self.folder.as_os_str().is_empty() {
            true => Path::new(".").join(path),
            false => self.folder.join(path),
        };
        let file = input::read_in(&path, encoding).map_err(|error| self.unread(error))?;
        self.inputs.add(&file);
        let id = self.sources.add(file.name, file.text.as_str());
        Ok((id, file.text))
    }
}

impl Beside<'_> {
    /// Keeps the text that an error inside the file speaks of.
    fn unread(&mut self, error: Error) -> Unread {
        let mut unread = Unread::from(error.words());
        if let Error::Input(wrong) = error
            && let Some(first) = wrong.diagnostics.iter().next()
            && let Some(span) = first.span
            && let Some(source) = wrong.sources.get(span.file)
            && !source.text.is_empty()
        {
            let file = self.sources.add(source.name.as_str(), source.text.as_str());
            unread.code = first.code;
            unread.at = Some(Span { file, ..span });
        }
        unread
    }
}

/// The name of what is in a file that does not say it.
pub fn stem(path: &Path) -> String {
    match path.file_stem() {
        Some(stem) if !input::is_standard(path) => {
            // A name is for people, and stands in charts.
            stem.to_string_lossy().chars().map(|c| if is_unseen(c) { '_' } else { c }).collect()
        }
        _ => "stdin".to_owned(),
    }
}

/// What is asked of the rhythm of a layout, on the command line and in its spec. Options that only
/// layouts know are wrong for other specs.
pub fn pace(typed: &args::Pace, path: &Path, problem: &Problem) -> Result<pipeline::Pace, Error> {
    let name = path.display().to_string();
    match problem.kind {
        Kind::Plant => {
            refuse_pace(&name, typed.is_given())?;
            Ok(pipeline::Pace::default())
        }
        Kind::Layout(_) => {
            let pace = typed.meant(problem.spec.time.unit);
            let pace = pace.map_err(|why| Error::about(&name, "usage", why))?;
            Ok(pace.with_those_of(problem))
        }
    }
}

pub fn refuse_pace(name: &str, is_given: bool) -> Result<(), Error> {
    if !is_given {
        return Ok(());
    }
    let message = "`--max-gap`, `--first`, `--heuristics` and `--untimed` are for layouts; this spec has none; \
         heuristics of plants stand in the spec";
    Err(Error::about(name, "usage", message))
}

/// The embedded templates, replaced by the files of the same name in the folder.
pub fn templates(folder: Option<&Path>, loaded: &mut Loaded) -> Result<Templates, Error> {
    let mut texts: Vec<(String, String, FileId)> = Vec::new();
    for path in folder.map(template_files).transpose()?.unwrap_or_default() {
        let file = input::read(&path)?;
        loaded.inputs.add(&file);
        let id = loaded.sources.add(file.name, file.text.as_str());
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        texts.push((name.unwrap_or_default(), file.text, id));
    }
    pipeline::templates(&texts).map_err(|wrong| Error::input(loaded.sources.clone(), wrong))
}

/// All `.xta` files of a folder, by name.
fn template_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let name = folder.display().to_string();
    let unreadable =
        |error| Error::about(&name, "unreadable-folder", format!("cannot read `{name}`: {error}"));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "xta") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = format!("there is no template (*.xta) in `{name}`");
        return Err(Error::about(&name, "no-template", message));
    }
    Ok(files)
}
