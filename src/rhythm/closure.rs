//! The least time per wafer in the long run, by looking at every state that matters.
//!
//! A label is a configuration with the time at which each component is free, and what was counted
//! on the way to it. Whatever can be done from a label can be done from one of equal configuration
//! whose times are not later, at the same times. Given a pace, a label is not needed if another one
//! of its configuration is at least as good after both times are set back by pace times count: the
//! lead of the one over the other is worth at least what it has counted less.
//!
//! Any schedule can be sorted by starts, and then every operation moved to the left as long as this
//! order stays: so moves are made in the order of their starts, as early as that allows. All times
//! then lie less than the longest operation behind the latest start, and only finitely many labels
//! differ by more than a common shift. If some run counts faster than the pace, on its way a label
//! comes back with less delay than the pace gives: that loop is found and becomes the pace. If none
//! does, finitely many labels stand for all there are; the time of each, set back by pace times
//! count, is bounded from below: no infinite schedule is faster than the pace.

use super::labels::{Labels, NONE, is_covered};
use super::machine::{Machine, Move, Spot};
use super::safe::Safe;
use super::{Stop, Stopped};
use hashbrown::HashMap;
use num_rational::Ratio;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
    machine: &'a Machine,
    safe: Option<Safe<'a>>,
    /// What is under way.
    front: Option<Front<'a>>,
    stored: u64,
}

/// The least pace, and a lasso that has it, if it is less than the pace that was given.
pub struct Least {
    pub pace: Ratio<i64>,
    pub lasso: Option<Lasso>,
}

impl<'a> Closure<'a> {
    pub fn new(machine: &'a Machine, keep_safe: bool) -> Closure<'a> {
        let safe = keep_safe.then(|| Safe::new(machine));
        Closure { machine, safe, front: None, stored: 0 }
    }

    /// How many labels were kept, of all paces.
    pub fn stored(&self) -> u64 {
        self.stored + self.front.as_ref().map_or(0, |front| front.labels.len() as u64)
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
        while let Some(faster) = self.faster(pace, stop)? {
            pace = faster.pace();
            found(&faster);
            lasso = Some(faster);
            if pace <= floor {
                break;
            }
        }
        Ok(Least { pace, lasso })
    }

    /// A loop that is faster than the pace; `None` if there is none. Where it was ended, it goes on
    /// if it is asked again for the same pace.
    pub fn faster(&mut self, pace: Ratio<i64>, stop: &mut Stop) -> Result<Option<Lasso>, Stopped> {
        let mut front = match self.front.take() {
            Some(front) if front.pace == pace => front,
            before => {
                self.stored += before.map_or(0, |front| front.labels.len() as u64);
                Front::new(self.machine, pace)
            }
        };
        let found = self.advance(&mut front, stop);
        match found {
            Ok(Some(_)) => self.stored += front.labels.len() as u64,
            _ => self.front = Some(front),
        }
        found
    }

    fn advance(&mut self, front: &mut Front, stop: &mut Stop) -> Result<Option<Lasso>, Stopped> {
        let mut moves = Vec::new();
        while !front.waiting.is_empty() {
            stop.tick()?;
            let Some(from) = front.pop() else { break };
            let spot = self.machine.spot(front.labels.key(from), front.labels.times(from));
            self.machine.moves(&spot.cells, &mut moves);
            let hurry = self.safe.as_mut().map_or(i64::MAX, |safe| self.machine.hurry(&spot, safe));
            for &step in &moves {
                let mut spot = spot;
                let start = self.machine.apply(&mut spot, step, i64::MIN);
                let safe = self.safe.as_mut();
                if start > hurry || safe.is_some_and(|safe| !safe.is_safe_after(step, &spot.cells))
                {
                    continue;
                }
                self.machine.arrange(&mut spot, None);
                if let Some(lasso) = front.offer(from, step, &spot, start) {
                    return Ok(Some(lasso));
                }
            }
        }
        Ok(None)
    }
}

/// The labels of one pass: of each configuration those that no other one makes needless.
struct Front<'a> {
    machine: &'a Machine,
    pace: Ratio<i64>,
    labels: Labels,
    best: HashMap<u128, Vec<u32>>,
    /// By the start of the move that led there.
    waiting: BinaryHeap<Reverse<(i64, u32)>>,
    /// Room for the times of what is offered.
    room: Vec<i64>,
}

impl<'a> Front<'a> {
    fn new(machine: &'a Machine, pace: Ratio<i64>) -> Front<'a> {
        let labels = Labels::new(machine.live.len());
        let (best, waiting, room) = (HashMap::new(), BinaryHeap::new(), Vec::new());
        let mut front = Front { machine, pace, labels, best, waiting, room };
        for (step, mut spot) in machine.starts() {
            machine.arrange(&mut spot, None);
            front.keep(machine.key(&spot), &machine.times(&spot), 0, NONE, step, 0);
        }
        front
    }

    fn pop(&mut self) -> Option<u32> {
        loop {
            let Reverse((_, label)) = self.waiting.pop()?;
            if !self.labels.is_dropped(label) {
                return Some(label);
            }
        }
    }

    fn keep(&mut self, key: u128, times: &[i64], gain: i64, from: u32, step: Move, start: i64) {
        let counted = from == NONE || self.machine.gain(step) > 0;
        let label = self.labels.push(key, times, gain, from, step, counted);
        self.best.entry(key).or_default().push(label);
        self.waiting.push(Reverse((start, label)));
    }

    /// Takes what a move leads to, unless a label is as good; gives a loop that is faster than the
    /// pace, if it closes one.
    fn offer(&mut self, from: u32, step: Move, spot: &Spot, start: i64) -> Option<Lasso> {
        let mut times = std::mem::take(&mut self.room);
        times.clear();
        times.extend(self.machine.live.iter().map(|part| spot.free[*part]));
        let lasso = self.take(from, step, self.machine.key(spot), &times, start);
        self.room = times;
        lasso
    }

    fn take(
        &mut self,
        from: u32,
        step: Move,
        key: u128,
        times: &[i64],
        start: i64,
    ) -> Option<Lasso> {
        let gained = self.machine.gain(step);
        let gain = self.labels.gain(from) + gained;
        let (pace, labels) = (self.pace, &mut self.labels);
        let here = self.best.entry(key).or_default();
        let covers = |label: &u32| {
            is_covered(labels.times(*label), times, lead(pace, labels.gain(*label) - gain))
        };
        if here.iter().any(covers) {
            return None;
        }
        if gained > 0
            && let Some(lasso) = labels.loop_to(from, step, key, times, gain, pace)
        {
            return Some(lasso);
        }
        here.retain(|&label| {
            let lead = lead(pace, gain - labels.gain(label));
            let is_needless = is_covered(times, labels.times(label), lead);
            if is_needless {
                labels.drop(label);
            }
            !is_needless
        });
        self.keep(key, times, gain, from, step, start);
        None
    }
}

/// What a difference in count is worth in time, rounded down: times are whole.
pub fn lead(pace: Ratio<i64>, count: i64) -> i64 {
    const FAR: i64 = 1 << 60;
    // Wide numbers take long to divide, and hardly any need to be.
    match pace.numer().checked_mul(count) {
        Some(exact) => exact.div_euclid(*pace.denom()).clamp(-FAR, FAR),
        None => {
            let exact = i128::from(*pace.numer()) * i128::from(count);
            exact.div_euclid(i128::from(*pace.denom())).clamp(-(1 << 60), 1 << 60) as i64
        }
    }
}
