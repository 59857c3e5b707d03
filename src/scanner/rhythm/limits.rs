//! Limits that the user sets: no gap above this, the first wafer by then.

use super::beat::Beat;
use super::closure::Lasso;
use super::due::Due;
use super::settle::settle;
use super::solve::{Found, QUICK, Search, gaps};
use super::tidy::{hasten, tidy};
use super::tool::total;
use super::within::{FAR, Within};
use super::{Least, Options, Outcome, Rhythm};
use crate::layout::{Cycle, Infinite};
use num_rational::Ratio;

impl Search<'_, '_> {
    /// A gap that no schedule needs to exceed: one wafer after the other, each alone.
    fn any_gap(&self) -> i64 {
        16 * total(&self.tool.scanner).unwrap_or(0) + 1
    }

    /// Why no infinite schedule keeps the limits, if that can be proved.
    pub(super) fn refusal(&mut self) -> Option<String> {
        let gap = self.options.max_gap.unwrap_or(self.any_gap());
        if Ratio::from_integer(gap) < self.bound.interval {
            return Some(format!(
                "no gap above {gap} means an interval of at most that, and none is below {}",
                self.bound.interval
            ));
        }
        let first = self.options.first?;
        (!self.may_keep(gap, first)).then(|| self.none_keeps())
    }

    /// Whether it is not proved that no schedule has such gaps and such a first wafer.
    fn may_keep(&mut self, gap: i64, first: i64) -> bool {
        self.stop.allow(self.options.effort);
        let mut beat = Beat::new(self.plain, Due::every(gap.into()), false);
        !matches!(beat.search(first, &mut self.stop), Ok(None))
    }

    /// The schedule if it keeps the limits, or the fastest one that does.
    pub(super) fn within_limits(&mut self, rhythm: Rhythm) -> Outcome {
        let most = self.options.max_gap.unwrap_or(i64::MAX);
        let latest = self.options.first.unwrap_or(i64::MAX);
        if rhythm.max_gap <= most && rhythm.first <= latest {
            return Outcome::Found(self.tighten(rhythm));
        }
        if Ratio::from_integer(most) < self.bound.interval {
            return Outcome::None(format!("no interval is below {}", self.bound.interval));
        }
        self.is_complete = false;
        let joined = self.after_one(&rhythm);
        let quick = [joined, self.catch_up(&rhythm)].into_iter().flatten();
        let quick = quick.min_by_key(|kept| (kept.interval, kept.max_gap));
        let quick = quick.or_else(|| self.slower(&rhythm));
        match self.all_within(quick) {
            Ok(Some(kept)) => Outcome::Found(self.tighten(kept)),
            Ok(None) => Outcome::Unknown("no schedule within the limits was found".to_owned()),
            Err(reason) => Outcome::None(reason),
        }
    }

    /// By all states that matter within the limits. Why there is no schedule, if so.
    fn all_within(&mut self, best: Option<Rhythm>) -> Result<Option<Rhythm>, String> {
        let Options { max_gap, first, .. } = *self.options;
        let is_best = best.as_ref().is_some_and(|best| best.interval <= self.bound.interval);
        if is_best || self.tool.rules.greedy {
            self.is_complete = is_best;
            return Ok(best);
        }
        let slowest = Ratio::from_integer(max_gap.unwrap_or(self.any_gap()) + 1);
        let pace = best.as_ref().map_or(slowest, |best| best.interval);
        let whole = self.tool.clone();
        let mut within = Within::new(&whole, first, max_gap);
        let mut faster = None;
        self.stop.allow(self.options.effort / 2);
        let mut keep = |lasso: &Lasso| faster = Some(lasso.clone());
        let least = within.least(pace, self.bound.interval, &mut keep, &mut self.stop);
        let is_proof = least.is_ok() && whole.rules == self.plain.rules;
        self.is_complete = least.is_ok();
        let better = faster.and_then(|lasso| {
            let gap = max_gap.unwrap_or(FAR);
            let latest = first.unwrap_or(FAR);
            let settled = Some(settle(&whole, &lasso, gap, latest, &mut self.stop)?);
            self.part = whole.clone();
            let mut rhythm = self.rhythm(&Found { settled, ..Found::early(&whole, lasso) });
            self.prove_first(&mut rhythm);
            Some(rhythm)
        });
        let best = better.or(best);
        match (&best, least) {
            (None, Ok(least)) if is_proof && least.lasso.is_none() => Err(self.none_keeps()),
            (_, Ok(least)) if is_proof => {
                self.conclude(least.pace, within.stored, " within the limits");
                Ok(best)
            }
            _ => Ok(best),
        }
    }

