//! Steps that cost where they do not start as they did before: from their start to the left they may become cheaper,
//! then dearer, and cheaper again.
//!
//! Between two candidates, and with everything else where it is, an order's cost is linear in the start, and the
//! neighbours on all units are the same. So the first start between them that is cheap enough is found by halves.

use super::{LeftShift, Setups};
use crate::plan::{OrderId, StepId};

impl LeftShift<'_> {
    /// Tries the candidates, and between each two of them the first start that costs no more than this.
    pub(super) fn try_anchored(
        &mut self,
        order: OrderId,
        step: StepId,
        earliest: i64,
        most: Setups,
    ) -> bool {
        let mut candidates = self.candidates(order, step, earliest);
        candidates.extend(self.bends(order, step, earliest));
        candidates.sort_unstable();
        candidates.dedup();
        candidates.push(self.jobs[order][step].start);
        candidates.windows(2).any(|two| {
            self.try_at(order, step, two[0], most)
                || self
                    .first_affordable(order, step, [two[0], two[1]], most)
                    .is_some_and(|start| self.try_at(order, step, start, most))
        })
    }

    /// Starts from which on the order's cost rises or falls otherwise than before.
    fn bends(&self, order: OrderId, step: StepId, earliest: i64) -> Vec<i64> {
        let plan = self.plan;
        let (part, job) = (&plan.steps(order)[step], &self.jobs[order][step]);
        let mode = &part.modes[job.mode];
        let mut bends: Vec<i64> = part.anchor.iter().map(|anchor| anchor.at).collect();
        bends.extend(self.jobs[order].iter().map(|other| plan.ending_at(part, mode, 0, other.end)));
        if let (Some(calendar), Some(_)) = (mode.calendar, part.pause) {
            // Where a start pauses once more than the one before it, the end jumps.
            let windows = plan.calendars[calendar].windows.iter();
            let near = windows.filter(|window| window.open < job.end && window.close >= earliest);
            for window in near {
                let ends = [window.close, window.close + 1];
                bends.extend(ends.map(|end| plan.ending_at(part, mode, 0, end)));
                bends.extend([window.open, window.close]);
            }
        }
        let starts = bends.into_iter().filter_map(|bend| {
            plan.next_start(part, mode, bend.max(earliest)).filter(|&start| start < job.start)
        });
        starts.collect()
    }

    /// The first start after one candidate and before the next at which the order costs no more, if it costs more at
    /// the first of them.
    fn first_affordable(
        &mut self,
        order: OrderId,
        step: StepId,
        [from, until]: [i64; 2],
        most: Setups,
    ) -> Option<i64> {
        let old = self.jobs[order][step].clone();
        let setups = self.cost_at(order, step, from).and_then(|_| self.fits(order, step));
        let found = setups.and_then(|setups| {
            let mut is_cheap = |start: i64| {
                let cost = self.cost_at(order, step, start);
                cost.is_some_and(|cost| cost + setups.cost <= most.cost)
            };
            let (mut dear, mut cheap) = (from, until - 1);
            if cheap <= dear || !is_cheap(cheap) {
                return None;
            }
            while dear + 1 < cheap {
                let middle = dear + (cheap - dear) / 2;
                if is_cheap(middle) { cheap = middle } else { dear = middle }
            }
            Some(cheap)
        });
        self.jobs[order][step] = old;
        let (part, job) = (&self.plan.steps(order)[step], &self.jobs[order][step]);
        let start = self.plan.next_start(part, &part.modes[job.mode], found?)?;
        (start < until).then_some(start)
    }

    /// Puts the step to the first start from an instant on, and says what the order costs then.
    fn cost_at(&mut self, order: OrderId, step: StepId, from: i64) -> Option<i64> {
        let (part, mode) = (&self.plan.steps(order)[step], self.jobs[order][step].mode);
        let start = self.plan.next_start(part, &part.modes[mode], from)?;
        let end = self.plan.end(part, &part.modes[mode], start)?;
        (self.jobs[order][step].start, self.jobs[order][step].end) = (start, end);
        Some(self.cost(order))
    }
}
