//! Abstractions that make the number of zones finite without changing what is reachable.
//!
//! Extra+LU after Behrmann, Bouyer, Larsen, Pelánek: Lower and upper bounds in zone-based
//! abstractions of timed automata (2006); inclusion modulo the simulation `a_LU` after
//! Herbreteau, Srivathsan, Walukiewicz: Better abstractions for timed automata (2012). With `L = U`
//! both keep bisimilarity, hence deadlocks.

use super::{Bound, Dbm, LANES};

/// "The clock is compared with nothing": below every constant.
pub const NO_LIMIT: i64 = i64::MIN;

/// "The clock may be compared with anything".
const ANY_LIMIT: i64 = i64::MAX;

/// What the clocks of a zone may still be compared with, as packed bounds; entry 0 belongs
/// to the constant 0.
#[derive(Clone, Debug, Default)]
pub struct ClockLimits<B> {
    /// `<= L`, the largest constant in tests `x > c`, `x >= c`; the lowest bound where there are
    /// none, infinity where there may be any.
    lower: Vec<B>,
    /// `<= -U`, the largest constant in tests `x < c`, `x <= c`; infinity where there are none,
    /// the lowest bound where there may be any.
    upper: Vec<B>,
}

impl<B: Bound> ClockLimits<B> {
    pub fn clear(&mut self) {
        self.lower.clear();
        self.upper.clear();
        self.push(0, 0);
    }

    /// Adds the limits of the next clock; [`NO_LIMIT`] and `i64::MAX` are the extremes.
    pub fn push(&mut self, lower: i64, upper: i64) {
        self.lower.push(match lower {
            NO_LIMIT => B::LOWEST,
            ANY_LIMIT => B::INFINITY,
            limit => B::new(limit, false),
        });
        self.upper.push(match upper {
            NO_LIMIT => B::INFINITY,
            ANY_LIMIT => B::LOWEST,
            limit => B::new(-limit, false),
        });
    }

    /// The largest constant that the clock may be compared with; `None` if there is none,
    /// `i64::MAX` if it may be any.
    pub fn highest(&self, clock: usize) -> Option<i64> {
        let lower = match self.lower[clock] {
            limit if limit == B::LOWEST => None,
            limit if limit == B::INFINITY => Some(i64::MAX),
            limit => Some(limit.value()),
        };
        let upper = match self.upper[clock] {
            limit if limit == B::INFINITY => None,
            limit if limit == B::LOWEST => Some(i64::MAX),
            limit => Some(-limit.value()),
        };
        lower.max(upper)
    }

    /// Writes the limits behind others that are sent along.
    pub fn append_to(&self, out: &mut Vec<B>) {
        out.extend_from_slice(&self.lower);
        out.extend_from_slice(&self.upper);
    }

    /// Reads what was written for a zone of this dimension, the first of those that follow; leaves
    /// the rest.
    pub fn read_from(&mut self, dim: usize, from: &mut &[B]) {
        let (lower, rest) = from.split_at(dim);
        let (upper, rest) = rest.split_at(dim);
        self.lower.clear();
        self.lower.extend_from_slice(lower);
        self.upper.clear();
        self.upper.extend_from_slice(upper);
        *from = rest;
    }

    /// The same limits, but these clocks may be compared with anything.
    #[must_use]
    pub fn with_any(&self, is_any: impl Fn(usize) -> bool) -> ClockLimits<B> {
        let open = |limits: &[B], any: B| {
            let each = |(i, &limit): (usize, &B)| if i > 0 && is_any(i) { any } else { limit };
            limits.iter().enumerate().map(each).collect()
        };
        ClockLimits { lower: open(&self.lower, B::INFINITY), upper: open(&self.upper, B::LOWEST) }
    }

    /// The same limits, but these clocks are compared with nothing.
    #[must_use]
    pub fn with_none(&self, is_none: impl Fn(usize) -> bool) -> ClockLimits<B> {
        let close = |limits: &[B], none: B| {
            let each = |(i, &limit): (usize, &B)| if i > 0 && is_none(i) { none } else { limit };
            limits.iter().enumerate().map(each).collect()
        };
        ClockLimits { lower: close(&self.lower, B::LOWEST), upper: close(&self.upper, B::INFINITY) }
    }
}

