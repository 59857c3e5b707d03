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
    /// Below every bound; no bound itself.
    const LOWEST: Self;
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
    /// The same for two bounds other than infinity (for which it gives anything).
    #[must_use]
    fn plus_finite(self, other: Self) -> Self;
    /// The bound of the reversed difference that holds exactly where this one does not:
    /// not `x - y < c` is `y - x <= -c`. Requires a bound other than infinity.
    #[must_use]
    fn negated(self) -> Self;

    /// How many words of this width hold a 64-bit number.
    const WORDS_PER_NUMBER: usize = 8 / size_of::<Self>();
    /// Appends a number that is no bound, so that it can be stored beside bounds.
    fn write_number(number: i64, out: &mut Vec<Self>);
    /// Reads a number back from [`Bound::WORDS_PER_NUMBER`] words.
    fn read_number(words: &[Self]) -> i64;
}

macro_rules! packed_bound {
    ($int:ty) => {
        impl Bound for $int {
            const INFINITY: $int = <$int>::MAX;
            const LOWEST: $int = <$int>::MIN;
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
            fn plus_finite(self, other: $int) -> $int {
                self.wrapping_add(other).wrapping_sub((self | other) & 1)
            }

            #[inline(always)]
            fn negated(self) -> $int {
                1 - self
            }

            fn write_number(number: i64, out: &mut Vec<$int>) {
                let parts = number.to_le_bytes();
                let (words, _) = parts.as_chunks::<{ size_of::<$int>() }>();
                out.extend(words.iter().map(|word| <$int>::from_le_bytes(*word)));
            }

            fn read_number(words: &[$int]) -> i64 {
                let mut number = [0; 8];
                for (part, word) in number.chunks_exact_mut(size_of::<$int>()).zip(words) {
                    part.copy_from_slice(&word.to_le_bytes());
                }
                i64::from_le_bytes(number)
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
    fn numbers_survive_being_stored_beside_bounds() {
        for number in [0, 1, -1, i64::MIN, i64::MAX, 0x0123_4567_89ab_cdef] {
            let (mut narrow, mut middle) = (Vec::new(), Vec::new());
            i16::write_number(number, &mut narrow);
            i32::write_number(number, &mut middle);
            assert_eq!((narrow.len(), middle.len()), (4, 2));
            assert_eq!((i16::read_number(&narrow), i32::read_number(&middle)), (number, number));
        }
    }

    #[test]
    fn negation_is_the_complement() {
        assert_eq!(i32::new(3, true).negated(), i32::new(-3, false));
        assert_eq!(i32::new(3, false).negated(), i32::new(-3, true));
    }
}
