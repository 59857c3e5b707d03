//! The least time per wafer in the long run of schedules whose gaps and first wafer are limited, by
//! looking at every state that matters.
//!
//! As in `closure`, a label is a configuration and when each component is free, here if everything
//! starts as early as its sequence allows. A gap that is then too long may still be shortened by
//! unloading the wafer before it later, and the one before that. How much later a component is free
//! then takes one more number each: the time from the last unload to it, by what follows from that
//! unload. With the last unload at `v`, a component is free at the later of its early time and `v`
//! plus its number; `v` lies between the early time of that unload and the latest that the limits
//! allow. A longest way through all constraints from the last unload passes through earlier ones by
//! steps of the largest gap backwards, so these numbers follow from those before the unload.
//!
//! A label can do whatever another one of its configuration can, if early times and numbers are not
//! greater and the next unload is not due earlier; or all of it earlier by some time, if that holds
//! once it is shifted by it. The rest of the argument is that of `closure`. Once all components wait
//! for an unload, a later one gains nothing: all that follows is merely shifted. If it may be as late
//! as that, nothing is ever too late again. So finitely many labels differ by more than a common
//! shift.

use super::arrange::Names;
use super::closure::{Lasso, Least, descend};
use super::due::Due;
use super::labels::{Dominance, Labels, NONE, delay, is_covered};
use super::late::Outlook;
use super::safe::Safe;
use super::tool::{Move, Spot, Tool};
use super::{Budget, Stopped};
use num_rational::Ratio;

/// Later than anything.
pub const FAR: i64 = 1 << 44;
/// Where nothing follows from an unload.
const NEVER: i64 = -(1 << 50);

pub struct Within<'a> {
    tool: &'a Tool,
    safe: Safe<'a>,
    outlook: Outlook<'a>,
    first: i64,
    gap: i64,
    due: Due,
    pub stored: u64,
}

/// A label's times: early ones, numbers after the last unload, that unload, when the next is due.
#[derive(Clone)]
struct State {
    early: Spot,
    after: Spot,
    last: i64,
    due: i64,
}

