//! Queries, resolved against a model.

use super::{ClockId, ClockTest, Term};
use takt_diagnostic::Span;

/// A resolved state formula. Quantifiers are expanded; clock comparisons are brought into the
/// form of [`ClockTest`] (with `unless` absent).
#[derive(Clone, Debug)]
pub enum Formula {
    /// A clock-free condition on the state's integers (locations included).
    Data(Term),
    Clock(ClockTest),
    Deadlock,
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    /// Whether `deadlock` occurs in it.
    pub fn has_deadlock(&self) -> bool {
        match self {
            Formula::Deadlock => true,
            Formula::Data(_) | Formula::Clock(_) => false,
            Formula::Not(inner) => inner.has_deadlock(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(Formula::has_deadlock),
        }
    }
}

/// A resolved query.
#[derive(Clone, Debug)]
pub enum Query {
    Possibly(Formula),
    Invariantly(Formula),
    PotentiallyAlways(Formula),
    Eventually(Formula),
    LeadsTo(Formula, Formula),
    Infimum { within: Formula, of: Objective },
    Supremum { within: Formula, of: Objective },
}

/// What `inf` and `sup` measure.
#[derive(Clone, Debug)]
pub enum Objective {
    Clock(ClockId, Span),
    Data(Term),
    /// The predeclared `cost`.
    Cost(Span),
}
