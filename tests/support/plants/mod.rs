//! Small plants as data: drawn at random, written as specs, solved and judged by trying everything.

mod brute;
mod draw;
mod earlier;
mod extremes;
mod facts;
mod rules;
mod setups;
mod units;
mod write;

pub use brute::{
    Alternative, Calendar, Earlier, Fact, Former, Hold, Link, Objective, Order, OrderLink, Pin,
    Placed, Plant, Recipe, Resource, Rule, Schedule, Setup, Step,
};
pub use draw::{Features, plant};