    /// A wafer alone, and once the machine is empty again, the schedule without limits.
    fn after_one(&mut self, free: &Rhythm) -> Option<Rhythm> {
        if self.tool.rules != self.plain.rules {
            return None;
        }
        let scanner = &self.plain.scanner;
        let mut ops = scanner.leisurely()?.ops;
        hasten(scanner, &mut ops, false);
        let shift = ops.iter().map(|op| op.end).max()?;
        ops.extend(free.schedule.ops.iter().map(|op| scanner.op(op.kind, op.start + shift)));
        let Cycle { start, end, wafers } = free.schedule.cycle;
        let cycle = Cycle { start: start + shift, end: end + shift, wafers };
        ops.sort_by_key(|op| op.start);
        let schedule = tidy(scanner, Infinite { ops, cycle }, false);
        let (first, max_gap) = gaps(&schedule);
        let is_within = self.options.first.is_none_or(|latest| first <= latest)
            && self.options.max_gap.is_none_or(|most| max_gap <= most);
        let mut joined = Rhythm { schedule, first, max_gap, ..free.clone() };
        is_within.then(|| {
            self.prove_first(&mut joined);
            joined
        })
    }

    fn none_keeps(&self) -> String {
        let by = self.options.first.map(|first| format!(" its first wafer by {first}"));
        let gap = self.options.max_gap.map(|gap| format!(" every gap at {gap} or less"));
        let both: Vec<String> = by.into_iter().chain(gap).collect();
        format!("no infinite schedule has{}", both.join(" and"))
    }

    /// An early first wafer, then longer gaps until the steady pace is met.
    fn catch_up(&mut self, rhythm: &Rhythm) -> Option<Rhythm> {
        let first = self.options.first.filter(|first| *first < rhythm.first)?;
        let most = self.options.max_gap.unwrap_or(self.any_gap());
        let least = self.least_gap(rhythm.least_gap.value, most, first);
        let mut gap = least;
        let mut step = 1;
        while gap <= most {
            for times in [1, 2, 4, 8, 16] {
                let due = Due::catching_up(rhythm.interval, gap, times * (rhythm.first - first));
                if let Some(found) = self.keep(due, first) {
                    let mut kept = self.rhythm(&found);
                    if least > kept.least_gap.value {
                        kept.least_gap = Least { first: Some(first), ..Least::of(least) };
                    }
                    self.prove_first(&mut kept);
                    return Some(kept);
                }
            }
            gap += step;
            step *= 2;
        }
        None
    }

    /// Below this no gap will do for such a first wafer: proved.
    fn least_gap(&mut self, mut low: i64, most: i64, first: i64) -> i64 {
        let mut high = most;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.may_keep(middle, first) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Every gap as long as allowed: a schedule within the limits, if not of the least interval.
    fn slower(&mut self, rhythm: &Rhythm) -> Option<Rhythm> {
        let gap = self.options.max_gap?;
        let first = self.options.first.unwrap_or(rhythm.first + 8 * gap);
        let found = self.keep(Due::every(gap.into()), first)?;
        let mut kept = self.rhythm(&found);
        self.prove_first(&mut kept);
        Some(kept)
    }

    fn keep(&mut self, due: Due, first: i64) -> Option<Found> {
        self.stop.allow(QUICK);
        let part = self.part.clone();
        let mut beat = Beat::new(&part, due.clone(), true);
        let lasso = beat.search(first, &mut self.stop).ok()??;
        Some(Found::on_beat(&part, lasso, due, first))
    }
}
