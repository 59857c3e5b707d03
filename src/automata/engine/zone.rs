//! What the search needs of the symbolic part of a state, whatever kind of zone it is.

use super::candidate::Atom;
use crate::dbm::{Bound, ClockLimits, Dbm, NoMinimum, Origin, are_apart, is_below, is_simulated};
use crate::priced::Priced;
use std::hash::Hash;

/// A symbolic set of clock valuations and, for some kinds, of what they cost.
///
/// Operations on costs may split a zone: the first part stays in place, the others are added to
/// `spill`. A stored zone is a slice of words whose length depends on its dimension alone, so
/// that a store can keep zones of one dimension side by side.
pub trait Zone: Clone + Default + Send {
    type Bound: Bound;
    type Word: Copy + Eq + Hash + Send + 'static;
    /// Prices are looked at.
    const IS_PRICED: bool;

    /// The valuations, without anything that is attached to them.
    fn dbm(&self) -> &Dbm<Self::Bound>;
    /// Takes over these valuations; what is attached stays as it is.
    fn set_dbm(&mut self, dbm: Dbm<Self::Bound>);
    /// Takes over these valuations, at no cost.
    fn start(&mut self, dbm: Dbm<Self::Bound>);
    /// Intersects; false if nothing is left.
    fn constrain(&mut self, i: usize, j: usize, bound: Self::Bound) -> bool;
    /// Resets, projects and renames clocks (see [`Dbm::reshape_from`]).
    fn reshape_from(
        &mut self,
        source: &Self,
        origins: &[Origin<Self::Bound>],
        spill: &mut Vec<Self>,
    ) -> Result<(), NoMinimum>;
    /// Lets time pass at this price per unit.
    fn delay(&mut self, price: i64, spill: &mut Vec<Self>) -> Result<(), NoMinimum>;
    /// Lets time pass, at no price, within invariants that bound clocks from above. False if the
    /// invariants do not even hold before; the zone must not be used then.
    fn delay_within(&mut self, invariant: &[Atom<Self::Bound>]) -> bool;
    /// Whether the zone need not be widened yet: no finite bound is larger than this.
    fn is_within(&self, largest: Self::Bound) -> bool;
    /// Adds to the cost.
    fn pay(&mut self, amount: i64) -> Result<(), NoMinimum>;
    /// Widens the zone by what the limits make indistinguishable.
    fn widen(
        &mut self,
        limits: &ClockLimits<Self::Bound>,
        spill: &mut Vec<Self>,
    ) -> Result<(), NoMinimum>;
    /// The least cost inside `part`, a part of the valuations, and whether it is attained.
    fn least_cost(&self, part: &Dbm<Self::Bound>) -> Result<(i64, bool), NoMinimum>;

    /// The infimum of the cost plus the sum of `rates[i]` times clock `i`.
    fn least_sum(&self, rates: &[i64]) -> Result<i64, NoMinimum>;

    /// How many words a stored zone of this dimension has.
    fn stored_len(dim: usize) -> usize;
    /// As it is stored; `room` may be used for the words.
    fn words<'a>(&'a self, room: &'a mut Vec<Self::Word>) -> &'a [Self::Word];
    fn restore(&mut self, dim: usize, words: &[Self::Word]);
    /// Whether all of `a` is in `b`, both stored and of one dimension, at no higher cost; with
    /// limits, whether `b` can do all that `a` can.
    fn is_covered(
        dim: usize,
        a: &[Self::Word],
        b: &[Self::Word],
        limits: Option<&ClockLimits<Self::Bound>>,
    ) -> bool;
    /// Widens the stored zone `a` to the smallest one around it and `b`, of the same dimension.
    /// Only for zones without prices.
    fn join(_a: &mut [Self::Word], _b: &[Self::Word]) {
        unreachable!("there is no hull of priced zones")
    }
    /// Whether several stored zones of this dimension cover all of `a` together, where no single
    /// one does. Costs split zones in ever other ways: without this a search may not end.
    fn is_covered_by_all(
        _dim: usize,
        _a: &[Self::Word],
        _others: &mut dyn Iterator<Item = &[Self::Word]>,
    ) -> bool {
        false
    }
}

impl<B: Bound> Zone for Dbm<B> {
    type Bound = B;
    type Word = B;
    const IS_PRICED: bool = false;

