//! From a layout to an infinite schedule with the least time per wafer in the long run, then the
//! smallest largest gap, then the earliest first wafer; with proof.
//!
//! Takes a scanner; gives operations with times, a lower bound and the way it was proved. Pure
//! computation: whoever asks may end it. Every operation has a fixed duration and takes its
//! components for all of it, and nothing has to happen by any time; so given the sequence of
//! operations each starts when its components are free, and what can be done from a state can be
//! done from one of equal configuration whose components are free earlier. All searches rest on
//! this: `closure` for the interval, `within` for that of limited gaps, `beat` for gaps and the
//! first wafer, `relax` for bounds.

mod apply;
mod arrange;
mod beat;
mod busy;
mod cells;
mod closure;
mod due;
mod expand;
mod heuristic;
mod labels;
mod late;
mod limits;
mod moves;
mod part;
mod portfolio;
mod raise;
mod relax;
mod safe;
mod settle;
mod short;
mod solve;
mod stop;
#[cfg(test)]
mod tests;
mod tidy;
mod tighten;
mod tool;
mod within;

pub use crate::layout::Heuristic;
pub use solve::solve;
pub use stop::Listener;
use stop::{Budget, Stopped};

use crate::layout::{Infinite, Scanner};
use num_rational::Ratio;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// No gap between two wafers may be longer.
    pub max_gap: Option<i64>,
    /// The first wafer must leave by then.
    pub first: Option<i64>,
    /// How many states each search may look at.
    pub effort: u64,
    /// To cut the search for a schedule. Proofs do without those that are not safe.
    pub heuristics: Vec<Heuristic>,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_gap: None, first: None, effort: 4_000_000, heuristics: Vec::new() }
    }
}

/// No infinite schedule has a smaller interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    pub interval: Ratio<i64>,
    /// Proved by looking at all states that matter, not by leaving parts out.
    pub by_closure: bool,
    /// How it was proved: a sentence without a full stop.
    pub method: String,
    /// The resource that it rests on; if all of them together, the busiest one of the schedule.
    pub critical: String,
}

/// What one component could do alone, if all wafers took their way through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Single {
    pub name: String,
    pub interval: Ratio<i64>,
}

/// What is known before any search for a schedule: the bounds of all resources, and what single
/// locks and robots could do. `None` if the layout is too large, or this takes too long.
pub fn outlines(scanner: &Scanner) -> Option<(Vec<Bound>, Vec<Single>)> {
    tool::Tool::whole(scanner)?;
    let mut never = || false;
    let mut stop = Budget::new(&mut never);
    stop.allow(OUTLINE);
    let bounds = relax::bounds(scanner, &mut stop).ok()?;
    Some((bounds, relax::singles(scanner, &mut stop).ok()?))
}

/// How many states may be looked at for this.
const OUTLINE: u64 = 400_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rhythm {
    pub schedule: Infinite,
    pub interval: Ratio<i64>,
    pub max_gap: i64,
    pub first: i64,
    pub least_gap: Least,
    pub least_first: Least,
}

/// What was proved of a figure: no schedule that keeps all conditions given here has a smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    pub value: i64,
    /// Schedules of exactly this interval.
    pub interval: Option<Ratio<i64>>,
    /// Those without a gap above this.
    pub max_gap: Option<i64>,
    /// Those whose first wafer comes by then.
    pub first: Option<i64>,
}

impl Least {
    fn of(value: i64) -> Least {
        Least { value, interval: None, max_gap: None, first: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Found(Rhythm),
    /// There is none, and why.
    None(String),
    /// Neither a schedule nor a proof that there is none, and why.
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub outcome: Outcome,
    pub bound: Bound,
    /// States looked at by all searches together.
    pub explored: u64,
    /// Everything that the heuristics keep was looked at, or nothing better is left.
    pub is_complete: bool,
}

impl Answer {
    /// Whether the schedule's interval is proved to be the least.
    pub fn is_optimal(&self) -> bool {
        matches!(&self.outcome, Outcome::Found(rhythm) if rhythm.interval <= self.bound.interval)
    }
}
