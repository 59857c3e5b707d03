//! From a plan to a network of priced timed automata, put together from template files.
//!
//! A job shop has templates of its own (`shop.rs`). Otherwise every recipe becomes one
//! template per chain of its steps (`chain.rs`), woven from one fragment per concept:
//! the step itself, the units it takes, its window, its lags, its prices. Calendars,
//! lags between chains and the prices of time are automata of their own (`plant.rs`). Heuristics
//! are passes over what is there by then, one file each. The edge that starts a step carries an
//! [`Origin`](takt_automata::network::Origin), by which [`Lowered`] tells what a move means.

mod assembly;
mod chain;
mod crew;
mod files;
mod heuristic;
mod plant;
mod recipe;
mod sequel;
mod shop;

pub use files::FILES;
pub use shop::{Place, Shop};

use crate::plan::{FamilyId, IdVec, OrderId, Plan, PoolId, RecipeId, StepId};
use takt_automata::compose::Templates;
use takt_automata::network::Network;

/// A network and what its parts stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    pub network: Network,
    /// What an edge with an origin does; the origin is the position here.
    pub events: Vec<Event>,
    /// The process of each order, by name; of several chains the first.
    pub processes: IdVec<OrderId, String>,
    /// Every process that starts steps, and its order.
    pub chains: Vec<(String, OrderId)>,
    /// Set where the plant is a job shop and has the automata of one.
    pub shop: Option<Shop>,
}

/// What happens in the plant when an edge is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An order of this recipe starts this step in this mode; its holds that begin here take their
    /// units from these choices (hold, choice). The choice after the last one of a hold is to take
    /// nothing, as it ends at this very instant.
    Start { recipe: RecipeId, step: StepId, mode: usize, holds: Vec<(usize, usize)> },
    /// A step ends.
    End { recipe: RecipeId, step: StepId },
    /// The due instant of an order passes: what ends then ends first.
    Due,
    /// A unit is set up for a family, in this one of the ways to do it.
    SetUp { pool: PoolId, family: FamilyId, way: usize },
    /// All that happens at this instant has happened, and time may pass.
    Judge,
}

/// Puts the plant together. Here alone it is decided whether it is a job shop.
pub fn lower(plan: &Plan, templates: &Templates) -> Lowered {
    if shop::is_job_shop(plan) {
        shop::lower(plan, templates)
    } else {
        plant::lower(plan, templates)
    }
}

#[cfg(test)]
mod tests;
