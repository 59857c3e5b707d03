//! Cost planes over zones: the symbolic states of cost-optimal reachability.
//!
//! # Notation
//! A priced zone is a zone with a linear function: `cost(v) = base + sum of rates[i] * x_i` is the
//! least cost at which the valuation `v` was reached (Larsen, Behrmann, Brinksma, Fehnker, Hune,
//! Pettersson, Romijn: As cheap as possible, 2001). Letting time pass and forgetting a clock may
//! make the least cost piecewise linear: the result is then several priced zones, a partition
//! by which bound decides. The function is kept in absolute terms, so that guards and invariants
//! cut the zone and leave it alone.
//!
//! `is_attained` tells whether the cost is reached or only approached: strict bounds keep a run
//! from being as cheap as their limit.

mod split;

use crate::dbm::{Bound, Dbm, Minimum, NoMinimum, subtract};

/// A zone and what it costs to be there.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Priced<B> {
    pub zone: Dbm<B>,
    pub base: i64,
    /// Per clock of the zone; entry 0 is 0.
    pub rates: Vec<i64>,
    pub is_attained: bool,
}

impl<B: Bound> Priced<B> {
    /// Everything in the zone is for free.
    pub fn free(zone: Dbm<B>) -> Priced<B> {
        let rates = vec![0; zone.dim()];
        Priced { zone, base: 0, rates, is_attained: true }
    }

    /// The least cost of any valuation.
    pub fn minimum(&self) -> Result<Minimum, NoMinimum> {
        let mut minimum = self.zone.minimum(&self.rates)?;
        minimum.value = minimum.value.checked_add(self.base).ok_or(NoMinimum::Overflow)?;
        Ok(minimum)
    }

    /// Whether `other` is at least as good: it has every valuation of this zone, nowhere at a
    /// higher cost.
    pub fn is_dominated_by(&self, other: &Priced<B>) -> Result<bool, NoMinimum> {
        Ok(self.zone.is_subset_of(&other.zone) && self.is_no_cheaper(&self.zone, other)?)
    }

    /// The valuations of this zone that `other` does not have at the same cost or less, if those
    /// that both have are nowhere cheaper here; else `None`.
    pub fn beyond(&self, other: &Priced<B>) -> Option<Vec<Dbm<B>>> {
        let mut both = self.zone.clone();
        if !both.intersect(&other.zone) || !self.is_no_cheaper(&both, other).unwrap_or(false) {
            return None;
        }
        Some(subtract(&self.zone, &other.zone))
    }

    /// Whether this zone costs at least as much as `other` all over `part`, which both contain.
    fn is_no_cheaper(&self, part: &Dbm<B>, other: &Priced<B>) -> Result<bool, NoMinimum> {
        // What is only approached there is no worse than what is reached here if it is less.
        let margin = i64::from(self.is_attained && !other.is_attained);
        let base = self.base.checked_sub(other.base).ok_or(NoMinimum::Overflow)?;
        if self.rates == other.rates {
            return Ok(base >= margin);
        }
        let difference: Option<Vec<i64>> =
            self.rates.iter().zip(&other.rates).map(|(a, b)| a.checked_sub(*b)).collect();
        match part.minimum(&difference.ok_or(NoMinimum::Overflow)?) {
            Ok(minimum) => Ok(match minimum.value.checked_add(base) {
                // Equal at a limit that this part does not reach: dearer wherever it is.
                Some(0) if margin > 0 => !part.clone().reaches(&minimum.tight),
                least => least.is_none_or(|least| least >= margin),
            }),
            Err(NoMinimum::Unbounded) => Ok(false),
            Err(overflow) => Err(overflow),
        }
    }
}

#[cfg(test)]
mod tests;
