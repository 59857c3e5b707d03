//! A model checker for networks of priced timed automata. Nothing here knows of plants.
//!
//! # The front door
//! Its rooms are named after the theory, and are public where others need them:
//! - [`xta`] reads text into a [`network`], automata as they are written, and writes it again;
//! - [`model::build`] checks a network and compiles it, [`model::Model::resolve_query`] a query;
//! - [`engine::check`] answers queries with zones, [`engine::earliest`] finds the smallest value of a
//!   clock; both are watched through an [`engine::Control`];
//! - [`trace::concretise`] gives a symbolic trace exact times, and [`interpret::replay`] replays it
//!   step by step, without zones;
//! - [`descent`] finds runs on which something recurs, for whoever has transitions with inclusion;
//! - [`compose`] puts networks together from template files.
//!
//! Zones (`dbm`), cost planes over them (`priced`) and what is known of a model before it runs
//! (`model::analysis`, `model::accelerate`) are the engine's own.

pub mod compose;
mod dbm;
pub mod descent;
pub mod engine;
pub mod interpret;
pub mod model;
pub mod network;
mod priced;
pub mod trace;
pub mod xta;
