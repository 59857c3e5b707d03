//! Joins the stages: from text to answers and schedules, as data.
//!
//! Takes texts and settings, gives results; whoever calls it reads and writes the files, keeps
//! the time (through the engine's [`Control`](takt_automata::engine::Control)) and prints.

pub mod check;
mod conflict;
pub mod describe;
pub mod fault;
pub mod layout;
mod portfolio;
pub mod project;
mod reason;
mod relax;
mod restriction;
pub mod shelf;
pub mod solve;
mod task;
mod templates;

pub use templates::templates;

#[cfg(test)]
mod tests;
