//! From a spec of a plant to automata, schedules and bounds.

pub mod bound;
pub mod improve;
pub mod learn;
pub mod lift;
pub mod lower;
pub mod outlook;
pub mod plan;
pub mod timetable;
