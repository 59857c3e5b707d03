//! takt plans plants and checks timed automata.
//!
//! A line of data walks in one direction through the rooms of this house; see
//! `docs/architecture.md` for the map.

pub mod account;
pub mod bound;
pub mod cli;
pub mod dbm;
pub mod diagnostic;
pub mod engine;
pub mod import;
pub mod improve;
pub mod interpret;
pub mod lift;
pub mod lower;
pub mod model;
pub mod network;
pub mod outlook;
pub mod pipeline;
pub mod plan;
pub mod priced;
pub mod render;
pub mod rhythm;
pub mod safety;
pub mod scanner;
pub mod schedule;
pub mod spec;
pub mod starter;
pub mod trace;
pub mod validate;
pub mod xta;
