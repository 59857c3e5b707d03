//! Setups that are work, in a schedule that is being made: where each of them runs, and where it would.
//!
//! Whoever comes between two steps on a unit needs a setup of his own, and the step after him another one. Both are placed
//! as early as the crew allows; all others stay where they are.

use crate::plan::{CrewWay, FamilyId, IdVec, Plan, PoolId, Setup};
use crate::timetable::{Claim, Profile, SetUp};
use std::collections::{BTreeMap, BTreeSet};

/// A step on a unit: by its start.
type Key = (PoolId, i64);

#[derive(Clone)]
pub struct Crews<'a> {
    plan: &'a Plan,
    pools: BTreeSet<PoolId>,
    placed: BTreeMap<Key, Placed<'a>>,
    /// Those that have found no place.
    missing: BTreeSet<Key>,
}

#[derive(Clone, Copy)]
struct Placed<'a> {
    start: i64,
    end: i64,
    way: &'a CrewWay,
}

type Profiles<'a> = IdVec<PoolId, Profile<'a>>;

impl<'a> Crews<'a> {
    /// `None` where no setup is work.
    pub fn of(plan: &'a Plan) -> Option<Crews<'a>> {
        let (placed, missing) = (BTreeMap::new(), BTreeSet::new());
        plan.has_crews().then(|| Crews { plan, pools: plan.crew_pools(), placed, missing })
    }

    /// With all setups in these places.
    pub fn with(
        plan: &'a Plan,
        all: &[(SetUp<'a>, i64)],
        profiles: &mut Profiles<'a>,
    ) -> Option<Crews<'a>> {
        let mut crews = Crews::of(plan)?;
        for &(SetUp { pool, start, end, way, .. }, key) in all {
            let placed = Placed { start, end, way };
            placed.take(profiles);
            crews.placed.insert((pool, key), placed);
        }
        Some(crews)
    }

    fn setup(&self, pool: PoolId) -> Option<&'a Setup> {
        self.plan.pools[pool].setup.as_ref().filter(|setup| setup.crew.is_some())
    }

    /// Why a step cannot take these pools: an instant before which it cannot start, or which is past whoever follows it.
    pub fn clash(&self, profiles: &Profiles<'a>, claims: &[(PoolId, Claim)]) -> Option<i64> {
        let meant = |(pool, claim): &'_ (PoolId, Claim)| Some((*pool, *claim, self.setup(*pool)?));
        let own: Vec<(PoolId, Claim, &Setup)> = claims.iter().filter_map(meant).collect();
        own.first()?;
        let mut free: BTreeMap<PoolId, Profile<'a>> =
            self.pools.iter().map(|&pool| (pool, profiles[pool].clone())).collect();
        for (pool, claim, _) in &own {
            if let (_, Some(next)) = profiles[*pool].neighbours(claim.start)
                && let Some(old) = self.placed.get(&(*pool, next.start))
            {
                old.give_back(&mut free);
            }
        }
        for (pool, claim, setup) in own {
            let (before, next) = profiles[pool].neighbours(claim.start);
            let before = before.map(|slot| (slot.end, slot.family));
            let before = before.or(setup.initial.map(|family| (0, family)));
            if let Some((end, family)) = before {
                let change = (family, claim.family);
                let due = self.plan.horizon.max(claim.start);
                match self.place(setup, change, (end, due), |pool| &free[&pool]) {
                    Ok(None) => {}
                    Ok(Some(placed)) if placed.end <= claim.start => {
                        placed.take(&mut free);
                    }
                    Ok(Some(placed)) => return Some(placed.end),
                    Err(()) => return Some(i64::MAX),
                }
            }
            if let Some(next) = next {
                let change = (claim.family, next.family);
                match self.place(setup, change, (claim.end, next.start), |pool| &free[&pool]) {
                    Ok(None) => {}
                    Ok(Some(placed)) => placed.take(&mut free),
                    Err(()) => return Some(next.end),
                }
            }
        }
        None
    }

    /// Where a setup is over first; nothing where none is needed.
    fn place<'f>(
        &self,
        setup: &'a Setup,
        (from, to): (FamilyId, FamilyId),
        (end, due): (i64, i64),
        profile: impl Fn(PoolId) -> &'f Profile<'a>,
    ) -> Result<Option<Placed<'a>>, ()>
    where
        'a: 'f,
    {
        let Some((length, ways)) = setup.work(from, to) else { return Ok(None) };
        let ready = end.max(setup.since);
        let places = ways.iter().filter_map(|way| {
            let start = way.earliest(self.plan, &profile, (ready, due, length))?;
            Some(Placed { start, end: start + length, way })
        });
        places.min_by_key(|placed| placed.end).map(Some).ok_or(())
    }

