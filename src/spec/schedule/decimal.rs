//! Amounts of money, exactly: whole millionths. The spec language allows six decimal places.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

/// Written without exponent and without trailing zeros: `12.5`, `-3`, `0.000001`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    millionths: i128,
}

const ONE: i128 = 1_000_000;

impl Decimal {
    pub fn from_millionths(millionths: i128) -> Decimal {
        Decimal { millionths }
    }

    /// `amount / scale`, where the scale is a power of ten up to a million.
    pub fn scaled(amount: i64, scale: i64) -> Decimal {
        Decimal { millionths: i128::from(amount) * (ONE / i128::from(scale.max(1))) }
    }

    pub fn millionths(self) -> i128 {
        self.millionths
    }

    pub fn is_zero(self) -> bool {
        self.millionths == 0
    }

    /// For ratios and pictures; never for a value that is written.
    pub fn approximate(self) -> f64 {
        self.millionths as f64 / ONE as f64
    }
}

impl From<i64> for Decimal {
    fn from(whole: i64) -> Decimal {
        Decimal::scaled(whole, 1)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let size = self.millionths.unsigned_abs();
        let (whole, part) = (size / ONE.unsigned_abs(), size % ONE.unsigned_abs());
        let sign = if self.millionths < 0 { "-" } else { "" };
        let text = match part {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{}", format!("{part:06}").trim_end_matches('0')),
        };
        f.pad(&text)
    }
}

impl Add for Decimal {
    type Output = Decimal;

    fn add(self, other: Decimal) -> Decimal {
        Decimal { millionths: self.millionths.saturating_add(other.millionths) }
    }
}

impl Sub for Decimal {
    type Output = Decimal;

    fn sub(self, other: Decimal) -> Decimal {
        Decimal { millionths: self.millionths.saturating_sub(other.millionths) }
    }
}

impl Mul<i64> for Decimal {
    type Output = Decimal;

    fn mul(self, times: i64) -> Decimal {
        Decimal { millionths: self.millionths.saturating_mul(i128::from(times)) }
    }
}

impl Sum for Decimal {
    fn sum<I: Iterator<Item = Decimal>>(all: I) -> Decimal {
        all.fold(Decimal::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_written_exactly() {
        let text = |millionths: i128| Decimal::from_millionths(millionths).to_string();
        assert_eq!(text(0), "0");
        assert_eq!(text(12_500_000), "12.5");
        assert_eq!(text(-1), "-0.000001");
        assert_eq!(text(100_000_000), "100");
        assert_eq!(text(9_007_199_254_740_993_000_001), "9007199254740993.000001");
        assert_eq!(Decimal::scaled(-1234, 100).to_string(), "-12.34");
        assert_eq!((Decimal::scaled(15, 10) * 3 + 1.into()).to_string(), "5.5");
    }
}
