//! What the processes, each taken alone, tell of the way from a state to the goal.
//!
//! The functions come from [`Alone`]; here they meet a zone. A line below each of them keeps the
//! sum with the zone's own cost linear, so that its least value is one minimum over the zone:
//! what a process will have to pay from now on counts at once, and not when it is due.

use super::state::State;
use super::zone::Zone;
use crate::dbm::{Bound, Dbm, NoMinimum};
use crate::model::analysis::{Affine, Alone, Interval, Measure, ProcessBound, Ranges, steady_rate};
use crate::model::{Formula, Model};

pub struct Projection {
    alone: Alone,
    steady: Option<Steady>,
    rates: Vec<i64>,
}

/// Where every instant has its price, the time that is needed has one too.
struct Steady {
    /// What all processes together pay per unit of time, wherever they are.
    rate: i64,
    /// What they pay beside that.
    extra: Alone,
    time: Alone,
}

/// A sum of lines, whose slopes are in [`Projection::rates`], and of their least values.
#[derive(Clone, Copy, Default)]
struct Sum {
    offset: i64,
    least: i64,
}

impl Projection {
    /// Of the time until the formula can hold. Once `is_over`, it may say less.
    pub fn of_time(model: &Model, goal: &Formula, is_over: &mut dyn FnMut() -> bool) -> Projection {
        let alone = Alone::new(&Ranges::inferred(model), goal, Measure::Time, is_over);
        Projection { alone, steady: None, rates: Vec::new() }
    }

    /// Of the cost until the formula can hold. Once `is_over`, it may say less.
    pub fn of_cost(model: &Model, goal: &Formula, is_over: &mut dyn FnMut() -> bool) -> Projection {
        let ranges = &Ranges::inferred(model);
        let mut alone = |measure| Alone::new(ranges, goal, measure, is_over);
        let rate = steady_rate(ranges);
        let steady = (rate > 0).then(|| Steady {
            rate,
            extra: alone(Measure::Extra),
            time: alone(Measure::Time),
        });
        Projection { alone: alone(Measure::Cost), steady, rates: Vec::new() }
    }

    /// The least cost at which the goal can be reached through the state, as far as can be told;
    /// `None` if it cannot be reached any more.
    pub fn cost<Z: Zone>(&mut self, state: &State<Z>) -> Option<Result<i64, NoMinimum>> {
        let Projection { alone, steady, rates } = self;
        let start = |rates: &mut Vec<i64>| {
            rates.clear();
            rates.resize(state.zone.dbm().dim(), 0);
        };
        start(rates);
        let sum = add_up(alone, state, rates)?;
        let found = least(sum, state, rates);
        let Some(steady) = steady else { return Some(found) };
        start(rates);
        let mut sum = add_up(&steady.extra, state, rates)?;
        let times = steady.time.parts.iter().filter(|part| !is_trivial(part, state));
        let mut longest: Option<Tell> = None;
        for part in times {
            let tell = Tell::of(part, state)?;
            if longest.as_ref().is_none_or(|longest| tell.line.0 > longest.line.0) {
                longest = Some(tell);
            }
        }
        longest.into_iter().for_each(|tell| sum.add(&tell, steady.rate, rates));
        let with_time = least(sum, state, rates);
        Some(found.and_then(|found| Ok(found.max(with_time?))))
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

/// For each process the part that says most.
fn add_up<Z: Zone>(alone: &Alone, state: &State<Z>, rates: &mut [i64]) -> Option<Sum> {
    let mut sum = Sum::default();
    for parts in alone.parts.chunk_by(|a, b| a.process == b.process) {
        let mut best: Option<Tell> = None;
        for part in parts.iter().filter(|part| !is_trivial(part, state)) {
            let tell = Tell::of(part, state)?;
            if best.as_ref().is_none_or(|best| tell.line.0 > best.line.0) {
                best = Some(tell);
            }
        }
        best.into_iter().for_each(|tell| sum.add(&tell, 1, rates));
    }
    Some(sum)
}

/// The least of the zone's cost and the lines together.
fn least<Z: Zone>(sum: Sum, state: &State<Z>, rates: &mut [i64]) -> Result<i64, NoMinimum> {
    let (cost, more) = match state.zone.least_sum(rates) {
        Err(NoMinimum::Unbounded) => {
            rates.fill(0);
            (state.zone.least_sum(rates)?, sum.least)
        }
        cost => (cost?, sum.offset),
    };
    cost.checked_add(more).ok_or(NoMinimum::Overflow)
}

impl Sum {
    fn add(&mut self, tell: &Tell, times: i64, rates: &mut [i64]) {
        let Tell { line: (_, line), position, least } = tell;
        self.offset = self.offset.saturating_add(line.offset.saturating_mul(times));
        self.least = self.least.saturating_add(least.saturating_mul(times));
        rates[*position] = rates[*position].saturating_add(line.slope.saturating_mul(times));
    }
}

/// What one part says of one state.
struct Tell {
    /// The value at the clock's smallest, and a line that starts there.
    line: (i64, Affine),
    /// The clock's; 0 if it does not matter in this state.
    position: usize,
    least: i64,
}

impl Tell {
    /// `None` if the goal cannot be reached any more.
    fn of<Z: Zone>(part: &ProcessBound, state: &State<Z>) -> Option<Tell> {
        let location = state.cells[part.process];
        let position = part.clock.and_then(|clock| state.position(clock)).unwrap_or(0);
        let range = match position {
            0 => (0, i64::MAX),
            position => range(state.zone.dbm(), position),
        };
        let least = part.least(location, range)?;
        let flat = (least, Affine { offset: least, slope: 0 });
        let line = match position {
            0 => flat,
            _ => part.line(location, range).map_or(flat, |line| {
                (line.offset.saturating_add(line.slope.saturating_mul(range.0)), line)
            }),
        };
        Some(Tell { line, position, least })
    }
}

fn is_trivial<Z: Zone>(part: &ProcessBound, state: &State<Z>) -> bool {
    part.is_trivial(state.cells[part.process])
}

fn range<B: Bound>(dbm: &Dbm<B>, position: usize) -> Interval {
    let upper = dbm.get(position, 0);
    let highest = if upper == B::INFINITY { i64::MAX } else { upper.value() };
    (-dbm.get(0, position).value(), highest)
}
