//! Joins the stages: from text to answers and schedules, as data.
//!
//! Takes texts and settings, gives results; whoever calls it reads and writes the files, keeps
//! the time (through the engine's [`Control`](takt_automata::engine::Control)) and prints.

mod aside;
mod board;
pub mod check;
mod conflict;
pub mod describe;
pub mod fault;
pub mod layout;
pub mod project;
mod reason;
mod relax;
mod restriction;
mod search;
pub mod shelf;
pub mod solve;
mod templates;

pub use templates::templates;

#[cfg(test)]
mod tests;
