//! Verifies queries: text to network to model to answers, with traces that were replayed.

use super::describe;
use crate::diagnostic::{Diagnostics, FileId};
use crate::engine::{self, Answer, Control, Failure, Options};
use crate::model::{self, Model};
use crate::network::{self, Network};
use crate::trace::{Time, Trace};

/// How a model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// UPPAAL's textual language, `.xta` and `.ta`.
    Textual,
    Xml,
}

impl Format {
    /// Only XML begins with `<`.
    pub fn by_content(text: &str) -> Format {
        if text.trim_start().starts_with('<') { Format::Xml } else { Format::Textual }
    }
}

/// One step of a run, in words: what happens at which absolute time, and the cost so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    pub time: Time,
    /// Empty for a final wait.
    pub action: String,
    pub cost: Time,
}

/// The text of a model as a network.
pub fn read(_text: &str, _file: FileId, _format: Format) -> Result<Network, Diagnostics> {
    todo!()
}

/// Queries, one per line; `//` comments and blank lines are ignored.
pub fn read_queries(_text: &str, _file: FileId) -> Result<Vec<network::Query>, Diagnostics> {
    todo!()
}

/// A network and its queries, checked and compiled.
pub fn build(
    _network: &Network,
    _queries: &[network::Query],
) -> Result<(Model, Vec<model::Query>), Diagnostics> {
    todo!()
}

/// Answers all queries; they are searched together where that is sound.
pub fn run(
    model: &Model,
    queries: &[model::Query],
    options: &Options,
    control: &dyn Control,
) -> Result<Vec<Answer>, Box<Failure>> {
    engine::check(model, queries, options, control)
}

/// Exact times for a symbolic trace, replayed step by step. An error is a bug of ours: what the
/// engine found is not what the semantics says.
pub fn concrete(model: &Model, trace: &Trace) -> Result<Vec<Timed>, String> {
    let _ = (describe::action, model, trace);
    todo!()
}
