//! takt plans plants and checks timed automata.
//!
//! A [`Problem`] is read from a spec, [`solve`] finds the best schedule it can and proves as much of that
//! as it can, and a [`Solution`] holds what came out: a schedule that was replayed on the automata and
//! validated, its value, a bound, and who found the one and proved the other.
//!
//! ```
//! use takt::{Problem, Request, Status, Unlimited, solve};
//!
//! let spec = "takt: 1
//! resources: {saw: {}, drill: {capacity: 2}}
//! recipes:
//!   box: {steps: [{name: cut, on: saw, duration: 3}, {name: bore, on: drill, duration: 5}]}
//! orders: [{id: A, recipe: box}, {id: B, recipe: box, release: 1}]
//! ";
//! let problem = Problem::parse("boxes", spec).expect("a spec");
//! let solution = solve(&problem, &Request::default(), &Unlimited).expect("a solution");
//! assert_eq!(solution.status, Status::Optimal);
//! assert_eq!(solution.value, Some(11.into()));
//! let found = solution.found.expect("a schedule");
//! let first = found.schedule.rows.iter().find(|row| row.order == "B").expect("a row");
//! assert_eq!((first.step.as_str(), first.start, first.end), ("cut", 3, 6));
//! ```
//!
//! Who wants limits passes another [`Control`]: a [`Budget`] of states or polls, or one of their own
//! that looks at a clock. Automata are checked by `takt_automata`, which knows nothing of plants.
//!
//! A line of data walks in one direction through the crates of this house; see
//! `docs/architecture.md` for the map. [`pipeline`] joins the stages; [`cli`] is the program.

#![warn(missing_docs, unreachable_pub)]

#[allow(missing_docs, unreachable_pub, reason = "a program: its reference is `takt help`")]
pub mod cli;
pub mod import;
pub mod pipeline;
pub mod starter;

pub use pipeline::{
    Engine, Failure, Found, Kind, Pace, Problem, Reason, Request, Selection, Solution, Status,
};
pub use takt_automata::engine::{Budget, Control, Progress, Stop, Unlimited};

/// Finds the best schedule of a problem within the limits that `control` sets.
///
/// # Errors
///
/// What is wrong with the spec as a whole, such as automata that would be too large; or a bug of takt:
/// a schedule that does not replay or does not validate is never given.
pub fn solve(
    problem: &Problem,
    request: &Request,
    control: &(dyn Control + Sync),
) -> Result<Solution, Failure> {
    let templates = pipeline::templates(&[]).map_err(Failure::Input)?;
    pipeline::solve(problem, &templates, request, control, &pipeline::Shelf::default())
}
