//! When each wafer is due, counted from the first one: first in steps of a largest gap, then at a
//! steady pace.

use super::labels::lead;
use num_rational::Ratio;

#[derive(Clone, Debug)]
pub struct Due {
    pace: Ratio<i64>,
    /// The first wafers may come in steps of the gap, until they have caught up with the pace,
    /// which begins this much after the first wafer.
    gap: i64,
    lag: i64,
    /// From this wafer on the pace alone counts.
    steady: i64,
}

impl Due {
    /// The n-th wafer (from 0) is due n times the pace after the first, in whole units.
    pub fn every(pace: Ratio<i64>) -> Due {
        Due { pace, gap: 0, lag: 0, steady: 0 }
    }

    /// Steps of `gap`, until the pace is met that begins `lag` after the first wafer.
    pub fn catching_up(pace: Ratio<i64>, gap: i64, lag: i64) -> Due {
        let more = Ratio::from_integer(gap) - pace;
        if lag <= 0 || more <= Ratio::from_integer(0) {
            return Due::every(pace);
        }
        let steady = (Ratio::from_integer(lag) / more).ceil().to_integer();
        Due { pace, gap, lag, steady }
    }

    pub fn at(&self, wafer: i64) -> i64 {
        let steady = lead(self.pace, wafer) + self.lag;
        if wafer < self.steady { steady.min(wafer * self.gap) } else { steady }
    }

    /// Wafers of one phase are followed by the same steps. That of the first is 0.
    pub fn next(&self, phase: i64) -> i64 {
        let next = phase + 1;
        if next == self.steady + *self.pace.denom() { self.steady } else { next }
    }

    /// From the time at which a wafer of this phase is due to that of one so many later.
    pub fn ahead(&self, phase: i64, wafers: i64) -> i64 {
        self.at(phase + wafers) - self.at(phase)
    }
}
