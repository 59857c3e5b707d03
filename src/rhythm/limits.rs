//! Limits that the user sets: no gap above this, the first wafer by then.

use super::beat::Beat;
use super::due::Due;
use super::machine::total;
use super::solve::{Found, Search};
use super::{Outcome, Rhythm};
use num_rational::Ratio;

impl Search<'_, '_> {
    /// A gap that no schedule needs to exceed: one wafer after the other, each alone.
    fn any_gap(&self) -> i64 {
        16 * total(&self.machine.scanner).unwrap_or(0) + 1
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
        let reason = match self.options.max_gap {
            Some(gap) => format!(
                "no infinite schedule has its first wafer by {first} and no gap above {gap}"
            ),
            None => format!("no infinite schedule has its first wafer by {first}"),
        };
        (!self.may_keep(gap, first)).then_some(reason)
    }

    /// Whether it is not proved that no schedule has such gaps and such a first wafer.
    fn may_keep(&mut self, gap: i64, first: i64) -> bool {
        self.stop.allow(self.options.effort);
        let mut beat = Beat::new(self.plain, Due::every(gap.into()), false);
        !matches!(beat.search(first, &mut self.stop), Ok(None))
    }

    /// The schedule if it keeps the limits, or one that does.
    pub(super) fn within_limits(&mut self, rhythm: Rhythm) -> Outcome {
        let most = self.options.max_gap.unwrap_or(i64::MAX);
        let latest = self.options.first.unwrap_or(i64::MAX);
        if rhythm.max_gap <= most && rhythm.first <= latest {
            return Outcome::Found(rhythm);
        }
        if Ratio::from_integer(most) < self.bound.interval {
            return Outcome::None(format!("no interval is below {}", self.bound.interval));
        }
        let kept = self.catch_up(&rhythm).or_else(|| self.slower(&rhythm));
        kept.map_or_else(
            || Outcome::Unknown("no schedule within the limits was found".to_owned()),
            Outcome::Found,
        )
    }

    /// An early first wafer, then longer gaps until the steady pace is met.
    fn catch_up(&mut self, rhythm: &Rhythm) -> Option<Rhythm> {
        let first = self.options.first.filter(|first| *first < rhythm.first)?;
        let most = self.options.max_gap.unwrap_or(self.any_gap());
        let least = self.least_gap(rhythm.least_gap, most, first);
        let mut gap = least;
        let mut step = 1;
        while gap <= most {
            for times in [1, 2, 4, 8, 16] {
                let due = Due::catching_up(rhythm.interval, gap, times * (rhythm.first - first));
                if let Some(found) = self.keep(due, first) {
                    return Some(self.rhythm(&found, least, first.min(rhythm.least_first)));
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
        Some(self.rhythm(&found, rhythm.least_gap, rhythm.least_first.min(first)))
    }

    fn keep(&mut self, due: Due, first: i64) -> Option<Found> {
        self.stop.allow(self.options.effort);
        let mut beat = Beat::new(self.machine, due.clone(), true);
        let lasso = beat.search(first, &mut self.stop).ok()??;
        Some(Found { lasso, beat: Some((due, first)) })
    }
}
