//! Abstractions that make the number of zones finite without changing what is reachable.
//!
//! Extra+LU after Behrmann, Bouyer, Larsen, Pelánek: Lower and upper bounds in zone-based
//! abstractions of timed automata (2006); inclusion modulo the simulation `a_LU` after
//! Herbreteau, Srivathsan, Walukiewicz: Better abstractions for timed automata (2012). With `L = U`
//! both keep bisimilarity, hence deadlocks.

use super::{Bound, Dbm};

/// "The clock is compared with nothing": below every constant.
pub const NO_LIMIT: i64 = i64::MIN;

/// "The clock may be compared with anything".
const ANY_LIMIT: i64 = i64::MAX;

/// What the clocks of a zone may still be compared with, as packed bounds; entry 0 belongs
/// to the constant 0.
#[derive(Clone, Debug, Default)]
pub struct ClockLimits<B> {
    /// `<= L`: the largest constant in tests `x > c`, `x >= c`.
    lower: Vec<Limit<B>>,
    /// `<= -U`, the largest constant in tests `x < c`, `x <= c`.
    upper: Vec<Limit<B>>,
}

#[derive(Clone, Copy, Debug)]
enum Limit<B> {
    None,
    Finite(B),
    Any,
}

impl<B: Bound> ClockLimits<B> {
    pub fn clear(&mut self) {
        self.lower.clear();
        self.upper.clear();
        self.push(0, 0);
    }

    /// Adds the limits of the next clock; [`NO_LIMIT`] and `i64::MAX` are the extremes.
    pub fn push(&mut self, lower: i64, upper: i64) {
        let limit = |value, sign| match value {
            NO_LIMIT => Limit::None,
            ANY_LIMIT => Limit::Any,
            value => Limit::Finite(B::new(sign * value, false)),
        };
        self.lower.push(limit(lower, 1));
        self.upper.push(limit(upper, -1));
    }

    /// The largest constant that the clock may be compared with; `None` if there is none,
    /// `i64::MAX` if it may be any.
    pub fn highest(&self, clock: usize) -> Option<i64> {
        let value = |limit: Limit<B>, sign: i64| match limit {
            Limit::None => None,
            Limit::Any => Some(i64::MAX),
            Limit::Finite(bound) => Some(sign * bound.value()),
        };
        value(self.lower[clock], 1).max(value(self.upper[clock], -1))
    }

    /// The same limits, but these clocks may be compared with anything.
    #[must_use]
    pub fn with_any(&self, is_any: impl Fn(usize) -> bool) -> ClockLimits<B> {
        let open = |limits: &[Limit<B>]| {
            let each = |(i, &limit): (usize, &Limit<B>)| match i > 0 && is_any(i) {
                true => Limit::Any,
                false => limit,
            };
            limits.iter().enumerate().map(each).collect()
        };
        ClockLimits { lower: open(&self.lower), upper: open(&self.upper) }
    }
}

impl<B: Bound> Dbm<B> {
    /// Extra+LU: widens the zone to one with bounds from a finite set, inside `a_LU` of it.
    pub fn extrapolate(&mut self, limits: &ClockLimits<B>) {
        debug_assert_eq!(limits.lower.len(), self.dim);
        let mut has_changed = false;
        // Whether x_i > L_i, resp. x_j > U_j, throughout the (unchanged) zone.
        let is_above = |zone: &Dbm<B>, i: usize, negated: Limit<B>| match negated {
            Limit::None => true,
            Limit::Any => false,
            Limit::Finite(bound) => zone.get(0, i).value() < bound.value(),
        };
        for i in 1..self.dim {
            let above_lower = is_above(self, i, limits.lower[i].negated());
            for j in 0..self.dim {
                if i != j {
                    has_changed |= self.widen_upper(i, j, above_lower, limits);
                }
            }
        }
        for j in 1..self.dim {
            if is_above(self, j, limits.upper[j]) {
                has_changed |= self.widen_lower(j, limits.upper[j]);
            }
        }
        if has_changed {
            self.close();
        }
    }

    /// Drops the bound on `x_i - x_j` for `i` other than 0 where the limits allow it.
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
        let beyond = match limits.lower[i] {
            Limit::None => true,
            Limit::Any => false,
            Limit::Finite(limit) => bound.value() > limit.value(),
        };
        let j_is_large = match limits.upper[j] {
            Limit::None => true,
            Limit::Any => false,
            Limit::Finite(limit) => self.get(0, j).value() < limit.value(),
        };
        if beyond || above_lower || j_is_large {
            self.set(i, j, B::INFINITY);
            return true;
        }
        false
    }

    /// Lowers the bound `x_j >= c` with `c > U_j` to `x_j > U_j`.
    fn widen_lower(&mut self, j: usize, negated_upper: Limit<B>) -> bool {
        let widest = match negated_upper {
            Limit::Finite(bound) => B::new(bound.value(), true).min(B::ZERO),
            _ => B::ZERO,
        };
        let is_wider = widest > self.get(0, j);
        if is_wider {
            self.set(0, j, widest);
        }
        is_wider
    }
}

impl<B: Bound> Limit<B> {
    fn negated(self) -> Limit<B> {
        match self {
            Limit::Finite(bound) => Limit::Finite(B::new(-bound.value(), false)),
            other => other,
        }
    }
}

/// Whether the zone `a` is contained in `a_LU` of the zone `b`: whatever can be done from `a`
/// can be done from `b`. Both are closed matrices of the same dimension.
pub fn is_simulated<B: Bound>(a: &[B], b: &[B], limits: &ClockLimits<B>) -> bool {
    let dim = limits.lower.len();
    for x in 0..dim {
        // Only a clock that may be at most U_x can be held against b.
        let a_0x = a[x];
        let may_be_small = match limits.upper[x] {
            Limit::None => false,
            Limit::Any => true,
            Limit::Finite(negated_upper) => a_0x >= negated_upper,
        };
        if !may_be_small {
            continue;
        }
        for y in 0..dim {
            let b_yx = b[y * dim + x];
            if b_yx >= a[y * dim + x] {
                continue;
            }
            let is_seen = match limits.lower[y] {
                Limit::None => false,
                Limit::Any => true,
                Limit::Finite(lower) => b_yx.plus(B::new(-lower.value(), true)) < a_0x,
            };
            if is_seen {
                return false;
            }
        }
    }
    true
}
