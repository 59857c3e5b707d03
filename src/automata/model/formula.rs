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
    /// Calls `visit` for the parts that are no connectives.
    pub fn each_leaf<'f>(&'f self, visit: &mut dyn FnMut(&'f Formula)) {
        match self {
            Formula::Not(inner) => inner.each_leaf(visit),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.each_leaf(visit));
            }
            leaf => visit(leaf),
        }
    }

    /// The same for changing them.
    pub fn each_leaf_mut(&mut self, visit: &mut dyn FnMut(&mut Formula)) {
        match self {
            Formula::Not(inner) => inner.each_leaf_mut(visit),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter_mut().for_each(|part| part.each_leaf_mut(visit));
            }
            leaf => visit(leaf),
        }
    }

    /// Whether some part that is no connective is such.
    pub fn has_leaf(&self, is_such: &impl Fn(&Formula) -> bool) -> bool {
        match self {
            Formula::Not(inner) => inner.has_leaf(is_such),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().any(|part| part.has_leaf(is_such))
            }
            leaf => is_such(leaf),
        }
    }

    /// Whether `deadlock` occurs in it.
    pub fn has_deadlock(&self) -> bool {
        self.has_leaf(&|leaf| matches!(leaf, Formula::Deadlock))
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

impl Query {
    /// Its formulas, and what it measures.
    pub fn parts(&self) -> (Vec<&Formula>, Option<&Objective>) {
        use Query::*;
        match self {
            Possibly(p) | Invariantly(p) | PotentiallyAlways(p) | Eventually(p) => (vec![p], None),
            LeadsTo(p, q) => (vec![p, q], None),
            Infimum { within, of } | Supremum { within, of } => (vec![within], Some(of)),
        }
    }

    /// The same for changing them.
    pub fn parts_mut(&mut self) -> (Vec<&mut Formula>, Option<&mut Objective>) {
        use Query::*;
        match self {
            Possibly(p) | Invariantly(p) | PotentiallyAlways(p) | Eventually(p) => (vec![p], None),
            LeadsTo(p, q) => (vec![p, q], None),
            Infimum { within, of } | Supremum { within, of } => (vec![within], Some(of)),
        }
    }
}

/// What `inf` and `sup` measure.
#[derive(Clone, Debug)]
pub enum Objective {
    Clock(ClockId, Span),
    Data(Term),
    /// The predeclared `cost`.
    Cost(Span),
}
