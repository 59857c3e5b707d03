//! Where the plant is: what has happened, and what is settled.

use super::schedule::Kind;
use super::{At, Instant};
use takt_diagnostic::Span;

/// Steps and holds with their times and units, as facts. Those that do not start before `until` do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    pub facts: Vec<Fact>,
    pub until: Option<Instant>,
}

/// One row: a unit that a step or a hold takes, or a step that takes none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// A step or a hold.
    pub kind: Kind,
    pub order: At<String>,
    pub step: At<String>,
    /// `None` for a step without resources.
    pub resource: Option<At<String>>,
    /// `None` where it does not matter which.
    pub unit: Option<At<String>>,
    /// Names nothing of orders, and may lie before 0.
    pub start: Instant,
    pub end: Instant,
    /// Processing time without pauses; by default from start to end.
    pub work: Option<At<i64>>,
    pub span: Span,
}

/// A step that is settled in part: all rules hold for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub step: At<String>,
    /// It starts exactly then.
    pub start: Option<Instant>,
    /// It takes this unit.
    pub unit: Option<At<String>>,
}
