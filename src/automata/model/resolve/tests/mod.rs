//! Models as text, and what becomes of them.

mod clocks;
mod data;
mod errors;
mod functions;
mod limits;
mod mutation;
mod processes;
mod queries;
mod show;

use super::build;
use crate::model::Model;
use show::Show;
use takt_diagnostic::{Diagnostics, FileId};

/// The model of a text that is right.
fn model(source: &str) -> Model {
    match try_model(source) {
        Ok((model, _)) => model,
        Err(found) => panic!("{}", show::messages(source, &found)),
    }
}

fn try_model(source: &str) -> Result<(Model, Diagnostics), Diagnostics> {
    build(&crate::xta::parse(source, FileId(0))?)
}

/// A text with everything that is wrong with it.
fn told(source: &str) -> String {
    let found = match try_model(source) {
        Ok((_, warnings)) => warnings,
        Err(found) => found,
    };
    let lines: Vec<&str> = source.trim().lines().map(str::trim).collect();
    format!("{}\n\n{}", lines.join("\n"), show::messages(source, &found))
}

/// The codes of what is wrong with a text.
fn codes(source: &str) -> Vec<&'static str> {
    match try_model(source) {
        Ok((_, warnings)) => warnings.iter().map(|d| d.code).collect(),
        Err(found) => found.iter().map(|d| d.code).collect(),
    }
}

/// All edges of a model with the given declarations and one process with the given edges
/// between its locations `a` and `b`.
fn edges(declarations: &str, edges: &str) -> Vec<String> {
    edges_of(&model(&with_edges(declarations, edges)))
}

fn with_edges(declarations: &str, edges: &str) -> String {
    format!("{declarations}\nprocess P() {{ state a, b; init a; trans {edges}; }}\nsystem P;")
}

fn edges_of(model: &Model) -> Vec<String> {
    let show = Show(model);
    model
        .processes
        .iter()
        .flat_map(|process| process.edges.iter().map(|edge| show.edge(process, edge)))
        .collect()
}

/// The single edge of such a model.
fn edge(declarations: &str, text: &str) -> String {
    let mut all = edges(declarations, &format!("a -> b {{ {text} }}"));
    assert_eq!(all.len(), 1, "one edge: {all:?}");
    all.remove(0)
}
