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
//! once it is shifted by it. The rest of the argument is that of `closure`. An unload never has to
//! be later than so that all components wait for it, since then all that follows is as it would
//! be anyway; if it may, nothing is ever too late again. So finitely many labels differ by more than
//! a common shift.

use super::arrange::Names;
use super::closure::{Lasso, Least, lead};
use super::due::Due;
use super::late::Outlook;
use super::machine::{Machine, Move, Spot};
use super::safe::Safe;
use super::{Stop, Stopped};
use hashbrown::HashMap;
use num_rational::Ratio;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Later than anything.
pub const FAR: i64 = 1 << 44;
/// Where nothing follows from an unload.
const NEVER: i64 = -(1 << 50);
const NONE: u32 = u32::MAX;

pub struct Within<'a> {
    machine: &'a Machine,
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
    pub fn new(machine: &'a Machine, first: Option<i64>, gap: Option<i64>) -> Within<'a> {
        let (first, gap) = (first.unwrap_or(FAR).min(FAR), gap.unwrap_or(FAR).min(FAR));
        Within {
            machine,
            safe: Safe::new(machine),
            outlook: Outlook::new(machine),
            first,
            gap,
            due: Due::every(gap.into()),
            stored: 0,
        }
    }

    /// From a pace to better ones, until none is faster, or one is as fast as `floor`.
    pub fn least(
        &mut self,
        mut pace: Ratio<i64>,
        floor: Ratio<i64>,
        found: &mut dyn FnMut(&Lasso),
        stop: &mut Stop,
    ) -> Result<Least, Stopped> {
        let mut lasso = None;
        while let Some(faster) = self.pass(pace, stop)? {
            pace = faster.pace();
            found(&faster);
            lasso = Some(faster);
            if pace <= floor {
                break;
            }
        }
        Ok(Least { pace, lasso })
    }

    /// A loop that is faster than the pace; `None` if there is none.
    fn pass(&mut self, pace: Ratio<i64>, stop: &mut Stop) -> Result<Option<Lasso>, Stopped> {
        let mut front = Front::new(self.machine, pace);
        for (step, spot) in self.machine.starts() {
            let mut after = spot;
            after.free = spot.free.map(|_| NEVER);
            let state = State { early: spot, after, last: 0, due: self.first };
            front.offer(&self.arranged(state), NONE, step, 0);
        }
        let mut moves = Vec::new();
        while let Some(from) = front.pop() {
            stop.tick()?;
            let state = front.state(from);
            self.machine.moves(&state.early.cells, &mut moves);
            for &step in &moves {
                let Some((next, start)) = self.step(&state, step, front.labels[from as usize].gain)
                else {
                    continue;
                };
                if let Some(lasso) = front.offer(&next, from, step, start) {
                    self.stored += front.labels.len() as u64;
                    return Ok(Some(lasso));
                }
            }
        }
        self.stored += front.labels.len() as u64;
        Ok(None)
    }

    /// What a move leads to, if wafers can still come in time, and its early start.
    fn step(&mut self, state: &State, step: Move, gain: i64) -> Option<(State, i64)> {
        let mut next = state.clone();
        let start;
        if matches!(step, Move::Unload { .. }) {
            start = self.unload(&mut next, step, gain)?;
        } else {
            start = self.machine.apply(&mut next.early, step, i64::MIN);
            self.machine.apply(&mut next.after, step, i64::MIN);
            for &part in &self.machine.live {
                let number = &mut next.after.free[part];
                *number = if *number < NEVER / 2 { NEVER } else { *number };
            }
        }
        if !self.safe.is_safe_after(step, &next.early.cells) {
            return None;
        }
        let mut left = next.early;
        self.machine.live.iter().for_each(|part| left.free[*part] -= next.due);
        if next.due < FAR && self.outlook.lateness(&left, &self.due, 0) > 0 {
            return None;
        }
        Some((self.arranged(next), start))
    }

    fn unload(&self, next: &mut State, step: Move, gain: i64) -> Option<i64> {
        let (live, time) = (&self.machine.live, self.machine.scanner.track.unload);
        let limit = if gain == 0 { self.first } else { self.gap };
        let early = self.machine.apply(&mut next.early.clone(), step, i64::MIN) + time;
        let after = self.machine.apply(&mut next.after.clone(), step, i64::MIN) + time;
        if early > next.due || after > limit {
            return None;
        }
        let pushed = (early - limit).max(next.last);
        for &part in live {
            let free = &mut next.early.free[part];
            *free = (*free).max(next.after.free[part] + pushed);
        }
        let start = self.machine.apply(&mut next.early, step, i64::MIN);
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
        self.machine.apply(&mut next.after, step, -time);
        // Later than so that everything waits for it, it never has to be.
        let waits = live.iter().map(|part| next.early.free[*part] - next.after.free[*part]).max();
        let is_free = waits.is_some_and(|waits| next.due >= waits);
        next.due = if is_free { FAR } else { next.due + self.gap };
        Some(start)
    }

    /// In the order of early times.
    fn arranged(&self, mut state: State) -> State {
        let machine = self.machine;
        let mut names = Names::new(machine);
        machine.arrange(&mut state.early, Some(&mut names));
        let old = state.after.free;
        let free = &mut state.after.free;
        for (to, from) in names.locks.iter().enumerate() {
            free[1 + to] = old[1 + from];
        }
        for (to, from) in names.robots.iter().enumerate() {
            for arm in 0..2 {
                free[machine.arm_part(to) + arm] = old[machine.arm_part(*from) + arm];
            }
        }
        state.after.cells = state.early.cells;
        state
    }
}