    fn dbm(&self) -> &Dbm<B> {
        self
    }

    fn set_dbm(&mut self, dbm: Dbm<B>) {
        *self = dbm;
    }

    fn start(&mut self, dbm: Dbm<B>) {
        *self = dbm;
    }

    #[inline]
    fn constrain(&mut self, i: usize, j: usize, bound: B) -> bool {
        Dbm::constrain(self, i, j, bound)
    }

    #[inline]
    fn reshape_from(
        &mut self,
        source: &Self,
        origins: &[Origin<B>],
        _: &mut Vec<Self>,
    ) -> Result<(), NoMinimum> {
        Dbm::reshape_from(self, source, origins);
        Ok(())
    }

    #[inline]
    fn delay(&mut self, _: i64, _: &mut Vec<Self>) -> Result<(), NoMinimum> {
        self.up();
        Ok(())
    }

    #[inline]
    fn delay_within(&mut self, invariant: &[Atom<B>]) -> bool {
        self.up_within(invariant.iter().map(|a| (usize::from(a.i), a.bound)))
    }

    #[inline]
    fn is_within(&self, largest: B) -> bool {
        Dbm::is_within(self, largest)
    }

    fn pay(&mut self, _: i64) -> Result<(), NoMinimum> {
        Ok(())
    }

    #[inline]
    fn widen(&mut self, limits: &ClockLimits<B>, _: &mut Vec<Self>) -> Result<(), NoMinimum> {
        self.extrapolate(limits);
        Ok(())
    }

    fn least_cost(&self, _: &Dbm<B>) -> Result<(i64, bool), NoMinimum> {
        Ok((0, true))
    }

    fn least_sum(&self, rates: &[i64]) -> Result<i64, NoMinimum> {
        Ok(self.minimum(rates)?.value)
    }

    fn stored_len(dim: usize) -> usize {
        dim * dim
    }

    #[inline]
    fn words<'a>(&'a self, _: &'a mut Vec<B>) -> &'a [B] {
        self.cells()
    }

    fn restore(&mut self, dim: usize, words: &[B]) {
        self.copy_from(dim, words);
    }

    #[inline]
    fn is_covered(_: usize, a: &[B], b: &[B], limits: Option<&ClockLimits<B>>) -> bool {
        match limits {
            None => is_below(a, b),
            Some(limits) => is_simulated(a, b, limits),
        }
    }

    /// The larger bounds of two closed matrices are closed.
    fn join(a: &mut [B], b: &[B]) {
        a.iter_mut().zip(b).for_each(|(a, &b)| *a = b.max(*a));
    }
}

/// Stored as the matrix, the rates, the base and whether the cost is attained.
impl<B: Bound> Zone for Priced<B> {
    type Bound = B;
    type Word = B;
    const IS_PRICED: bool = true;

    fn dbm(&self) -> &Dbm<B> {
        &self.zone
    }

    fn set_dbm(&mut self, dbm: Dbm<B>) {
        self.zone = dbm;
    }

    fn start(&mut self, dbm: Dbm<B>) {
        *self = Priced::free(dbm);
    }

    fn constrain(&mut self, i: usize, j: usize, bound: B) -> bool {
        self.zone.constrain(i, j, bound)
    }

    fn reshape_from(
        &mut self,
        source: &Self,
        origins: &[Origin<B>],
        spill: &mut Vec<Self>,
    ) -> Result<(), NoMinimum> {
        let kept = |i: usize| origins.contains(&Origin::Kept(i));
        let mut parts = vec![source.clone()];
        // Forgetting one clock may put its rate on another that goes later: so those that the
        // cost does not depend on go first.
        let mut gone: Vec<usize> = (1..source.zone.dim()).filter(|&i| !kept(i)).collect();
        gone.sort_by_key(|&i| source.rates[i] != 0);
        for clock in gone {
            parts = each(parts, |part| part.forget(clock))?;
        }
        for part in &mut parts {
            let mut zone = Dbm::default();
            zone.reshape_from(&part.zone, origins);
            let rate = |origin: &Origin<B>| match *origin {
                Origin::Kept(i) => part.rates[i],
                Origin::Set(_) => 0,
            };
            part.rates = [0].into_iter().chain(origins.iter().map(rate)).collect();
            part.zone = zone;
        }
        self.take_first(parts, spill);
        Ok(())
    }

