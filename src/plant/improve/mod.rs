//! From a plan to good schedules, without proof: rules that place steps one after the other, then
//! small changes for as long as one is let.
//!
//! Takes a plan; gives jobs, as are read out of a run, too, so that they become a schedule, are
//! replayed by the automata and validated like any other. Knows nothing of automata. Heuristics are
//! kept where that is easy; whether a schedule keeps them is for the automata to say.

mod anneal;
mod climb;
mod crews;
mod disjunctive;
mod dispatch;
mod former;
mod justify;
mod list;
mod mixed;
mod plant;
mod reinsert;
mod relink;
mod search;
mod shape;
mod table;
mod tabu;
mod walk;

pub use plant::Plant;
pub use search::Improver;

use crate::plan::Plan;
use crate::timetable::{self, Jobs, check};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImproveOptions {
    pub seed: u64,
    /// No schedule is better than this; one as good ends the search.
    pub floor: Option<i64>,
    /// What is spent at most, as about so many microseconds. With the same number, and never told to stop, the same
    /// schedules are found.
    pub effort: u64,
}

/// Where a schedule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// A dispatching rule, or a sequence by chance where no rule finds one.
    Rule,
    /// A change of another schedule.
    Change,
}

/// Whoever waits for schedules.
pub trait IncumbentCallback {
    /// Whether to stop; asked between any two changes.
    fn is_over(&mut self) -> bool;

    /// A schedule that is better than all that were kept, with its value. Whether it is kept: one
    /// that is not does not count.
    fn found(&mut self, value: i64, jobs: &Jobs, origin: FoundBy) -> bool;
}

/// A schedule by a simple rule, and its value; `None` if no rule finds one, which proves nothing.
pub fn first_schedule(plan: &Plan) -> Option<(i64, Jobs)> {
    let mut only = Only(None);
    improve(plan, &ImproveOptions { seed: 0, floor: None, effort: 0 }, &mut only);
    only.0
}

struct Only(Option<(i64, Jobs)>);

impl IncumbentCallback for Only {
    fn is_over(&mut self) -> bool {
        self.0.is_some()
    }

    fn found(&mut self, value: i64, jobs: &Jobs, _: FoundBy) -> bool {
        self.0 = Some((value, jobs.clone()));
        true
    }
}

/// Tells of better and better schedules until so much is spent, the callback says so, or the floor
/// is reached.
pub fn improve(plan: &Plan, options: &ImproveOptions, callback: &mut dyn IncumbentCallback) {
    let plant = Plant::new(plan);
    Improver::new(&plant, options.seed, options.floor).advance(options.effort, callback);
}

/// What the callback was told so far.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    floor: Option<i64>,
    kept: Option<i64>,
    /// How often in a row a schedule was not kept, and how many were not shown since.
    refusals: u32,
    skipped: u64,
}

/// Keeps count of what the callback is told.
struct Teller<'a> {
    plan: &'a Plan,
    told: Told,
    /// Where schedules come from by now.
    origin: FoundBy,
    callback: &'a mut dyn IncumbentCallback,
}

impl Teller<'_> {
    fn is_over(&mut self) -> bool {
        self.callback.is_over()
    }

    fn is_done(&mut self) -> bool {
        self.told.is_met() || self.is_over()
    }

    fn has_kept(&self) -> bool {
        self.told.kept.is_some()
    }

    fn tell(&mut self, value: i64, jobs: &Jobs) {
        debug_assert_eq!(check(self.plan, jobs), Ok(()));
        debug_assert_eq!(timetable::value(self.plan, jobs), value);
        let told = &mut self.told;
        if told.kept.is_some_and(|kept| value >= kept) {
            return;
        }
        // To look at a schedule takes time: the more were refused, the fewer are shown.
        told.skipped += 1;
        if told.skipped < 1 << told.refusals.saturating_sub(4).min(20) {
            return;
        }
        told.skipped = 0;
        if self.callback.found(value, jobs, self.origin) {
            told.kept = Some(value);
            told.refusals = 0;
        } else {
            told.refusals += 1;
        }
    }
}

impl Told {
    fn is_met(&self) -> bool {
        self.kept.is_some_and(|kept| self.floor.is_some_and(|floor| kept <= floor))
    }
}

#[cfg(test)]
mod tests;
