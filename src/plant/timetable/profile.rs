//! What is taken of a pool over time, and the first instant at which more can be taken.

use crate::plan::{FamilyId, Pool, Setup};
use std::ops::{AddAssign, SubAssign};

/// A stretch `[start, end)` on a single unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub start: i64,
    pub end: i64,
    pub family: FamilyId,
}

/// Who wants to take something, or gives it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub start: i64,
    pub end: i64,
    pub amount: i64,
    pub family: FamilyId,
}

#[derive(Clone, Debug)]
pub enum Profile<'a> {
    /// A single unit: sorted, apart from each other.
    Unit { slots: Vec<Slot>, setup: Option<&'a Setup> },
    /// From each instant on, how much is taken; the first is before all time, and neighbours
    /// differ.
    Many { capacity: i64, levels: Vec<(i64, i64)> },
}

impl<'a> Profile<'a> {
    pub fn of(pool: &'a Pool) -> Profile<'a> {
        match pool.capacity() {
            1 => Profile::Unit { slots: Vec::new(), setup: pool.setup.as_ref() },
            capacity => Profile::many(capacity),
        }
    }

    pub fn many(capacity: i64) -> Profile<'a> {
        Profile::Many { capacity, levels: vec![(i64::MIN, 0)] }
    }

    /// `None` if the claim fits. Otherwise an instant after its start before which it fits
    /// nowhere, however much longer it gets by starting later.
    pub fn clash(&self, claim: &Claim) -> Option<i64> {
        if claim.start >= claim.end {
            return None;
        }
        match self {
            Profile::Unit { slots, setup } => clash_on_unit(slots, *setup, claim),
            Profile::Many { capacity, levels } => {
                let free = capacity - claim.amount;
                let first = levels.partition_point(|level| level.0 <= claim.start) - 1;
                let mut wrong = (first..levels.len())
                    .take_while(|&k| levels[k].0 < claim.end)
                    .skip_while(|&k| levels[k].1 <= free);
                let k = wrong.next()?;
                // Without a later level the amount is above the capacity.
                let later = levels[k + 1..].iter().find(|level| level.1 <= free);
                Some(later.map_or(i64::MAX, |level| level.0))
            }
        }
    }

    /// The claim must fit. Gives what the setups are more than before.
    pub fn take(&mut self, claim: &Claim) -> Setups {
        if claim.start >= claim.end {
            return Setups::default();
        }
        match self {
            Profile::Unit { slots, setup } => {
                let at = slots.partition_point(|slot| slot.start < claim.start);
                let change = detour(slots, *setup, at, claim);
                let Claim { start, end, family, .. } = *claim;
                slots.insert(at, Slot { start, end, family });
                change
            }
            Profile::Many { levels, .. } => {
                raise(levels, claim.start, claim.end, claim.amount);
                Setups::default()
            }
        }
    }

    /// The claim must have been taken. Gives what the setups are less than before.
    pub fn free(&mut self, claim: &Claim) -> Setups {
        if claim.start >= claim.end {
            return Setups::default();
        }
        match self {
            Profile::Unit { slots, setup } => {
                let at = slots.partition_point(|slot| slot.start < claim.start);
                let gone = slots.remove(at);
                debug_assert_eq!((gone.start, gone.end), (claim.start, claim.end));
                detour(slots, *setup, at, claim)
            }
            Profile::Many { levels, .. } => {
                raise(levels, claim.start, claim.end, -claim.amount);
                Setups::default()
            }
        }
    }

    /// Who is the last to start on a unit before an instant, and who the first from it on.
    pub fn neighbours(&self, start: i64) -> (Option<Slot>, Option<Slot>) {
        let Profile::Unit { slots, .. } = self else { return (None, None) };
        let at = slots.partition_point(|slot| slot.start < start);
        (at.checked_sub(1).map(|k| slots[k]), slots.get(at).copied())
    }

    /// What the setups would cost more if the claim were taken.
    pub fn price(&self, claim: &Claim) -> i64 {
        match self {
            Profile::Unit { slots, setup } => {
                let at = slots.partition_point(|slot| slot.start < claim.start);
                detour(slots, *setup, at, claim).cost
            }
            Profile::Many { .. } => 0,
        }
    }
}

/// What lies between neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setups {
    pub cost: i64,
    /// Neighbours without enough time between them. They come about where someone is taken out
    /// between two families for which the direct way is the longer one.
    pub short: i64,
}

impl AddAssign for Setups {
    fn add_assign(&mut self, other: Setups) {
        *self = Setups { cost: self.cost + other.cost, short: self.short + other.short };
    }
}

impl SubAssign for Setups {
    fn sub_assign(&mut self, other: Setups) {
        *self = Setups { cost: self.cost - other.cost, short: self.short - other.short };
    }
}

