//! What the processes, each taken alone, tell of the way from a state to the goal.
//!
//! The functions come from [`Alone`]; here they meet a zone. A line below each of them keeps the
//! sum with the zone's own cost linear, so that its least value is one minimum over the zone:
//! what a process will have to pay from now on counts at once, and not when it is due.

use super::state::State;
use super::zone::Zone;
use crate::dbm::{Bound, Dbm, NoMinimum};
use crate::model::analysis::{Alone, Interval, Line, Measure, Part};
use crate::model::{Formula, Model};

pub struct Forecast {
    alone: Alone,
    rates: Vec<i64>,
}

impl Forecast {
    pub fn new(model: &Model, goal: &Formula, measure: Measure) -> Forecast {
        Forecast { alone: Alone::new(model, goal, measure), rates: Vec::new() }
    }

    /// The least cost at which the goal can be reached through the state, as far as can be told;
    /// `None` if it cannot be reached any more.
    pub fn cost<Z: Zone>(&mut self, state: &State<Z>) -> Option<Result<i64, NoMinimum>> {
        self.rates.clear();
        self.rates.resize(state.zone.dbm().dim(), 0);
        let (mut offset, mut least) = (0i64, 0i64);
        for parts in self.alone.parts.chunk_by(|a, b| a.process == b.process) {
            let of = |part: &Part| Tell::of(part, state);
            let mut best: Option<Tell> = None;
            for part in parts.iter().filter(|part| !is_trivial(part, state)) {
                let tell = of(part)?;
                if best.as_ref().is_none_or(|best| tell.line.0 > best.line.0) {
                    best = Some(tell);
                }
            }
            let Some(Tell { line: (_, line), position, least: smallest }) = best else { continue };
            offset = offset.saturating_add(line.offset);
            least = least.saturating_add(smallest);
            self.rates[position] = self.rates[position].saturating_add(line.slope);
        }
        let sum = match state.zone.least_sum(&self.rates) {
            Ok(sum) => Ok((sum, offset)),
            Err(NoMinimum::Unbounded) => {
                self.rates.fill(0);
                state.zone.least_sum(&self.rates).map(|sum| (sum, least))
            }
            Err(overflow) => Err(overflow),
        };
        Some(sum.and_then(|(sum, more)| sum.checked_add(more).ok_or(NoMinimum::Overflow)))
    }

    /// The least value of the measured clock, which stands at this position and is never reset,
    /// at which the goal can be reached through the state; `None` if it cannot be any more.
    pub fn time<Z: Zone>(&self, state: &State<Z>, measured: usize) -> Option<i64> {
        let dbm = state.zone.dbm();
        let now = range(dbm, measured).0;
        let mut latest = now;
        for part in self.alone.parts.iter().filter(|part| !is_trivial(part, state)) {
            let Tell { line: (_, line), position, least } = Tell::of(part, state)?;
            latest = latest.max(now.saturating_add(least));
            // The longer the clock has run, the shorter the rest, but all the later it is.
            let since = dbm.get(position, measured);
            if line.slope == -1 && since != Z::Bound::INFINITY {
                latest = latest.max(line.offset.saturating_sub(since.value()));
            }
        }
        Some(latest)
    }
}

/// What one part says of one state.
struct Tell {
    /// The value at the clock's smallest, and a line that starts there.
    line: (i64, Line),
    /// The clock's; 0 if it does not matter in this state.
    position: usize,
    least: i64,
}

impl Tell {
    /// `None` if the goal cannot be reached any more.
    fn of<Z: Zone>(part: &Part, state: &State<Z>) -> Option<Tell> {
        let location = state.cells[part.process as usize];
        let position = part.clock.and_then(|clock| state.position(clock)).unwrap_or(0);
        let range = match position {
            0 => (0, i64::MAX),
            position => range(state.zone.dbm(), position),
        };
        let least = part.least(location, range)?;
        let flat = (least, Line { offset: least, slope: 0 });
        let line = match position {
            0 => flat,
            _ => part.line(location, range).map_or(flat, |line| {
                (line.offset.saturating_add(line.slope.saturating_mul(range.0)), line)
            }),
        };
        Some(Tell { line, position, least })
    }
}

fn is_trivial<Z: Zone>(part: &Part, state: &State<Z>) -> bool {
    part.is_trivial(state.cells[part.process as usize])
}

fn range<B: Bound>(dbm: &Dbm<B>, position: usize) -> Interval {
    let upper = dbm.get(position, 0);
    let highest = if upper == B::INFINITY { i64::MAX } else { upper.value() };
    (-dbm.get(0, position).value(), highest)
}
