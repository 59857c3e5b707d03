//! Label setting: the labels of one search, of which each configuration keeps those that no other
//! one dominates, and the ways to them.
//!
//! A label is a configuration, a few numbers, and what was counted on the way to it. What the
//! numbers mean, and when one label dominates another, is for a [`Dominance`] to say: when each
//! component is free (`closure.rs`), or also how that depends on the last unload (`within.rs`).

use super::closure::Lasso;
use super::tool::{Move, Tool};
use hashbrown::HashMap;
use num_rational::Ratio;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What stands for "no label".
pub const NONE: u32 = u32::MAX;

/// How labels of one configuration compare.
pub trait Dominance {
    /// Whether the one can do whatever the other can, which is allowed to be `lead` later.
    fn dominates(&self, one: &[i64], other: &[i64], lead: i64) -> bool;

    /// How much later a round that leads from `then` back to `now` ends than it begins; `None` if
    /// it cannot be repeated. `count` is what was counted before it.
    fn round(&self, now: &[i64], then: &[i64], count: i64) -> Option<i64>;
}

/// Whether all times of the one are at most those of the other plus the lead.
pub fn is_covered(one: &[i64], other: &[i64], lead: i64) -> bool {
    one.iter().zip(other).all(|(one, other)| *one <= *other + lead)
}

/// The largest difference of two times.
pub fn delay(now: &[i64], then: &[i64]) -> i64 {
    now.iter().zip(then).map(|(now, then)| now - then).max().unwrap_or(0)
}

struct Label {
    key: u128,
    count: i64,
    parent: u32,
    /// The nearest label on the way here, this one included, that a counted move ends in.
    counted: u32,
    step: Move,
    is_dominated: bool,
}

/// The labels of one pass at a given pace.
pub struct Labels<'a, D: Dominance> {
    tool: &'a Tool,
    pub pace: Ratio<i64>,
    order: D,
    labels: Vec<Label>,
    /// The numbers of all labels, `width` each.
    numbers: Vec<i64>,
    width: usize,
    best: HashMap<u128, Vec<u32>>,
    /// By the start of the move that led there.
    waiting: BinaryHeap<Reverse<(i64, u32)>>,
}

impl<'a, D: Dominance> Labels<'a, D> {
    pub fn new(tool: &'a Tool, pace: Ratio<i64>, order: D, width: usize) -> Labels<'a, D> {
        Labels {
            tool,
            pace,
            order,
            labels: Vec::new(),
            numbers: Vec::new(),
            width,
            best: HashMap::new(),
            waiting: BinaryHeap::new(),
        }
    }

    pub fn len(&self) -> u64 {
        self.labels.len() as u64
    }

    pub fn key(&self, label: u32) -> u128 {
        self.labels[label as usize].key
    }

    pub fn count(&self, label: u32) -> i64 {
        self.labels[label as usize].count
    }

    pub fn numbers(&self, label: u32) -> &[i64] {
        &self.numbers[label as usize * self.width..][..self.width]
    }

    /// The next label to go on from.
    pub fn pop(&mut self) -> Option<u32> {
        loop {
            let Reverse((_, label)) = self.waiting.pop()?;
            if !self.labels[label as usize].is_dominated {
                return Some(label);
            }
        }
    }

    /// Takes what a move leads to, unless it is dominated; gives a loop that is faster than the
    /// pace, if it closes one.
    pub fn offer(
        &mut self,
        from: u32,
        step: Move,
        key: u128,
        numbers: &[i64],
        start: i64,
    ) -> Option<Lasso> {
        let counted = self.tool.gain(step);
        let count = counted + if from == NONE { 0 } else { self.count(from) };
        let mut here = self.best.remove(&key).unwrap_or_default();
        let dominates = |label: &u32| {
            let lead = lead(self.pace, self.count(*label) - count);
            self.order.dominates(self.numbers(*label), numbers, lead)
        };
        let is_dominated = here.iter().any(dominates);
        let closes = !is_dominated && counted > 0 && from != NONE;
        let lasso = closes.then(|| self.loop_to(from, step, key, numbers, count)).flatten();
        if !is_dominated && lasso.is_none() {
            here.retain(|&label| {
                let lead = lead(self.pace, count - self.count(label));
                let is_dominated = self.order.dominates(numbers, self.numbers(label), lead);
                self.labels[label as usize].is_dominated |= is_dominated;
                !is_dominated
            });
            let label = self.keep(from, step, key, numbers, count);
            here.push(label);
            self.waiting.push(Reverse((start, label)));
        }
        self.best.insert(key, here);
        lasso
    }

    fn keep(&mut self, from: u32, step: Move, key: u128, numbers: &[i64], count: i64) -> u32 {
        let label = u32::try_from(self.labels.len()).expect("fewer labels than memory holds");
        let is_counted = from == NONE || self.tool.gain(step) > 0;
        let counted = if is_counted { label } else { self.labels[from as usize].counted };
        let is_dominated = false;
        self.labels.push(Label { key, count, parent: from, counted, step, is_dominated });
        self.numbers.extend_from_slice(numbers);
        label
    }

    /// The fastest loop from a label on the way to `from`, by one more move, to a label that is at
    /// least as good; only those faster than the pace.
    fn loop_to(
        &self,
        from: u32,
        step: Move,
        key: u128,
        numbers: &[i64],
        count: i64,
    ) -> Option<Lasso> {
        let mut best: Option<(Ratio<i64>, u32, i64)> = None;
        let mut back = self.labels[from as usize].counted;
        while back != NONE {
            let label = &self.labels[back as usize];
            if label.key == key
                && let Some(time) = self.order.round(numbers, self.numbers(back), label.count)
            {
                let found = Ratio::new(time, count - label.count);
                if found < self.pace && best.is_none_or(|(least, ..)| found < least) {
                    best = Some((found, back, time));
                }
            }
            let parent = label.parent;
            back = if parent == NONE { NONE } else { self.labels[parent as usize].counted };
        }
        let (_, back, time) = best?;
        let mut moves = self.way_to(from);
        moves.push(step);
        let round = count - self.count(back);
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
