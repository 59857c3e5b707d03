//! The log of a search, from which a proof can be written down and checked by strangers.
//!
//! It is a sequence of clauses of two kinds. A clause that is *inferred* follows from one rule alone: a difference, a
//! calendar, a capacity, a set of tasks on one machine, a sum. A clause that is *learned* follows from the
//! clauses of the problem and those before it by unit propagation over bounds (reverse unit propagation, Goldberg, Novikov
//! 2003), where `x <= 3` makes `x <= 5` true. A problem without solutions ends with the clause without literals;
//! assumptions that are refuted end with the clause that says so. So a checker needs the rules, one procedure for
//! each kind of them, and unit propagation. Nothing of it depends on how the search goes.

use crate::literal::Lit;

/// Whoever writes the log down.
pub trait Log: Send + std::fmt::Debug {
    /// At least one literal is true, by a single rule.
    fn inferred(&mut self, clause: &[Lit]);

    /// At least one literal is true, by unit propagation in all that is known before.
    fn learned(&mut self, clause: &[Lit]);
}