    /// A step has taken a pool: it is set up for, and so is whoever follows it.
    pub fn enter(&mut self, profiles: &mut Profiles<'a>, pool: PoolId, claim: &Claim) {
        if self.setup(pool).is_none() {
            return;
        }
        let (_, next) = profiles[pool].neighbours(claim.start + 1);
        if let Some(next) = next {
            self.forget(profiles, (pool, next.start));
        }
        self.set_up(profiles, (pool, claim.start));
        if let Some(next) = next {
            self.set_up(profiles, (pool, next.start));
        }
    }

    /// A step has given a pool back.
    pub fn leave(&mut self, profiles: &mut Profiles<'a>, pool: PoolId, claim: &Claim) {
        if self.setup(pool).is_none() {
            return;
        }
        self.forget(profiles, (pool, claim.start));
        if let (_, Some(next)) = profiles[pool].neighbours(claim.start) {
            self.forget(profiles, (pool, next.start));
            self.set_up(profiles, (pool, next.start));
        }
    }

    fn forget(&mut self, profiles: &mut Profiles<'a>, key: Key) {
        self.missing.remove(&key);
        if let Some(old) = self.placed.remove(&key) {
            old.give_back(profiles);
        }
    }

    /// Places the setup of a step that is there.
    fn set_up(&mut self, profiles: &mut Profiles<'a>, (pool, start): Key) {
        let Some(setup) = self.setup(pool) else { return };
        let (before, own) = profiles[pool].neighbours(start);
        let before = before.map(|slot| (slot.end, slot.family));
        let before = before.or(setup.initial.map(|family| (0, family)));
        let (Some(own), Some((end, family))) = (own, before) else { return };
        let change = (family, own.family);
        match self.place(setup, change, (end, own.start), |pool| &profiles[pool]) {
            Ok(None) => {}
            Ok(Some(placed)) => {
                placed.take(profiles);
                self.placed.insert((pool, start), placed);
            }
            Err(()) => {
                self.missing.insert((pool, start));
            }
        }
    }

    /// Whether all setups have their places; those that had none look once more.
    pub fn are_placed(&mut self, profiles: &mut Profiles<'a>) -> bool {
        for key in std::mem::take(&mut self.missing) {
            self.set_up(profiles, key);
        }
        self.missing.is_empty()
    }

    pub fn is_missing(&self) -> bool {
        !self.missing.is_empty()
    }
}

impl Placed<'_> {
    fn claims(&self) -> impl Iterator<Item = (PoolId, Claim)> {
        self.way.needs.iter().map(|need| {
            let (start, end, amount) = (self.start, self.end, need.amount);
            (need.pool, Claim { start, end, amount, family: FamilyId(0) })
        })
    }

    fn take<'a>(&self, profiles: &mut impl Pools<'a>) {
        for (pool, claim) in self.claims() {
            profiles.of(pool).into_iter().for_each(|profile| _ = profile.take(&claim));
        }
    }

    fn give_back<'a>(&self, profiles: &mut impl Pools<'a>) {
        for (pool, claim) in self.claims() {
            profiles.of(pool).into_iter().for_each(|profile| _ = profile.free(&claim));
        }
    }
}

/// Profiles of all pools, or of those that crews come from.
trait Pools<'a> {
    fn of(&mut self, pool: PoolId) -> Option<&mut Profile<'a>>;
}

impl<'a> Pools<'a> for Profiles<'a> {
    fn of(&mut self, pool: PoolId) -> Option<&mut Profile<'a>> {
        Some(&mut self[pool])
    }
}

impl<'a> Pools<'a> for BTreeMap<PoolId, Profile<'a>> {
    fn of(&mut self, pool: PoolId) -> Option<&mut Profile<'a>> {
        self.get_mut(&pool)
    }
}
