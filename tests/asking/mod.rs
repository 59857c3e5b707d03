//! Queries on the text of a model, asked with patience for so many states.

use std::ops::ControlFlow;
use takt::diagnostic::FileId;
use takt::engine::{Control, Progress, Stop};
use takt::model::{Model, Query, build};
use takt::xta;

/// Stops a search after so many states.
pub struct Patience(pub u64);

impl Control for Patience {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        match progress.explored > self.0 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

pub fn compile(text: &str, queries: &[String]) -> (Model, Vec<Query>) {
    let network = xta::parse(text, FileId(0)).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let (mut model, _) = build(&network).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let resolve = |query: &String| {
        let parsed = xta::parse_query(query, FileId(1)).unwrap();
        model.resolve_query(&parsed).unwrap_or_else(|e| panic!("{query}: {e:?}\n{text}"))
    };
    let queries = queries.iter().map(resolve).collect();
    (model, queries)
}
