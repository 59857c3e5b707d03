//! A timetable: for every step of every order of a plan, when, how, and with which units of its holds.
//!
//! Whoever makes schedules makes [`Jobs`]: `lift` out of runs, `improve` out of the plan. Here they are
//! valued, checked and moved to the left; [`Profile`] says what is taken of a pool over time. Knows the plan,
//! and neither automata nor rows.

mod alike;
mod check;
mod crews;
mod profile;
mod shift;
mod value;

pub use check::check;
pub use crews::{SHORT, SetUp, named, setups, setups_within};
pub use profile::{Claim, Profile, Setups};
pub use value::{group_finish, order_cost, users, value};

use crate::plan::{IdVec, OrderId, Plan, StepId};

/// One step at its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub start: i64,
    pub end: i64,
    /// A position in the step's modes.
    pub mode: usize,
    /// For each hold that begins with the step: the choice of pools.
    pub holds: Vec<(usize, usize)>,
}

/// `[order][step]`
pub type Jobs = IdVec<OrderId, IdVec<StepId, Job>>;

/// Starts every step as early as it can be with all else unchanged, at no greater cost; orders that
/// nothing tells apart come in the spec's sequence. Only moves after which `is_kept` holds are made.
pub fn shift_left(plan: &Plan, jobs: &mut Jobs, is_kept: &dyn Fn(&Jobs) -> bool) {
    shift::move_earlier(plan, jobs, is_kept);
    alike::in_sequence(plan, jobs);
}