    fn delay(&mut self, price: i64, spill: &mut Vec<Self>) -> Result<(), NoMinimum> {
        let parts = std::mem::take(self).delay(price)?;
        self.take_first(parts, spill);
        Ok(())
    }

    fn delay_within(&mut self, _: &[Atom<B>]) -> bool {
        unreachable!("waiting has a price")
    }

    fn is_within(&self, _: B) -> bool {
        false
    }

    fn pay(&mut self, amount: i64) -> Result<(), NoMinimum> {
        self.base = self.base.checked_add(amount).ok_or(NoMinimum::Overflow)?;
        Ok(())
    }

    /// A clock that the cost does not depend on is widened as usual: what is added costs the
    /// same as what simulates it. One that it depends on is not, but where it is beyond all
    /// limits its value is forgotten first; the zone is split there. Of clocks that always differ
    /// by the same amount the cost may depend on any: the one with the highest limit is best.
    fn widen(&mut self, limits: &ClockLimits<B>, spill: &mut Vec<Self>) -> Result<(), NoMinimum> {
        self.lean_on_highest(limits);
        let mut open = vec![std::mem::take(self)];
        let mut done: Vec<Priced<B>> = Vec::new();
        while !open.is_empty() {
            // The cheapest goes first: once it is widened it may make the rest superfluous.
            let rank =
                |part: &Priced<B>| Ok((part.minimum()?.value, beyond(part, limits).is_some()));
            let ranks: Vec<(i64, bool)> = open.iter().map(rank).collect::<Result<_, _>>()?;
            let cheapest = (0..open.len()).min_by_key(|&at| ranks[at]).expect("not empty");
            let mut part = open.swap_remove(cheapest);
            let is_dominated = |other| part.is_dominated_by(other).unwrap_or(false);
            if done.iter().any(is_dominated) {
                continue;
            }
            match beyond(&part, limits) {
                Some(clock) => part.split_at_limit(clock, limits, &mut open)?,
                None => {
                    let counted = limits.with_any(|i| part.rates[i] != 0);
                    part.zone.extrapolate(&counted);
                    done.push(part);
                }
            }
        }
        self.take_first(done, spill);
        Ok(())
    }

    fn least_cost(&self, part: &Dbm<B>) -> Result<(i64, bool), NoMinimum> {
        let minimum = part.minimum(&self.rates)?;
        let value = minimum.value.checked_add(self.base).ok_or(NoMinimum::Overflow)?;
        Ok((value, self.is_attained && part.clone().reaches(&minimum.tight)))
    }

    fn least_sum(&self, rates: &[i64]) -> Result<i64, NoMinimum> {
        let plus = |(a, b): (&i64, &i64)| a.checked_add(*b).ok_or(NoMinimum::Overflow);
        let rates: Vec<i64> = self.rates.iter().zip(rates).map(plus).collect::<Result<_, _>>()?;
        let value = self.zone.minimum(&rates)?.value;
        value.checked_add(self.base).ok_or(NoMinimum::Overflow)
    }

    fn stored_len(dim: usize) -> usize {
        dim * dim + dim * B::WORDS_PER_NUMBER + 1
    }

    fn words<'a>(&'a self, room: &'a mut Vec<B>) -> &'a [B] {
        room.clear();
        room.extend_from_slice(self.zone.cells());
        B::write_number(self.base, room);
        self.rates[1..].iter().for_each(|&rate| B::write_number(rate, room));
        room.push(if self.is_attained { B::ZERO } else { B::BELOW_ZERO });
        room
    }

    fn restore(&mut self, dim: usize, words: &[B]) {
        self.zone.copy_from(dim, &words[..dim * dim]);
        let mut numbers = words[dim * dim..].chunks_exact(B::WORDS_PER_NUMBER).map(B::read_number);
        self.base = numbers.next().expect("a stored zone has a base");
        self.rates.clear();
        self.rates.push(0);
        self.rates.extend(numbers.take(dim - 1));
        self.is_attained = words.last() == Some(&B::ZERO);
    }

    fn is_covered(dim: usize, a: &[B], b: &[B], _: Option<&ClockLimits<B>>) -> bool {
        if !is_below(&a[..dim * dim], &b[..dim * dim]) {
            return false;
        }
        // Numbers too large to compare: better to keep both.
        let (here, there) = (Priced::stored(dim, a), Priced::stored(dim, b));
        here.is_dominated_by(&there).unwrap_or(false)
    }

