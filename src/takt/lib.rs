//! takt plans plants and checks timed automata.
//!
//! A line of data walks in one direction through the crates of this house; see
//! `docs/architecture.md` for the map.

pub mod cli;
pub mod import;
pub mod pipeline;
pub mod starter;
