//! Which named units holds may keep, where the schedule leaves that open.
//!
//! Steps fix their units, so this is the extension of a partial colouring of intervals: hard in
//! general, easy in plants. The search tries the tightest gap first and goes back where it is stuck,
//! up to a limit; beyond it the hold counts as impossible, and rows that name its units decide.

use super::capacity::Use;
use std::collections::BTreeMap;

const PATIENCE: usize = 50_000;

/// The busy times of a unit, by start; they do not overlap.
type Busy = BTreeMap<i64, i64>;

/// Finds units for all that is left open, or else names a use for which there is none. The uses are
/// sorted by start, and those units that are known do not overlap. `takes` says which unit may be taken for
/// which use.
pub fn assign(
    uses: &[Use],
    units: usize,
    takes: &dyn Fn(usize, usize) -> bool,
) -> Result<(), usize> {
    let mut busy: Vec<Busy> = vec![Busy::new(); units];
    for taken in uses {
        for &unit in &taken.units {
            busy[unit].insert(taken.start, taken.end);
        }
    }
    let missing =
        |(k, taken): (usize, &Use)| vec![k; taken.amount.saturating_sub(taken.units.len())];
    let demands: Vec<usize> =
        uses.iter().enumerate().filter(|(_, u)| u.is_hold).flat_map(missing).collect();
    let mut choices: Vec<Choice> = Vec::new();
    let mut furthest = 0;
    for _ in 0..PATIENCE + 2 * demands.len() {
        let Some(&demand) = demands.get(choices.len()) else { return Ok(()) };
        furthest = furthest.max(choices.len());
        let (start, end) = (uses[demand].start, uses[demand].end);
        let mut units = tightest(&busy, start, end);
        units.retain(|&unit| takes(demand, unit));
        choices.push(Choice { start, end, units, tried: None });
        // Back to the last choice that has another unit.
        while let Some(choice) = choices.last_mut() {
            if choice.next(&mut busy) {
                break;
            }
            choices.pop();
        }
        if choices.is_empty() {
            break;
        }
    }
    demands.get(furthest).map_or(Ok(()), |&demand| Err(demand))
}

struct Choice {
    start: i64,
    end: i64,
    /// The best one last.
    units: Vec<usize>,
    tried: Option<usize>,
}

impl Choice {
    /// Gives back the unit tried before and takes the next one, if there is any.
    fn next(&mut self, busy: &mut [Busy]) -> bool {
        if let Some(unit) = self.tried.take() {
            busy[unit].remove(&self.start);
        }
        self.tried = self.units.pop();
        if let Some(unit) = self.tried {
            busy[unit].insert(self.start, self.end);
        }
        self.tried.is_some()
    }
}

/// The units that are free throughout, that with the smallest gap last.
fn tightest(busy: &[Busy], start: i64, end: i64) -> Vec<usize> {
    let mut free: Vec<(i64, usize)> = Vec::new();
    for (unit, busy) in busy.iter().enumerate() {
        let before = busy.range(..=start).next_back().map_or(i64::MIN, |(_, &end)| end);
        let after = busy.range(start..).next().map_or(i64::MAX, |(&start, _)| start);
        if before <= start && after >= end {
            free.push((after.saturating_sub(before), unit));
        }
    }
    free.sort_unstable_by(|a, b| b.cmp(a));
    free.into_iter().map(|(_, unit)| unit).collect()
}