impl<'a> Within<'a> {
    pub fn new(tool: &'a Tool, first: Option<i64>, gap: Option<i64>) -> Within<'a> {
        let (first, gap) = (first.unwrap_or(FAR).min(FAR), gap.unwrap_or(FAR).min(FAR));
        Within {
            tool,
            safe: Safe::new(tool),
            outlook: Outlook::new(tool),
            first,
            gap,
            due: Due::every(gap.into()),
            stored: 0,
        }
    }

    /// From a pace to better ones, until none is faster, or one is as fast as `floor`.
    pub fn least(
        &mut self,
        pace: Ratio<i64>,
        floor: Ratio<i64>,
        found: &mut dyn FnMut(&Lasso),
        stop: &mut Budget,
    ) -> Result<Least, Stopped> {
        descend(pace, floor, found, |pace| self.pass(pace, stop))
    }

    /// A loop that is faster than the pace; `None` if there is none.
    fn pass(&mut self, pace: Ratio<i64>, stop: &mut Budget) -> Result<Option<Lasso>, Stopped> {
        let parts = self.tool.live.len();
        let mut front = Labels::new(self.tool, pace, Lateness { parts }, 2 * parts + 2);
        for (step, spot) in self.tool.starts() {
            let mut after = spot;
            after.free = spot.free.map(|_| NEVER);
            let state = State { early: spot, after, last: 0, due: self.first };
            let (key, numbers) = self.label(&self.arranged(state));
            front.offer(NONE, step, key, &numbers, 0);
        }
        let mut moves = Vec::new();
        while let Some(from) = front.pop() {
            stop.tick()?;
            let state = self.state(front.key(from), front.numbers(from));
            self.tool.moves(&state.early.cells, &mut moves);
            for &step in &moves {
                let Some((next, start)) = self.step(&state, step, front.count(from)) else {
                    continue;
                };
                let (key, numbers) = self.label(&next);
                if let Some(lasso) = front.offer(from, step, key, &numbers, start) {
                    self.stored += front.len();
                    return Ok(Some(lasso));
                }
            }
        }
        self.stored += front.len();
        Ok(None)
    }

    /// What a move leads to, if wafers can still come in time, and its early start.
    fn step(&mut self, state: &State, step: Move, gain: i64) -> Option<(State, i64)> {
        let mut next = state.clone();
        let start;
        if matches!(step, Move::Unload { .. }) {
            start = self.unload(&mut next, step, gain)?;
        } else {
            start = self.tool.apply(&mut next.early, step, i64::MIN);
            self.tool.apply(&mut next.after, step, i64::MIN);
            for &part in &self.tool.live {
                let number = &mut next.after.free[part];
                *number = if *number < NEVER / 2 { NEVER } else { *number };
            }
        }
        if !self.safe.is_safe_after(step, &next.early.cells) {
            return None;
        }
        let mut left = next.early;
        self.tool.live.iter().for_each(|part| left.free[*part] -= next.due);
        if next.due < FAR && self.outlook.lateness(&left, &self.due, 0) > 0 {
            return None;
        }
        Some((self.arranged(next), start))
    }

    fn unload(&self, next: &mut State, step: Move, gain: i64) -> Option<i64> {
        let (live, time) = (&self.tool.live, self.tool.scanner.track.unload);
        let limit = if gain == 0 { self.first } else { self.gap };
        let early = self.tool.apply(&mut next.early.clone(), step, i64::MIN) + time;
        let after = self.tool.apply(&mut next.after.clone(), step, i64::MIN) + time;
        if early > next.due || after > limit {
            return None;
        }
        let pushed = (early - limit).max(next.last);
        for &part in live {
            let free = &mut next.early.free[part];
            *free = (*free).max(next.after.free[part] + pushed);
        }
        let start = self.tool.apply(&mut next.early, step, i64::MIN);
        next.last = start + time;
        if self.gap >= FAR {
            next.due = FAR;
            next.after = Spot { cells: next.early.cells, free: next.after.free.map(|_| NEVER) };
            return Some(start);
        }
        for &part in live {
            let number = &mut next.after.free[part];
            *number = (*number - self.gap).max(NEVER);
        }
        self.tool.apply(&mut next.after, step, -time);
        // An unload for which every component waits anyway gains nothing by being later.
        let waits = live.iter().map(|part| next.early.free[*part] - next.after.free[*part]).max();
        let is_free = waits.is_some_and(|waits| next.due >= waits);
        next.due = if is_free { FAR } else { next.due + self.gap };
        Some(start)
    }

    /// In the order of early times.
    fn arranged(&self, mut state: State) -> State {
        let tool = self.tool;
        let mut names = Names::new(tool);
        tool.arrange(&mut state.early, Some(&mut names));
        let old = state.after.free;
        let free = &mut state.after.free;
        for (to, from) in names.locks.iter().enumerate() {
            free[1 + to] = old[1 + from];
        }
        for (to, from) in names.robots.iter().enumerate() {
            for arm in 0..2 {
                free[tool.arm_part(to) + arm] = old[tool.arm_part(*from) + arm];
            }
        }
        state.after.cells = state.early.cells;
        state
    }

    /// A state as the configuration and the numbers of a label.
    fn label(&self, state: &State) -> (u128, Vec<i64>) {
        let (early, after) = (self.tool.times(&state.early), self.tool.times(&state.after));
        let numbers = early.into_iter().chain(after).chain([state.last, state.due]);
        (self.tool.key(&state.early), numbers.collect())
    }

    fn state(&self, key: u128, numbers: &[i64]) -> State {
        let parts = self.tool.live.len();
        let spot = |from: usize| self.tool.spot(key, &numbers[from..from + parts]);
        State {
            early: spot(0),
            after: spot(parts),
            last: numbers[2 * parts],
            due: numbers[2 * parts + 1],
        }
    }
}

/// The numbers of a label are early times, numbers after the last unload, that unload, and when the
/// next one is due.
struct Lateness {
    parts: usize,
}

impl Lateness {
    fn due(&self, label: &[i64]) -> i64 {
        label[2 * self.parts + 1]
    }

    /// Whether what follows from the last unload is no later in the one.
    fn follows(&self, one: &[i64], other: &[i64]) -> bool {
        let after = self.parts..2 * self.parts;
        is_covered(&one[after.clone()], &other[after], 0)
    }
}

impl Dominance for Lateness {
    /// At the same times, or all of it earlier.
    fn dominates(&self, one: &[i64], other: &[i64], lead: i64) -> bool {
        let shift = lead - delay(&one[..self.parts], &other[..self.parts]);
        let in_time = self.due(one) >= FAR || self.due(one) + shift >= self.due(other) + lead;
        shift >= 0 && in_time && self.follows(one, other)
    }

    fn round(&self, now: &[i64], then: &[i64], count: i64) -> Option<i64> {
        let time = delay(&now[..self.parts], &then[..self.parts]);
        let in_time = self.due(now) >= FAR || self.due(now) >= self.due(then) + time;
        (count > 0 && in_time && self.follows(now, then)).then_some(time)
    }
}
