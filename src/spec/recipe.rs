//! How things are made, as it was written.

use super::{At, Expr};
use takt_diagnostic::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub name: At<String>,
    /// At least one.
    pub steps: Vec<Step>,
    pub holds: Vec<Hold>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub name: At<String>,
    /// At least one; a step without `on` has one that requires nothing.
    pub alternatives: Vec<Alternative>,
    /// `None`: the step before it, if there is one.
    pub after: Option<Vec<Predecessor>>,
    pub interruptible: Option<Interruptible>,
    /// Instead of the order's.
    pub family: Option<At<String>>,
    pub span: Span,
}

/// One of the ways to do a step: everything that it takes, and how long it then lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Each resource once; amounts that were written apart are added up, and so is what other steps took.
    pub requirements: Vec<Requirement>,
    /// Other steps of which it takes the same units; what two of them take is never of one resource.
    pub same: Vec<Same>,
    /// Before factors. One that serves several alternatives stands in each of them.
    pub duration: Expr,
    /// Where it is written, or else `on`.
    pub span: Span,
}

/// What a step before it took, where that was done in this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Same {
    pub step: At<String>,
    /// A position among that step's alternatives.
    pub alternative: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub resource: At<String>,
    /// At least 1.
    pub amount: At<i64>,
}

/// A step that must come first, with the lag from it to the start of this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predecessor {
    pub step: At<String>,
    /// Where the lag begins.
    pub from: LagFrom,
    /// 0 if it is missing.
    pub min: Option<Expr>,
    pub max: Option<Expr>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LagFrom {
    Start,
    #[default]
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interruptible {
    /// The longest pause.
    pub max: Option<Expr>,
    pub span: Span,
}

/// Taken from the start of one step to the end of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    pub resource: At<String>,
    pub from: At<String>,
    pub until: At<String>,
    /// At least 1.
    pub amount: At<i64>,
    pub span: Span,
}

impl Recipe {
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name.value == name)
    }
}
