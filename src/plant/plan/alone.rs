//! An order as if it had the plant to itself.
//!
//! *Heads.* With every resource to itself, no step starts before its head and none ends before its earliest
//! end: by induction along predecessors, because the first start that a calendar allows, and the end that
//! follows from a start, never fall when they are asked for a later instant.
//!
//! *Tails.* From a step's start to the end of all that follows it pass at least the longest path of
//! shortest durations and smallest lags.

use super::horizon::tails;
use super::{OrderId, Plan, Step, StepId, Times};

pub struct Alone {
    pub heads: Times,
    /// The earliest end of each step.
    pub ends: Times,
    /// From each step's start to the end of all that follows it.
    pub tails: Times,
}

impl Alone {
    /// Otherwise the step that fits no window, and when it could start at the earliest.
    pub fn of(plan: &Plan, order: OrderId) -> Result<Alone, (StepId, i64)> {
        let steps = plan.steps(order);
        let mut heads = steps.filled(plan.orders[order].release);
        let mut ends = steps.filled(0);
        // Predecessors may stand anywhere in the list; as often as the longest path may be.
        for _ in 0..=steps.len() {
            let mut has_changed = false;
            for (k, step) in steps.entries() {
                let from = heads[k].max(step.ready(&heads, &ends));
                let (start, end) = plan.earliest(step, from).ok_or((k, from))?;
                has_changed |= (start, end) != (heads[k], ends[k]);
                (heads[k], ends[k]) = (start, end);
            }
            if !has_changed {
                break;
            }
        }
        Ok(Alone { heads, ends, tails: tails(steps) })
    }

    pub fn makespan(&self) -> i64 {
        let tails = self.heads.iter().zip(&self.tails).map(|(head, tail)| head + tail);
        tails.chain(self.ends.iter().copied()).max().unwrap_or(0)
    }
}

impl Step {
    /// When predecessors that start and end then let it start.
    pub fn ready(&self, starts: &Times, ends: &Times) -> i64 {
        let links = self.after.iter();
        let links = links.map(|link| link.from.of(starts, ends)[link.before] + link.min);
        links.max().unwrap_or(0)
    }
}

impl Plan {
    /// The first start and the first end from an instant on, over all ways to do a step.
    pub fn earliest(&self, step: &Step, from: i64) -> Option<(i64, i64)> {
        let fits = step.modes.iter().filter_map(|mode| {
            let start = self.next_start(step, mode, from)?;
            Some((start, self.end(step, mode, start)?))
        });
        fits.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
    }
}
