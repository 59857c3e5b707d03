//! A clause-learning search over bounds of whole numbers and differences between them.
//!
//! Lazy clause generation (Ohrimenko, Stuckey, Codish 2009) without atoms: a literal is a bound `x <= k`, made when
//! somebody needs it. Knows nothing of plants.
//!
//! Two tasks on one machine, one of 3 and one of 5: they cannot both be over at 7.
//!
//! ```
//! use takt_learn::{Choice, Outcome, Solver};
//!
//! let mut solver = Solver::new();
//! let a = solver.variable(0, 100, Choice::Least(0));
//! let b = solver.variable(0, 100, Choice::Least(0));
//! let end = solver.variable(0, 100, Choice::Least(1));
//! let a_first = solver.boolean();
//! solver.before(a, 3, b, Some(a_first));
//! solver.before(b, 5, a, Some(!a_first));
//! solver.before(a, 3, end, None);
//! solver.before(b, 5, end, None);
//!
//! assert_eq!(solver.search(&[], 1000, &mut || false), Outcome::Solution);
//! assert_eq!(solver.min(end), 8);
//! solver.clause([end.at_most(7)]);
//! assert_eq!(solver.search(&[], 1000, &mut || false), Outcome::Infeasible);
//! ```

#![warn(missing_docs, unreachable_pub)]

mod activity;
mod agenda;
mod analysis;
mod clauses;
mod cumulative;
mod difference;
mod disjunctive;
mod domains;
mod linear;
mod literal;
mod proof;
mod propagator;
mod rules;
mod solver;
#[cfg(test)]
mod tests;
mod timing;

pub use cumulative::Task;
pub use disjunctive::Span;
pub use literal::{Lit, Point, Side, Var};
pub use proof::Log;
pub use solver::{Choice, Counts, Outcome, Solver};
pub use timing::{Segment, Timing};