    fn is_covered_by_all(dim: usize, a: &[B], others: &mut dyn Iterator<Item = &[B]>) -> bool {
        let whole = Priced::stored(dim, a);
        let mut open = vec![whole.zone.clone()];
        for words in others {
            let is_apart = |zone: &Dbm<B>| are_apart(dim, zone.cells(), &words[..dim * dim]);
            if open.iter().all(is_apart) {
                continue;
            }
            let other = Priced::stored(dim, words);
            let rest = |zone: Dbm<B>| match is_apart(&zone) {
                true => vec![zone],
                false => {
                    let part = Priced { zone, ..whole.clone() };
                    part.beyond(&other).unwrap_or_else(|| vec![part.zone])
                }
            };
            open = open.into_iter().flat_map(rest).collect();
            if open.is_empty() {
                return true;
            }
            if open.len() > MOST_PARTS {
                return false;
            }
        }
        false
    }
}

impl<B: Bound> Priced<B> {
    fn stored(dim: usize, words: &[B]) -> Priced<B> {
        let mut zone = Priced::default();
        zone.restore(dim, words);
        zone
    }

    /// Lets the cost depend on clocks with high limits where there is a choice.
    fn lean_on_highest(&mut self, limits: &ClockLimits<B>) {
        let limit = |i: usize| limits.highest(i).unwrap_or(-1);
        for i in 1..self.zone.dim() {
            let rate = self.rates[i];
            let is_tied =
                |&j: &usize| j != i && self.zone.get(i, j).plus(self.zone.get(j, i)) == B::ZERO;
            let others = (1..self.zone.dim()).filter(is_tied);
            let highest = others.max_by_key(|&j| limit(j)).filter(|&j| limit(j) > limit(i));
            let Some(j) = highest.filter(|_| rate != 0) else { continue };
            let shift = rate.checked_mul(self.zone.get(i, j).value());
            let base = shift.and_then(|shift| self.base.checked_add(shift));
            let (Some(base), Some(sum)) = (base, self.rates[j].checked_add(rate)) else { continue };
            (self.base, self.rates[i], self.rates[j]) = (base, 0, sum);
        }
    }

    /// Forgets the clock where it is beyond its limit, and adds what becomes of the zone there
    /// and of the rest to `parts`.
    fn split_at_limit(
        self,
        clock: usize,
        limits: &ClockLimits<B>,
        parts: &mut Vec<Priced<B>>,
    ) -> Result<(), NoMinimum> {
        let limit = limits.highest(clock).unwrap_or(-1);
        let mut below = self.clone();
        if below.zone.constrain(clock, 0, B::new(limit, false)) {
            parts.push(below);
        }
        let mut above = self;
        if above.zone.constrain(0, clock, B::new(-limit, true)) {
            for mut part in above.forget(clock)? {
                part.lean_on_highest(limits);
                let is_left = part.zone.constrain(0, clock, B::new(-limit, true));
                assert!(is_left, "a clock without an upper bound can be beyond its limit");
                parts.push(part);
            }
        }
        Ok(())
    }

    fn take_first(&mut self, mut parts: Vec<Priced<B>>, spill: &mut Vec<Priced<B>>) {
        *self = parts.pop().expect("an operation leaves at least one part");
        spill.append(&mut parts);
    }
}

/// A zone that falls into more parts than this is taken as not covered.
const MOST_PARTS: usize = 256;

/// A clock that the cost depends on and that some valuation has beyond all limits.
fn beyond<B: Bound>(part: &Priced<B>, limits: &ClockLimits<B>) -> Option<usize> {
    (1..part.zone.dim()).find(|&clock| {
        let upper = part.zone.get(clock, 0);
        let limit = limits.highest(clock).unwrap_or(-1);
        let may_be_beyond = upper == B::INFINITY || upper.value() > limit;
        part.rates[clock] != 0 && limit != i64::MAX && may_be_beyond
    })
}

fn each<B: Bound>(
    parts: Vec<Priced<B>>,
    split: impl Fn(Priced<B>) -> Result<Vec<Priced<B>>, NoMinimum>,
) -> Result<Vec<Priced<B>>, NoMinimum> {
    let mut found = Vec::new();
    for part in parts {
        found.extend(split(part)?);
    }
    Ok(found)
}
