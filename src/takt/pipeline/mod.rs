//! Joins the stages: from text to answers and schedules, as data. One way through for every problem.
//!
//! Takes texts and a [`Request`], gives a [`Solution`]; whoever calls it reads and writes the files,
//! keeps the time (through a [`Control`]) and prints.

pub mod check;
mod conflict;
mod context;
pub mod describe;
pub mod fault;
mod judge;
pub mod layout;
mod plant;
mod portfolio;
mod problem;
mod reason;
mod relax;
mod request;
mod restriction;
mod shelf;
mod solution;
mod summary;
mod templates;

pub use plant::{check_size, network};
pub(crate) use portfolio::unanswered;
pub use problem::{Kind, Problem};
pub use reason::Reason;
pub use request::{Pace, Request, Selection};
pub use shelf::Shelf;
pub use solution::{Engine, Failure, Found, Heuristic, LayoutFigures, Solution, States, Status};
pub use summary::{exact, round, summary};
pub use templates::templates;

use takt_automata::compose::Templates;
use takt_automata::engine::Control;

/// Compiles, searches, lifts, replays and validates. No schedule is given that did not pass. What is
/// finished on the way stands on the shelf.
pub fn solve(
    problem: &Problem,
    templates: &Templates,
    request: &Request,
    control: &(dyn Control + Sync),
    shelf: &Shelf,
) -> Result<Solution, Failure> {
    match &problem.kind {
        Kind::Plant => plant::solve(problem, templates, request, control, shelf),
        Kind::Layout(scanner) => layout::solve(problem, scanner, templates, request, control),
    }
}

#[cfg(test)]
mod tests;
