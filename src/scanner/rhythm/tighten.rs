//! A given interval with smaller gaps, then with an earlier first wafer: each found or refuted by
//! looking at every state that matters, as long as these are few.

use super::settle::settle;
use super::solve::{Found, Search};
use super::tool::Tool;
use super::within::{FAR, Within};
use super::{Least, Rhythm, Stopped};
use num_rational::Ratio;
use std::rc::Rc;

/// The states that one such search may look at, and one that is cut by heuristics.
const EFFORT: u64 = 300_000;
const CUT: u64 = EFFORT / 4;

impl Search<'_, '_> {
    pub(super) fn tighten(&mut self, rhythm: Rhythm) -> Rhythm {
        if self.tool.rules.greedy {
            return rhythm;
        }
        let rhythm = self.smaller_gap(rhythm);
        self.earlier(rhythm)
    }

    fn smaller_gap(&mut self, mut best: Rhythm) -> Rhythm {
        let (interval, first) = (best.interval, self.options.first);
        let (mut low, known) = (best.least_gap.value, best.least_gap);
        let mut least_gap = known;
        let mut middle = low;
        while low < best.max_gap {
            match self.kept(interval, middle, first) {
                Ok(Some(rhythm)) => best = rhythm,
                Ok(None) => {
                    low = middle + 1;
                    least_gap = Least { interval: Some(interval), first, ..Least::of(low) };
                }
                Err(_) => break,
            }
            middle = low + (best.max_gap - low) / 2;
        }
        best.least_gap = least_gap;
        if best.least_first.max_gap != Some(best.max_gap) {
            self.prove_first(&mut best);
        }
        best
    }

    fn earlier(&mut self, mut best: Rhythm) -> Rhythm {
        let (interval, max_gap, least_gap) = (best.interval, best.max_gap, best.least_gap);
        let (mut low, mut least_first) = (best.least_first.value, best.least_first);
        let mut middle = low;
        while low < best.first {
            match self.kept(interval, max_gap, Some(middle)) {
                Ok(Some(rhythm)) if rhythm.max_gap == max_gap => best = rhythm,
                Ok(Some(_)) | Err(_) => break,
                Ok(None) => {
                    low = middle + 1;
                    least_first = Least {
                        interval: Some(interval),
                        max_gap: Some(max_gap),
                        ..Least::of(low)
                    };
                }
            }
            middle = low + (best.first - low) / 2;
        }
        Rhythm { least_gap, least_first, ..best }
    }

    /// A schedule of this interval that keeps the limits; `None` if it is proved that there is none.
    /// Where it takes too long to look at every state, heuristics cut some.
    fn kept(
        &mut self,
        interval: Ratio<i64>,
        gap: i64,
        first: Option<i64>,
    ) -> Result<Option<Rhythm>, Stopped> {
        for (number, tool) in self.part.cut_further().iter().enumerate() {
            self.stop.allow(if number == 0 { EFFORT } else { CUT });
            match self.kept_by(tool, interval, gap, first) {
                Err(Stopped::Told) => return Err(Stopped::Told),
                Ok(None) if self.is_whole(tool) => return Ok(None),
                Ok(Some(rhythm)) => return Ok(Some(rhythm)),
                Ok(None) | Err(Stopped::Tired) => {}
            }
        }
        Err(Stopped::Tired)
    }

    fn kept_by(
        &mut self,
        tool: &Rc<Tool>,
        interval: Ratio<i64>,
        gap: i64,
        first: Option<i64>,
    ) -> Result<Option<Rhythm>, Stopped> {
        let mut within = Within::new(tool, first, Some(gap));
        // Loops are found that are faster than a pace.
        let pace = interval + Ratio::new(1, 4096);
        let least = within.least(pace, interval, &mut |_| {}, &mut self.stop)?;
        let Some(lasso) = least.lasso.filter(|lasso| lasso.pace() <= interval) else {
            return Ok(None);
        };
        let settled = settle(tool, &lasso, gap, first.unwrap_or(FAR), &mut self.stop);
        let settled = Some(settled.ok_or(Stopped::Tired)?);
        let rhythm = self.rhythm(&Found { settled, ..Found::early(tool, lasso) });
        let keeps = rhythm.max_gap <= gap && first.is_none_or(|first| rhythm.first <= first);
        if keeps { Ok(Some(rhythm)) } else { Err(Stopped::Tired) }
    }

    /// Whether what is not found does not exist: nothing is cut, and nothing left out.
    fn is_whole(&self, tool: &Tool) -> bool {
        tool.rules == self.plain.rules && tool.idle == self.plain.idle
    }
}
