//! Rules that are no clauses and no differences: each looks at bounds and sets others, with reasons.

use crate::domains::{Conflict, Domains};
use crate::literal::{Lit, Point, Side};

/// A rule between variables.
///
/// Requires of every implementation: what it sets follows from its reason alone, a reason was true before, and
/// where all its variables are fixed it fails just if the rule is broken. It keeps nothing between calls
/// that depends on bounds.
pub(crate) trait Propagator: Send + std::fmt::Debug {
    /// The sides whose bounds it depends on.
    fn sides(&self) -> Vec<Side>;

    /// Whether it takes long, so that all others come first.
    fn is_slow(&self) -> bool {
        false
    }

    /// What it takes to look at the bounds, where setting one takes 1.
    fn effort(&self) -> u64;

    /// Sets what follows from the bounds.
    fn propagate(&mut self, view: &mut View) -> Result<(), Conflict>;
}

/// The bounds as a propagator sees them.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) domains: &'a mut Domains,
}

impl View<'_> {
    pub(crate) fn bound(&self, side: Side) -> i64 {
        self.domains.bound(side)
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.domains.is_true(lit)
    }

    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.domains.is_false(lit)
    }

    pub(crate) fn min(&self, point: Point) -> i64 {
        self.domains.min(point.var) + point.offset
    }

    pub(crate) fn max(&self, point: Point) -> i64 {
        self.domains.max(point.var) + point.offset
    }

    pub(crate) fn set(&mut self, lit: Lit, reason: &[Lit]) -> Result<bool, Conflict> {
        self.domains.set_because(lit, reason.iter().copied())
    }
}
