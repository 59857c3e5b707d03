//! The labels of one search, and the ways to them.

use super::closure::Lasso;
use super::machine::Move;
use num_rational::Ratio;

pub const NONE: u32 = u32::MAX;

/// Whether all times of the one are at most those of the other plus the lead.
pub fn is_covered(one: &[i64], other: &[i64], lead: i64) -> bool {
    one.iter().zip(other).all(|(one, other)| *one <= *other + lead)
}

struct Label {
    key: u128,
    gain: i64,
    parent: u32,
    /// The nearest label on the way here, this one included, that a counted move ends in.
    counted: u32,
    step: Move,
    dropped: bool,
}

pub struct Labels {
    labels: Vec<Label>,
    times: Vec<i64>,
    parts: usize,
}

impl Labels {
    pub fn new(parts: usize) -> Labels {
        Labels { labels: Vec::new(), times: Vec::new(), parts }
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn key(&self, label: u32) -> u128 {
        self.labels[label as usize].key
    }

    pub fn gain(&self, label: u32) -> i64 {
        self.labels[label as usize].gain
    }

    pub fn times(&self, label: u32) -> &[i64] {
        &self.times[label as usize * self.parts..][..self.parts]
    }

    pub fn is_dropped(&self, label: u32) -> bool {
        self.labels[label as usize].dropped
    }

    /// Says that a better one has come.
    pub fn drop(&mut self, label: u32) {
        self.labels[label as usize].dropped = true;
    }

    pub fn push(
        &mut self,
        key: u128,
        times: &[i64],
        gain: i64,
        parent: u32,
        step: Move,
        counted: bool,
    ) -> u32 {
        let label = u32::try_from(self.labels.len()).expect("fewer labels than memory holds");
        let counted = if counted { label } else { self.labels[parent as usize].counted };
        self.labels.push(Label { key, gain, parent, counted, step, dropped: false });
        self.times.extend_from_slice(times);
        label
    }

    /// The fastest loop from a label on the way to `from`, by one more move, to a label that is at
    /// least as good; only those faster than the pace.
    pub fn loop_to(
        &self,
        from: u32,
        step: Move,
        key: u128,
        times: &[i64],
        gain: i64,
        pace: Ratio<i64>,
    ) -> Option<Lasso> {
        let mut best: Option<(Ratio<i64>, u32, i64)> = None;
        let mut back = self.labels[from as usize].counted;
        while back != NONE {
            let label = &self.labels[back as usize];
            if label.key == key {
                let delays = times.iter().zip(self.times(back)).map(|(now, then)| now - then);
                let time = delays.max().unwrap_or(0);
                let found = Ratio::new(time, gain - label.gain);
                if found < pace && best.is_none_or(|(least, ..)| found < least) {
                    best = Some((found, back, time));
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
