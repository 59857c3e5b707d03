//! Models with expected answers: shared by the tests that ask the engine and those that ask the
//! oracle.
//!
//! A query file gives, in the comment before each query, the verdict, then the value (`open` if
//! it is not attained), then after a colon in words what it means.

use std::fs;
use std::path::{Path, PathBuf};
use takt_automata::engine::Extremum;
use takt_automata::model::{Model, Query, build};
use takt_automata::xta::{parse_any, parse_query};
use takt_diagnostic::{Diagnostics, FileId};

/// A query with what is expected of it: `satisfied 3 open`.
pub struct Case {
    pub query: String,
    pub expected: String,
}

pub fn cases(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).unwrap();
    let mut cases = Vec::new();
    let mut expected = None;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(comment) = line.strip_prefix("//") {
            let answer = comment.split(':').next().unwrap().trim();
            expected = Some(answer.to_string());
        } else {
            let expected = expected.take().unwrap_or_else(|| panic!("no answer for {line}"));
            cases.push(Case { query: line.into(), expected });
        }
    }
    cases
}

/// An answer in the words of a query file.
pub fn words(verdict: &str, value: Option<Extremum>) -> String {
    match value {
        None => verdict.into(),
        Some(Extremum::Unbounded) => format!("{verdict} inf"),
        Some(Extremum::Finite { value, attained: true }) => format!("{verdict} {value}"),
        Some(Extremum::Finite { value, attained: false }) => format!("{verdict} {value} open"),
    }
}

pub fn compile(text: &str, cases: &[Case]) -> Result<(Model, Vec<Query>), Diagnostics> {
    let (mut model, _) = build(&parse_any(text, FileId(0))?)?;
    let mut queries = Vec::new();
    for case in cases {
        queries.push(model.resolve_query(&parse_query(&case.query, FileId(1))?)?);
    }
    Ok((model, queries))
}

/// All models of a folder, by name.
pub fn models(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "xta" || e == "ta" || e == "xml"));
    paths.sort();
    paths
}