impl<B: Bound> Dbm<B> {
    /// Extra+LU: widens the zone to one with bounds from a finite set, inside `a_LU` of it.
    pub fn extrapolate(&mut self, limits: &ClockLimits<B>) {
        debug_assert_eq!(limits.lower.len(), self.dim);
        let mut has_changed = false;
        for i in 1..self.dim {
            // Whether x_i > L_i throughout the (unchanged) zone.
            let above_lower = match limits.lower[i] {
                limit if limit == B::LOWEST => true,
                limit if limit == B::INFINITY => false,
                limit => self.get(0, i).value() < -limit.value(),
            };
            for j in 0..self.dim {
                if i != j {
                    has_changed |= self.widen_upper(i, j, above_lower, limits);
                }
            }
        }
        for j in 1..self.dim {
            if self.is_above_upper(j, limits) {
                has_changed |= self.widen_lower(j, limits.upper[j]);
            }
        }
        if has_changed {
            self.close();
        }
    }

    /// Whether x_j > U_j throughout the zone.
    #[inline]
    fn is_above_upper(&self, j: usize, limits: &ClockLimits<B>) -> bool {
        self.get(0, j).value() < limits.upper[j].value()
    }

    /// Drops the bound on `x_i - x_j` for `i` other than 0 where the limits allow it.
    #[inline]
    fn widen_upper(
        &mut self,
        i: usize,
        j: usize,
        above_lower: bool,
        limits: &ClockLimits<B>,
    ) -> bool {
        let bound = self.get(i, j);
        if bound == B::INFINITY {
            return false;
        }
        let is_beyond = bound.value() > limits.lower[i].value();
        if is_beyond || above_lower || self.is_above_upper(j, limits) {
            self.set(i, j, B::INFINITY);
            return true;
        }
        false
    }

    /// Lowers the bound `x_j >= c` with `c > U_j` to `x_j > U_j`.
    fn widen_lower(&mut self, j: usize, negated_upper: B) -> bool {
        let widest = match negated_upper {
            limit if limit == B::INFINITY => B::ZERO,
            limit => B::new(limit.value(), true).min(B::ZERO),
        };
        let is_wider = widest > self.get(0, j);
        if is_wider {
            self.set(0, j, widest);
        }
        is_wider
    }

    /// Whether every bound other than infinity is at most `largest`, and at least its negative:
    /// nothing has to be widened yet for the bounds' width.
    pub fn is_within(&self, largest: B) -> bool {
        let lowest = largest.negated();
        let is_far = |b: B| ((b > largest) & (b != B::INFINITY)) | (b < lowest);
        let (chunks, rest) = self.cells.as_chunks::<LANES>();
        let far = |far: bool, &b: &B| far | is_far(b);
        !chunks
            .iter()
            .fold(rest.iter().fold(false, far), |all, chunk| all | chunk.iter().fold(false, far))
    }
}

/// Whether the zone `a` is contained in `a_LU` of the zone `b`: whatever can be done from `a`
/// can be done from `b`. Both are closed matrices of the same dimension.
///
/// It is not exactly if there are clocks x, y with `a_0x >= (<=, -U_x)`, `b_yx < a_yx` and
/// `b_yx + (<, -L_y) < a_0x`; looked for row by row.
pub fn is_simulated<B: Bound>(a: &[B], b: &[B], limits: &ClockLimits<B>) -> bool {
    let dim = limits.lower.len();
    let (first, upper) = (&a[..dim], &limits.upper[..dim]);
    for (y, &lower) in limits.lower.iter().enumerate() {
        if lower == B::LOWEST {
            continue;
        }
        let (row_a, row_b) = (&a[y * dim..][..dim], &b[y * dim..][..dim]);
        let is_seen = match lower == B::INFINITY {
            true => any(first, upper, row_a, row_b, |low, up, a, b| (b < a) & (low >= up)),
            false => {
                let beyond = B::new(-lower.value(), true);
                any(first, upper, row_a, row_b, |low, up, a, b| {
                    (b < a) & (low >= up) & (b.plus_finite(beyond) < low)
                })
            }
        };
        if is_seen {
            return false;
        }
    }
    true
}

/// Whether something holds in some column of four rows. Fixed lengths without an early exit
/// inside turn into vector instructions.
#[inline(always)]
fn any<B: Bound>(
    first: &[B],
    second: &[B],
    third: &[B],
    fourth: &[B],
    holds: impl Fn(B, B, B, B) -> bool,
) -> bool {
    let (first, first_rest) = first.as_chunks::<LANES>();
    let (second, second_rest) = second.as_chunks::<LANES>();
    let (third, third_rest) = third.as_chunks::<LANES>();
    let (fourth, fourth_rest) = fourth.as_chunks::<LANES>();
    let mut found = false;
    for (((p, q), r), s) in first.iter().zip(second).zip(third).zip(fourth) {
        for k in 0..LANES {
            found |= holds(p[k], q[k], r[k], s[k]);
        }
    }
    let rest = first_rest.iter().zip(second_rest).zip(third_rest).zip(fourth_rest);
    for (((&p, &q), &r), &s) in rest {
        found |= holds(p, q, r, s);
    }
    found
}
