//! Bounds `< c` and `<= c` packed into one integer, so that comparing and adding stay cheap.
//!
//! A bound is `2 * c` for `< c` and `2 * c + 1` for `<= c`: the order of the integers is the order
//! of the bounds. "No bound" is the largest integer. The width is chosen by the caller, who
//! knows how large constants get: the narrower, the more bounds fit a cache line and a
//! vector register.

use std::fmt::Debug;
use std::hash::Hash;

/// A packed upper bound on a difference of clocks.
pub trait Bound: Copy + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// No bound.
    const INFINITY: Self;
    /// `<= 0`
    const ZERO: Self;
    /// `< 0`
    const BELOW_ZERO: Self;
    /// The largest absolute value of a constant that this width can pack.
    const LARGEST: i64;

    /// Requires `|value| <= LARGEST`.
    fn new(value: i64, is_strict: bool) -> Self;
    /// The constant; requires a bound other than infinity.
    fn value(self) -> i64;
    fn is_strict(self) -> bool;
    /// The bound of a sum: values add up, strictness wins, infinity absorbs.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The bound of the reversed difference that holds exactly where this one does not:
    /// not `x - y < c` is `y - x <= -c`. Requires a bound other than infinity.
    #[must_use]
    fn negated(self) -> Self;
}

macro_rules! packed_bound {
    ($int:ty) => {
        impl Bound for $int {
            const INFINITY: $int = <$int>::MAX;
            const ZERO: $int = 1;
            const BELOW_ZERO: $int = 0;
            const LARGEST: i64 = (<$int>::MAX / 2 - 1) as i64;

            #[inline(always)]
            fn new(value: i64, is_strict: bool) -> $int {
                debug_assert!(value.abs() <= Self::LARGEST, "bound {value} is too wide");
                (value as $int) * 2 + <$int>::from(!is_strict)
            }

            #[inline(always)]
            fn value(self) -> i64 {
                (self >> 1) as i64
            }

            #[inline(always)]
            fn is_strict(self) -> bool {
                self & 1 == 0
            }

            #[inline(always)]
            fn plus(self, other: $int) -> $int {
                if self == Self::INFINITY || other == Self::INFINITY {
                    Self::INFINITY
                } else {
                    self + other - ((self | other) & 1)
                }
            }

            #[inline(always)]
            fn negated(self) -> $int {
                1 - self
            }
        }
    };
}

packed_bound!(i16);
packed_bound!(i32);
packed_bound!(i64);

#[cfg(test)]
mod tests {
    use super::Bound;

    #[test]
    fn order_is_the_order_of_bounds() {
        let lt3 = i32::new(3, true);
        let le3 = i32::new(3, false);
        assert!(i32::new(2, false) < lt3 && lt3 < le3 && le3 < i32::INFINITY);
        assert_eq!((i16::new(-7, true).value(), i16::new(-7, false).value()), (-7, -7));
    }

    #[test]
    fn sums_keep_strictness() {
        for (a, b, is_strict) in [(3, -5, false), (-2, -2, true)] {
            let sum = i16::new(a, is_strict).plus(i16::new(b, false));
            assert_eq!((sum.value(), sum.is_strict()), (a + b, is_strict));
        }
        let both = i64::new(1, true).plus(i64::new(1, true));
        assert_eq!((both.value(), both.is_strict()), (2, true));
        assert_eq!(i16::INFINITY.plus(i16::new(-9, true)), i16::INFINITY);
    }

    #[test]
    fn negation_is_the_complement() {
        assert_eq!(i32::new(3, true).negated(), i32::new(-3, false));
        assert_eq!(i32::new(3, false).negated(), i32::new(-3, true));
    }
}
