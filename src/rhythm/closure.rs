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
use super::machine::{Machine, Move};
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

enum Pass {
    Faster(Lasso),
    /// No schedule is faster than the pace.
    Closed,
}

pub struct Closure<'a> {
    machine: &'a Machine,
    safe: Option<Safe<'a>>,
    pub stored: u64,
}

/// The least pace, and a lasso that has it, if it is less than the pace that was given.
pub struct Least {
    pub pace: Ratio<i64>,
    pub lasso: Option<Lasso>,
}

impl<'a> Closure<'a> {
    pub fn new(machine: &'a Machine, keep_safe: bool) -> Closure<'a> {
        Closure { machine, safe: keep_safe.then(|| Safe::new(machine)), stored: 0 }
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
        while let Pass::Faster(faster) = self.pass(pace, stop)? {
            pace = faster.pace();
            found(&faster);
            lasso = Some(faster);
            if pace <= floor {
                break;
            }
        }
        Ok(Least { pace, lasso })
    }

    fn pass(&mut self, pace: Ratio<i64>, stop: &mut Stop) -> Result<Pass, Stopped> {
        let mut labels = Labels::new(self.machine.live.len());
        let mut waiting = BinaryHeap::new();
        let mut at: HashMap<u128, Vec<u32>> = HashMap::new();
        for (step, mut spot) in self.machine.starts() {
            self.machine.arrange(&mut spot, None);
            let key = self.machine.key(&spot);
            let label = labels.push(key, &self.machine.times(&spot), 0, NONE, step, true);
            at.entry(key).or_default().push(label);
            waiting.push(Reverse((0, label)));
        }
        let mut moves = Vec::new();
        while let Some(Reverse((_, from))) = waiting.pop() {
            if labels.is_dropped(from) {
                continue;
            }
            stop.tick()?;
            let spot = self.machine.spot(labels.key(from), labels.times(from));
            self.machine.moves(&spot.cells, &mut moves);
            for &step in &moves {
                let mut spot = spot;
                let start = self.machine.apply(&mut spot, step, i64::MIN);
                if self.safe.as_mut().is_some_and(|safe| !safe.is_safe_after(step, &spot.cells)) {
                    continue;
                }
                self.machine.arrange(&mut spot, None);
                let times = self.machine.times(&spot);
                let gained = self.machine.gain(step);
                let key = self.machine.key(&spot);
                let gain = labels.gain(from) + gained;
                let here = at.entry(key).or_default();
                if here.iter().any(|&o| {
                    is_covered(labels.times(o), &times, lead(pace, labels.gain(o) - gain))
                }) {
                    continue;
                }
                if gained > 0 {
                    if let Some(lasso) = labels.loop_to(from, step, key, &times, gain, pace) {
                        self.stored += labels.len() as u64;
                        return Ok(Pass::Faster(lasso));
                    }
                }
                here.retain(|&o| {
                    let stays =
                        !is_covered(&times, labels.times(o), lead(pace, gain - labels.gain(o)));
                    if !stays {
                        labels.drop(o);
                    }
                    stays
                });
                let label = labels.push(key, &times, gain, from, step, gained > 0);
                here.push(label);
                waiting.push(Reverse((start, label)));
            }
        }
        self.stored += labels.len() as u64;
        Ok(Pass::Closed)
    }
}

/// What a difference in count is worth in time, rounded down: times are whole.
fn lead(pace: Ratio<i64>, count: i64) -> i64 {
    let exact = i128::from(*pace.numer()) * i128::from(count);
    exact.div_euclid(i128::from(*pace.denom())).clamp(-(1 << 60), 1 << 60) as i64
}
