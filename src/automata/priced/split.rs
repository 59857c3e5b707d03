//! The operations that may split a priced zone: delay and projection.

use super::Priced;
use crate::dbm::{Bound, NoMinimum};

/// A bound that may decide: `x_clock + offset` is what the value in question is at least (or
/// at most).
#[derive(Clone, Copy)]
struct Choice {
    clock: usize,
    offset: i64,
    is_strict: bool,
}

/// Which of several sums decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Largest,
    Smallest,
}

impl<B: Bound> Priced<B> {
    /// Lets time pass at a price per unit.
    ///
    /// Waiting `d` costs `price * d`, and the valuation before it lies back on a line along
    /// which the function falls by `slope`, the sum of all rates, per unit. If waiting is
    /// dearer than that, the shortest wait is best: none inside the zone, and beyond it as long
    /// as since the upper bound that was left last. If it is cheaper, the longest is best:
    /// as long as since the lower bound that was met last.
    pub fn delay(self, price: i64) -> Result<Vec<Priced<B>>, NoMinimum> {
        let slope = self.rates.iter().try_fold(0i64, |sum, &r| sum.checked_add(r));
        let extra = slope.and_then(|slope| price.checked_sub(slope)).ok_or(NoMinimum::Overflow)?;
        let mut later = self.zone.clone();
        later.up();
        if extra == 0 || later == self.zone && extra > 0 {
            return Ok(vec![Priced { zone: later, ..self }]);
        }
        let waited = Priced { zone: later, ..self.clone() };
        if extra < 0 {
            // The wait is the smallest of x_i - l_i.
            let choices = self.choices(|i| (self.zone.get(0, i), 1));
            return waited.parts(choices, Pick::Smallest, extra);
        }
        // The wait is the largest of x_i - u_i, if that is not negative.
        let choices = self.choices(|i| (self.zone.get(i, 0), -1));
        let mut parts = Vec::new();
        for &Choice { clock, offset, .. } in &choices {
            let mut left = waited.clone();
            if left.zone.constrain(0, clock, B::new(offset, false))
                && let Some(part) = left.part(clock, &choices, Pick::Largest, extra)?
            {
                add(&mut parts, part);
            }
        }
        if !parts.iter().any(|part| self.zone.is_subset_of(&part.zone)) {
            parts.push(self);
        }
        Ok(parts)
    }

    /// Forgets all about a clock: its cheapest value counts, given the other clocks. That is
    /// the smallest one if the rate is positive, else the largest.
    pub fn forget(mut self, clock: usize) -> Result<Vec<Priced<B>>, NoMinimum> {
        let rate = self.rates[clock];
        if rate == 0 {
            self.zone.free(clock);
            return Ok(vec![self]);
        }
        let others = (0..self.zone.dim()).filter(|&j| j != clock);
        let (choices, pick): (Vec<Choice>, Pick) = match rate > 0 {
            // The clock is at least x_j - d[j][clock].
            true => (
                others.filter_map(|j| choice(j, self.zone.get(j, clock), -1)).collect(),
                Pick::Largest,
            ),
            // The clock is at most x_j + d[clock][j].
            false => (
                others.filter_map(|j| choice(j, self.zone.get(clock, j), 1)).collect(),
                Pick::Smallest,
            ),
        };
        if choices.is_empty() {
            return Err(NoMinimum::Unbounded);
        }
        self.rates[clock] = 0;
        let mut parts = self.parts(choices, pick, rate)?;
        parts.iter_mut().for_each(|part| part.zone.free(clock));
        Ok(parts)
    }

    fn choices(&self, bound: impl Fn(usize) -> (B, i64)) -> Vec<Choice> {
        (1..self.zone.dim())
            .filter_map(|i| {
                let (bound, sign) = bound(i);
                choice(i, bound, sign)
            })
            .collect()
    }

    /// The zone in parts by which of the sums decides; the function grows by `rate` times it.
    fn parts(
        &self,
        choices: Vec<Choice>,
        pick: Pick,
        rate: i64,
    ) -> Result<Vec<Priced<B>>, NoMinimum> {
        let mut found = Vec::new();
        for choice in &choices {
            if let Some(part) = self.part(choice.clock, &choices, pick, rate)? {
                add(&mut found, part);
            }
        }
        Ok(found)
    }

    /// The part in which the sum of this clock decides. Parts overlap where two sums are equal,
    /// and so are their costs there; but a strict bound keeps the cost from being attained, so
    /// the part of a bound that is not strict ends before it.
    fn part(
        &self,
        clock: usize,
        choices: &[Choice],
        pick: Pick,
        rate: i64,
    ) -> Result<Option<Priced<B>>, NoMinimum> {
        let chosen = *choices.iter().find(|c| c.clock == clock).expect("one of the choices");
        let mut part = self.clone();
        for other in choices.iter().filter(|other| other.clock != clock) {
            let (i, j, difference) = match pick {
                Pick::Largest => (other.clock, clock, chosen.offset - other.offset),
                Pick::Smallest => (clock, other.clock, other.offset - chosen.offset),
            };
            if !part.zone.constrain(i, j, B::new(difference, other.is_strict && !chosen.is_strict))
            {
                return Ok(None);
            }
        }
        let shift = rate.checked_mul(chosen.offset);
        let base = shift.and_then(|shift| part.base.checked_add(shift));
        part.base = base.ok_or(NoMinimum::Overflow)?;
        if clock != 0 {
            let grown = part.rates[clock].checked_add(rate);
            part.rates[clock] = grown.ok_or(NoMinimum::Overflow)?;
        }
        part.is_attained &= !chosen.is_strict;
        Ok(Some(part))
    }
}

/// Adds a part unless another one contains it: costs are equal where parts overlap. Clocks that
/// always differ by the same amount would otherwise give a part each.
fn add<B: Bound>(parts: &mut Vec<Priced<B>>, part: Priced<B>) {
    let holds = |a: &Priced<B>, b: &Priced<B>| {
        b.zone.is_subset_of(&a.zone) && (a.is_attained || !b.is_attained)
    };
    if !parts.iter().any(|other| holds(other, &part)) {
        parts.retain(|other| !holds(&part, other));
        parts.push(part);
    }
}

/// A finite bound as a choice.
fn choice<B: Bound>(clock: usize, bound: B, sign: i64) -> Option<Choice> {
    (bound != B::INFINITY).then(|| Choice {
        clock,
        offset: sign * bound.value(),
        is_strict: bound.is_strict(),
    })
}
