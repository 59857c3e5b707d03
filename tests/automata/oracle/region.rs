//! Regions of clock values (Alur and Dill), each with an exact valuation that stands for it.
//!
//! Two valuations lie in one region if every clock has the same whole part and the same order of
//! fractions, as far as it is not beyond its cap. For models with diagonal constraints, the
//! differences of clocks beyond their caps are told apart too, up to the largest constant.
//! Then whatever one valuation can do, the other can do, as long as no constant exceeds `largest`.

use takt_automata::interpret::Concrete;
use takt_automata::trace::Time;

/// What the regions of a model tell apart.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Per clock: values above are not told apart.
    pub caps: Vec<i64>,
    /// With diagonals: differences are told apart from minus this to this.
    pub differences: Option<i64>,
}

/// A region's identity: the state's integers, then the classes of its clocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(Vec<i32>);

impl Scale {
    pub fn is_beyond(&self, at: &Concrete, clock: usize) -> bool {
        at.clocks[clock] > Time::from_integer(self.caps[clock])
    }

    pub fn are_all_beyond(&self, at: &Concrete) -> bool {
        (0..at.clocks.len()).all(|clock| self.is_beyond(at, clock))
    }

    pub fn key(&self, at: &Concrete) -> Key {
        let mut key = at.state.clone();
        let fractions = self.fractions(at);
        for (clock, value) in at.clocks.iter().enumerate() {
            if self.is_beyond(at, clock) {
                key.extend([-1, 0]);
            } else {
                let rank = fractions.iter().position(|f| *f == value.fract()).unwrap();
                key.extend([value.to_integer() as i32, rank as i32]);
            }
        }
        if let Some(largest) = self.differences {
            for (left, a) in at.clocks.iter().enumerate() {
                for (right, b) in at.clocks.iter().enumerate().skip(left + 1) {
                    if self.is_beyond(at, left) || self.is_beyond(at, right) {
                        key.extend(difference(*a - *b, largest));
                    }
                }
            }
        }
        Key(key)
    }

    /// The fractions of the clocks not beyond their caps, ascending from 0.
    fn fractions(&self, at: &Concrete) -> Vec<Time> {
        let clocks = (0..at.clocks.len()).filter(|&clock| !self.is_beyond(at, clock));
        ranks(clocks.map(|clock| at.clocks[clock]))
    }

    /// A valuation of the same region with the smallest denominators.
    pub fn normal(&self, at: &Concrete) -> Concrete {
        let keeps_all = self.differences.is_some();
        let fractions =
            if keeps_all { ranks(at.clocks.iter().copied()) } else { self.fractions(at) };
        let mut normal = at.clone();
        for (clock, value) in normal.clocks.iter_mut().enumerate() {
            if !keeps_all && self.is_beyond(at, clock) {
                *value = Time::from_integer(self.caps[clock] + 1);
            } else {
                let rank = fractions.iter().position(|f| *f == value.fract()).unwrap();
                *value = value.trunc() + Time::new(rank as i64, fractions.len() as i64);
            }
        }
        normal.cost = Time::from_integer(0);
        normal
    }

    /// The delay into the next region; `None` if all clocks are beyond their caps.
    pub fn step(&self, at: &Concrete) -> Option<Time> {
        let fractions = self.fractions(at);
        let inside = |clock: &usize| !self.is_beyond(at, *clock);
        let mut clocks = (0..at.clocks.len()).filter(inside).peekable();
        clocks.peek()?;
        let rest = Time::from_integer(1) - *fractions.last().unwrap();
        let is_instant = clocks.any(|clock| at.clocks[clock].is_integer());
        Some(if is_instant { rest / 2 } else { rest })
    }
}

/// All different fractions, ascending, 0 always among them.
fn ranks(values: impl Iterator<Item = Time>) -> Vec<Time> {
    let mut fractions: Vec<Time> = values.map(|value| value.fract()).collect();
    fractions.push(Time::from_integer(0));
    fractions.sort();
    fractions.dedup();
    fractions
}

/// The class of a difference: beyond, or its whole part and whether it is whole.
fn difference(value: Time, largest: i64) -> [i32; 2] {
    if value > Time::from_integer(largest) {
        [i32::MAX, 0]
    } else if value < Time::from_integer(-largest) {
        [i32::MIN, 0]
    } else {
        [value.floor().to_integer() as i32, i32::from(value.is_integer())]
    }
}
