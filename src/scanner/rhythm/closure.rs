//! The least time per wafer in the long run, by looking at every state that matters.
//!
//! A label is a configuration with the time at which each component is free, and what was counted
//! on the way to it. Whatever can be done from a label can be done from one of equal configuration
//! whose times are not later, at the same times. A pace says what a count is worth in time. At a given
//! pace, set the times of each label back by pace times count: if then another label of its
//! configuration has no later time, the label is not needed.
//!
//! Any schedule can be sorted by starts, and then every operation moved to the left as long as this
//! order stays: so moves are made in the order of their starts, as early as that allows. All times
//! then lie less than the longest operation behind the latest start, and only finitely many labels
//! differ by more than a common shift. If some run counts faster than the pace, on its way a label
//! comes back with less delay than the pace gives: that loop is found and becomes the pace. If none
//! does, finitely many labels stand for all there are; the time of each, set back by pace times
//! count, is bounded from below: no infinite schedule is faster than the pace.

use super::labels::{Dominance, Labels, NONE, delay, is_covered};
use super::safe::Safe;
use super::tool::{Move, Tool};
use super::{Budget, Stopped};
use num_rational::Ratio;

/// Moves, of which those from `from` on can be repeated for ever, each round `time` after the one
/// before it.
#[derive(Clone, Debug)]
pub struct Lasso {
    pub moves: Vec<Move>,
    pub from: usize,
    pub time: i64,
    pub gain: i64,
}

impl Lasso {
    pub fn pace(&self) -> Ratio<i64> {
        Ratio::new(self.time, self.gain)
    }
}

pub struct Closure<'a> {
    tool: &'a Tool,
    safe: Option<Safe<'a>>,
    /// What is under way.
    front: Option<Labels<'a, Freedom>>,
    stored: u64,
}

/// The least pace, and a lasso that has it, if it is less than the pace that was given.
pub struct Least {
    pub pace: Ratio<i64>,
    pub lasso: Option<Lasso>,
}

impl<'a> Closure<'a> {
    pub fn new(tool: &'a Tool, keep_safe: bool) -> Closure<'a> {
        let safe = keep_safe.then(|| Safe::new(tool));
        Closure { tool, safe, front: None, stored: 0 }
    }

    /// How many labels were kept, of all paces.
    pub fn stored(&self) -> u64 {
        self.stored + self.front.as_ref().map_or(0, Labels::len)
    }

    /// From a pace to better ones, until none is faster, or one is as fast as `floor`.
    pub fn least(
        &mut self,
        pace: Ratio<i64>,
        floor: Ratio<i64>,
        found: &mut dyn FnMut(&Lasso),
        stop: &mut Budget,
    ) -> Result<Least, Stopped> {
        descend(pace, floor, found, |pace| self.faster(pace, stop))
    }

    /// A loop that is faster than the pace; `None` if there is none. Where it was ended, it goes on
    /// if it is asked again for the same pace.
    pub fn faster(
        &mut self,
        pace: Ratio<i64>,
        stop: &mut Budget,
    ) -> Result<Option<Lasso>, Stopped> {
        let mut front = match self.front.take() {
            Some(front) if front.pace == pace => front,
            before => {
                self.stored += before.map_or(0, |front| front.len());
                first_labels(self.tool, pace)
            }
        };
        let found = self.advance(&mut front, stop);
        match found {
            Ok(Some(_)) => self.stored += front.len(),
            _ => self.front = Some(front),
        }
        found
    }

    fn advance(
        &mut self,
        front: &mut Labels<'a, Freedom>,
        stop: &mut Budget,
    ) -> Result<Option<Lasso>, Stopped> {
        let mut moves = Vec::new();
        // Room for the times of what is offered.
        let mut times = Vec::new();
        loop {
            stop.tick()?;
            let Some(from) = front.pop() else { return Ok(None) };
            let spot = self.tool.spot(front.key(from), front.numbers(from));
            self.tool.moves(&spot.cells, &mut moves);
            let hurry = self.safe.as_mut().map_or(i64::MAX, |safe| self.tool.hurry(&spot, safe));
            for &step in &moves {
                let mut spot = spot;
                let start = self.tool.apply(&mut spot, step, i64::MIN);
                let safe = self.safe.as_mut();
                if start > hurry || safe.is_some_and(|safe| !safe.is_safe_after(step, &spot.cells))
                {
                    continue;
                }
                self.tool.arrange(&mut spot, None);
                times.clear();
                times.extend(self.tool.live.iter().map(|part| spot.free[*part]));
                let key = self.tool.key(&spot);
                if let Some(lasso) = front.offer(from, step, key, &times, start) {
                    return Ok(Some(lasso));
                }
            }
        }
    }
}

/// From a pace to better ones, until none is faster, or one is as fast as `floor`.
pub fn descend(
    mut pace: Ratio<i64>,
    floor: Ratio<i64>,
    found: &mut dyn FnMut(&Lasso),
    mut faster: impl FnMut(Ratio<i64>) -> Result<Option<Lasso>, Stopped>,
) -> Result<Least, Stopped> {
    let mut lasso = None;
    while let Some(better) = faster(pace)? {
        pace = better.pace();
        found(&better);
        lasso = Some(better);
        if pace <= floor {
            break;
        }
    }
    Ok(Least { pace, lasso })
}

/// The numbers of a label are the times at which its components are free.
struct Freedom;

impl Dominance for Freedom {
    fn dominates(&self, one: &[i64], other: &[i64], lead: i64) -> bool {
        is_covered(one, other, lead)
    }

    fn round(&self, now: &[i64], then: &[i64], _: i64) -> Option<i64> {
        Some(delay(now, then))
    }
}

fn first_labels(tool: &Tool, pace: Ratio<i64>) -> Labels<'_, Freedom> {
    let mut front = Labels::new(tool, pace, Freedom, tool.live.len());
    for (step, mut spot) in tool.starts() {
        tool.arrange(&mut spot, None);
        front.offer(NONE, step, tool.key(&spot), &tool.times(&spot), 0);
    }
    front
}