struct Label {
    key: u128,
    gain: i64,
    parent: u32,
    counted: u32,
    step: Move,
    dropped: bool,
    last: i64,
    due: i64,
}

/// The labels of one pass: of each configuration those that no other one makes needless.
struct Front<'a> {
    machine: &'a Machine,
    pace: Ratio<i64>,
    labels: Vec<Label>,
    /// Early times and numbers.
    times: Vec<i64>,
    best: HashMap<u128, Vec<u32>>,
    waiting: BinaryHeap<Reverse<(i64, u32)>>,
}

impl<'a> Front<'a> {
    fn new(machine: &'a Machine, pace: Ratio<i64>) -> Front<'a> {
        let (labels, times) = (Vec::new(), Vec::new());
        Front { machine, pace, labels, times, best: HashMap::new(), waiting: BinaryHeap::new() }
    }

    fn pop(&mut self) -> Option<u32> {
        loop {
            let Reverse((_, label)) = self.waiting.pop()?;
            if !self.labels[label as usize].dropped {
                return Some(label);
            }
        }
    }

    fn times(&self, label: u32) -> (&[i64], &[i64]) {
        let parts = self.machine.live.len();
        self.times[2 * parts * label as usize..][..2 * parts].split_at(parts)
    }

    fn state(&self, label: u32) -> State {
        let (early, after) = self.times(label);
        let Label { key, last, due, .. } = self.labels[label as usize];
        let (early, after) = (self.machine.spot(key, early), self.machine.spot(key, after));
        State { early, after, last, due }
    }

    /// Takes what a move leads to, unless a label is as good; gives a loop that is faster than the
    /// pace, if it closes one.
    fn offer(&mut self, state: &State, from: u32, step: Move, start: i64) -> Option<Lasso> {
        let key = self.machine.key(&state.early);
        let early = self.machine.times(&state.early);
        let after = self.machine.times(&state.after);
        let gained = self.machine.gain(step);
        let gain = gained + if from == NONE { 0 } else { self.labels[from as usize].gain };
        let mut here = self.best.remove(&key).unwrap_or_default();
        let is_needless = here.iter().any(|&label| {
            let lead = lead(self.pace, self.labels[label as usize].gain - gain);
            self.is_as_good(self.side(label), (&early, &after, state.due), lead)
        });
        let lasso = if gained > 0 && !is_needless {
            self.loop_to(from, step, (key, gain), (&early, &after, state.due))
        } else {
            None
        };
        if is_needless || lasso.is_some() {
            self.best.insert(key, here);
            return lasso;
        }
        here.retain(|&label| {
            let lead = lead(self.pace, gain - self.labels[label as usize].gain);
            let worse = self.is_as_good((&early, &after, state.due), self.side(label), lead);
            self.labels[label as usize].dropped |= worse;
            !worse
        });
        let label = u32::try_from(self.labels.len()).expect("fewer labels than memory holds");
        let counts = from == NONE || gained > 0;
        let counted = if counts { label } else { self.labels[from as usize].counted };
        let (last, due) = (state.last, state.due);
        let (parent, dropped) = (from, false);
        self.labels.push(Label { key, gain, parent, counted, step, dropped, last, due });
        self.times.extend(early.into_iter().chain(after));
        here.push(label);
        self.best.insert(key, here);
        self.waiting.push(Reverse((start, label)));
        None
    }

    fn side(&self, label: u32) -> Side<'_> {
        let (early, after) = self.times(label);
        (early, after, self.labels[label as usize].due)
    }

    /// Whether the one can do what the other can, at the same times or all of it earlier.
    fn is_as_good(&self, one: Side, other: Side, lead: i64) -> bool {
        let leads = one.0.iter().zip(other.0).map(|(one, other)| *other + lead - *one);
        let shift = leads.min().unwrap_or(0);
        let in_time = one.2 >= FAR || one.2 + shift >= other.2 + lead;
        shift >= 0 && in_time && follows(one, other)
    }

    /// The fastest loop from a label on the way to `from`, by one more move.
    fn loop_to(&self, from: u32, step: Move, (key, gain): (u128, i64), now: Side) -> Option<Lasso> {
        let mut best: Option<(Ratio<i64>, u32, i64)> = None;
        let mut back = self.labels[from as usize].counted;
        while back != NONE {
            let label = &self.labels[back as usize];
            if label.key == key && label.gain > 0 {
                let then = self.side(back);
                let time = now.0.iter().zip(then.0).map(|(now, then)| now - then).max();
                let time = time.unwrap_or(0);
                let pace = Ratio::new(time, gain - label.gain);
                let repeats = follows(now, then) && (now.2 >= FAR || now.2 >= then.2 + time);
                if repeats && pace < self.pace && best.is_none_or(|(least, ..)| pace < least) {
                    best = Some((pace, back, time));
                }
            }
            let parent = label.parent;
            back = if parent == NONE { NONE } else { self.labels[parent as usize].counted };
        }
        let (_, back, time) = best?;
        let mut moves = self.way_to(from);
        moves.push(step);
        let round = gain - self.labels[back as usize].gain;
        Some(Lasso { from: self.way_to(back).len(), moves, time, gain: round })
    }

    fn way_to(&self, label: u32) -> Vec<Move> {
        let mut way = Vec::new();
        let mut back = label;
        while back != NONE {
            way.push(self.labels[back as usize].step);
            back = self.labels[back as usize].parent;
        }
        way.reverse();
        way
    }
}

/// Early times, numbers after the last unload, when the next one is due.
type Side<'a> = (&'a [i64], &'a [i64], i64);

fn follows(one: Side, other: Side) -> bool {
    one.1.iter().zip(other.1).all(|(one, other)| one <= other)
}