/// How much more setups there are with the claim than without, if it stands before the slot `at`.
fn detour(slots: &[Slot], setup: Option<&Setup>, at: usize, claim: &Claim) -> Setups {
    let Some(setup) = setup else { return Setups::default() };
    let own = Slot { start: claim.start, end: claim.end, family: claim.family };
    let initial = setup.initial.map(|family| Slot { start: 0, end: 0, family });
    let before = at.checked_sub(1).map_or(initial, |k| Some(slots[k]));
    let after = slots.get(at).copied();
    let cost = |from: Option<Slot>, to: Option<Slot>| match (from, to) {
        (Some(from), Some(to)) => setup.cost[from.family][to.family],
        _ => 0,
    };
    let short = |from: Option<Slot>, to: Option<Slot>| match (from, to) {
        (Some(from), Some(to)) => {
            i64::from(to.start < from.end + setup.time[from.family][to.family])
        }
        _ => 0,
    };
    let own = Some(own);
    Setups {
        cost: cost(before, own) + cost(own, after) - cost(before, after),
        short: short(before, own) + short(own, after) - short(before, after),
    }
}

fn clash_on_unit(slots: &[Slot], setup: Option<&Setup>, claim: &Claim) -> Option<i64> {
    let at = slots.partition_point(|slot| slot.end <= claim.start);
    if let Some(slot) = slots.get(at)
        && slot.start < claim.end
    {
        return Some(slot.end);
    }
    let setup = setup?;
    let before = match at.checked_sub(1) {
        Some(k) => Some((slots[k].end, slots[k].family)),
        None => setup.initial.map(|family| (0, family)),
    };
    if let Some((end, family)) = before {
        let ready = end + setup.time[family][claim.family];
        if claim.start < ready {
            return Some(ready);
        }
    }
    // Whoever starts later ends later, so there is no time before this neighbour at all.
    let slot = slots.get(at)?;
    (claim.end + setup.time[claim.family][slot.family] > slot.start).then_some(slot.end)
}

fn raise(levels: &mut Vec<(i64, i64)>, start: i64, end: i64, amount: i64) {
    let first = split(levels, start);
    let last = split(levels, end);
    for level in &mut levels[first..last] {
        level.1 += amount;
    }
    for k in [last, first] {
        if levels[k].1 == levels[k - 1].1 {
            levels.remove(k);
        }
    }
}

/// The position of the level that begins at the instant; made where there is none.
fn split(levels: &mut Vec<(i64, i64)>, at: i64) -> usize {
    let k = levels.partition_point(|level| level.0 < at);
    if levels.get(k).is_none_or(|level| level.0 != at) {
        levels.insert(k, (at, levels[k - 1].1));
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::SetupTable;
    use takt_testing::Random;

    fn claim(start: i64, end: i64, amount: i64) -> Claim {
        Claim { start, end, amount, family: FamilyId(0) }
    }

    #[test]
    fn levels_are_what_counting_gives() {
        let mut r = Random::new(3);
        let mut random = |below: i64| r.amount(below);
        let mut profile = Profile::many(4);
        let mut taken: Vec<Claim> = Vec::new();
        for _ in 0..2000 {
            let start = random(60);
            let new = claim(start, start + random(9), 1 + random(3));
            let used = |at: i64| {
                let over = taken.iter().filter(|c| c.start <= at && at < c.end);
                over.map(|c| c.amount).sum::<i64>()
            };
            let fits = |s: i64| (s..s + new.end - new.start).all(|at| used(at) + new.amount <= 4);
            let clash = profile.clash(&new);
            assert_eq!(clash.is_none(), fits(start));
            if let Some(next) = clash {
                assert!(next > start && (start..next).all(|s| !fits(s)));
            } else {
                profile.take(&new);
                taken.push(new);
            }
            if random(2) == 0 && !taken.is_empty() {
                let gone = taken.swap_remove(random(taken.len() as i64) as usize);
                profile.free(&gone);
            }
        }
    }

    #[test]
    fn neighbours_on_a_unit_are_set_up() {
        let table = |rows: [[i64; 2]; 2]| {
            rows.into_iter().map(|row| row.into_iter().collect()).collect::<SetupTable>()
        };
        let (time, cost) = (table([[0, 3], [5, 0]]), table([[0, 10], [20, 0]]));
        let setup = Setup { initial: Some(FamilyId(0)), time, cost, ..Setup::default() };
        let mut profile = Profile::Unit { slots: Vec::new(), setup: Some(&setup) };
        let of = |start: i64, end: i64, family: usize| Claim {
            start,
            end,
            amount: 1,
            family: FamilyId(family),
        };
        assert_eq!(profile.clash(&of(0, 2, 1)), Some(3));
        assert_eq!(profile.take(&of(3, 5, 1)).cost, 10);
        assert_eq!(profile.clash(&of(5, 6, 0)), Some(10));
        assert_eq!(profile.clash(&of(0, 1, 0)), Some(5), "no time to set up for what follows");
        assert_eq!(profile.take(&of(12, 14, 0)).cost, 20);
        assert_eq!(profile.clash(&of(6, 7, 1)), None);
        assert_eq!(profile.free(&of(3, 5, 1)), Setups { cost: 30, short: 0 });
    }
}
