//! From a plan to a network of priced timed automata, put together from template files.
//!
//! A plain job shop has templates of its own (`shop.rs`). Otherwise every recipe becomes one
//! template per chain of its steps (`chain.rs`), woven from one fragment per concept:
//! the step itself, the units it takes, its window, its lags, its prices. Calendars,
//! lags between chains and the prices of time are automata of their own (`plant.rs`). Heuristics
//! are passes over what is there by then, one file each. The edge that starts a step carries an
//! [`Origin`](takt_automata::network::Origin), by which [`Lowered`] tells what a move means.

mod assembly;
mod chain;
mod files;
mod heuristic;
mod plant;
mod recipe;
mod shop;

pub use files::FILES;

use crate::plan::Plan;
use takt_automata::compose::Templates;
use takt_automata::network::Network;

/// A network and what its parts stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    pub network: Network,
    /// What an edge with an origin does; the origin is the position here.
    pub events: Vec<Event>,
    /// The process of each order, by name; of several chains the first.
    pub processes: Vec<String>,
    /// Every process that starts steps, and its order.
    pub chains: Vec<(String, usize)>,
    /// For each recipe of a job shop: what the locations of its template stand for, in their
    /// sequence. Empty for other plants.
    pub places: Vec<Vec<Place>>,
}

/// What happens in the plant when an edge is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An order of this recipe starts this step in this mode; its holds that begin here take their
    /// units from these choices (hold, choice). The choice after the last one of a hold is to take
    /// nothing, as it ends at this very instant.
    Start { recipe: usize, step: usize, mode: usize, holds: Vec<(usize, usize)> },
    /// A step ends.
    End { recipe: usize, step: usize },
    /// All that happens at this instant has happened, and time may pass.
    Judge,
}

/// Where an order of a job shop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Waiting,
    /// This step is running, or has ended while nobody wanted its resource.
    On(usize),
    /// This step has ended, and its resource is another order's.
    After(usize),
    Finished,
    /// A location that only a replaced template knows.
    Between,
}

/// Puts the plant together.
pub fn lower(plan: &Plan, templates: &Templates) -> Lowered {
    if plan.is_plain() { shop::lower(plan, templates) } else { plant::lower(plan, templates) }
}

#[cfg(test)]
mod tests;
