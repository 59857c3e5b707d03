//! What each process costs on its own, at least, until a formula can hold.
//!
//! All other processes are taken to be ready for anything: guards on variables and on clocks that
//! others reset count as true, every synchronisation finds its partner. What is left is an
//! automaton with one clock, whose cheapest cost to go is a function of that clock's value.
//! Rates and increments add up over the processes, so the sum of these functions is a lower
//! bound of what the network costs; of time, which passes for all at once, the largest is.
//!
//! # Why few points suffice
//! Between two neighbouring constants that the clock is compared with or set to, the same edges
//! are open, so the cheapest cost is the smallest of functions linear in the clock's value: act
//! at once, or wait for the next constant in the cheapest location in reach. It is concave there,
//! and lies above the straight line between the values at the two constants (guards count as
//! closed, so what can be done between can be done at the ends). Only these values are computed.

mod view;

use super::{Interval, Ranges};
use crate::model::{ClockId, Formula, ProcessId};
use view::View;

/// What is to be bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    Cost,
    /// Cost, but for what the process pays per unit of time wherever it is.
    Extra,
    Time,
}

/// The bounds of all processes that have any.
#[derive(Clone, Debug, Default)]
pub struct Alone {
    pub parts: Vec<ProcessBound>,
}

/// The bound of one process, as a function of one clock.
#[derive(Clone, Debug)]
pub struct ProcessBound {
    pub process: ProcessId,
    /// Without a clock the functions are constant.
    pub clock: Option<ClockId>,
    /// The constants, ascending from 0.
    grid: Vec<i64>,
    /// Per location: values at the constants, and last, beyond all of them. `None`: the formula
    /// cannot hold any more.
    to_go: Vec<Vec<Option<i64>>>,
    /// Per location: 0 everywhere.
    is_trivial: Vec<bool>,
}

/// An affine function of a clock, `offset + slope * clock`: nowhere above a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    pub offset: i64,
    pub slope: i64,
}

/// Values beyond this are not added up.
const LARGEST: i64 = 1 << 40;

impl Alone {
    /// Once `is_over`, nothing is said of the processes that are left.
    pub fn new(
        ranges: &Ranges,
        goal: &Formula,
        measure: Measure,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Alone {
        let view = View::new(ranges.model, ranges, goal, measure);
        let processes = (0..ranges.model.processes.len()).take_while(|_| !is_over());
        Alone { parts: processes.flat_map(|process| view.parts(process)).collect() }
    }
}

/// What all processes together pay per unit of time at least, wherever they are.
pub fn steady_rate(ranges: &Ranges) -> i64 {
    let processes = ranges.model.processes.iter();
    let rates = processes.map(|process| view::steady_rate(process, ranges));
    rates.sum::<i64>().min(LARGEST)
}

impl ProcessBound {
    /// Nothing can be said of this location.
    pub fn is_trivial(&self, location: i32) -> bool {
        self.is_trivial[location as usize]
    }

    /// The smallest value in the location for a clock from `lo` to `hi`; `None` if the formula
    /// cannot hold any more.
    pub fn least(&self, location: i32, (lo, hi): Interval) -> Option<i64> {
        let values = &self.to_go[location as usize];
        let within = |&(k, _): &(usize, &Option<i64>)| {
            k == self.grid.len() || lo < self.grid[k] && self.grid[k] < hi
        };
        let inner = values.iter().enumerate().filter(within);
        let inner = inner.filter(|&(k, _)| k < self.grid.len() || hi > self.last());
        inner
            .filter_map(|(_, value)| *value)
            .chain(self.at(location, lo))
            .chain(self.at(location, hi))
            .min()
    }

    /// A line that touches the bound at `lo` and lies below it up to `hi`; `None` where there is
    /// none that is better than a constant.
    pub fn line(&self, location: i32, (lo, hi): Interval) -> Option<Affine> {
        let first = self.at(location, lo)?;
        if lo >= hi {
            return Some(Affine { offset: first, slope: 0 });
        }
        let mut slope = i64::MAX;
        let mut pass = |x: i64, value: Option<i64>| {
            if let (true, Some(value)) = (x > lo, value) {
                slope = slope.min((value - first).div_euclid(x - lo));
            }
        };
        let values = &self.to_go[location as usize];
        for (&x, &value) in self.grid.iter().zip(values).filter(|&(&x, _)| x < hi) {
            pass(x, value);
        }
        let beyond = values[self.grid.len()];
        if hi <= self.last() {
            pass(hi, self.at(location, hi));
        } else if beyond.is_some() {
            // The bound does not rise any more.
            pass(lo + 1, Some(first));
            pass(self.last().max(lo + 1), beyond);
        }
        let slope = if slope == i64::MAX { 0 } else { slope };
        let offset = slope.checked_mul(lo).and_then(|at_lo| first.checked_sub(at_lo))?;
        Some(Affine { offset, slope })
    }

    fn last(&self) -> i64 {
        self.grid.last().copied().unwrap_or(0)
    }

    /// The bound at one value of the clock, rounded down.
    fn at(&self, location: i32, x: i64) -> Option<i64> {
        let values = &self.to_go[location as usize];
        let above = self.grid.partition_point(|&g| g < x);
        if self.grid.get(above) == Some(&x) || above == self.grid.len() {
            return values[above];
        }
        let (k, x0, x1) = (above - 1, self.grid[above - 1], self.grid[above]);
        let (y0, y1) = (values[k]?, values[k + 1]?);
        let part = i128::from(y1 - y0) * i128::from(x - x0);
        Some(y0 + part.div_euclid(i128::from(x1 - x0)) as i64)
    }
}
