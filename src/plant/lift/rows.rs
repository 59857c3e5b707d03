//! The rows of a schedule: units are given out, setups and holds are written down.

use crate::plan::{IdVec, Need, OrderId, Plan, Pool, PoolId, ResourceId, Role, StepId};
use crate::timetable::{self, Jobs, SetUp, named, users};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use takt_spec::schedule::{Kind, Row};

/// Someone who takes units of pools from `start` to `end`.
struct Taker<'a> {
    kind: Kind,
    order: OrderId,
    step: StepId,
    needs: &'a [Need],
    start: i64,
    end: i64,
    work: Option<i64>,
}

/// What rows are sorted by: start, order, step, the resource's place by name, kind.
type Key = (i64, OrderId, StepId, usize, Kind);

/// The units of a pool as time goes by.
struct Units {
    /// The first comes first.
    free: BinaryHeap<Reverse<usize>>,
    /// Until when a unit is taken.
    taken: BinaryHeap<Reverse<(i64, usize)>>,
}

impl Units {
    /// Facts have the units that they name from the beginning. Where units are many, nobody starts before
    /// all of these have.
    fn of(pool: &Pool, claims: &[(usize, i64)]) -> Units {
        let is_free = |unit: &usize| pool.units.len() == 1 || claims.iter().all(|(u, _)| u != unit);
        let taken = claims.iter().filter(|_| pool.units.len() > 1);
        Units {
            free: (0..pool.units.len()).filter(is_free).map(Reverse).collect(),
            taken: taken.map(|&(unit, end)| Reverse((end, unit))).collect(),
        }
    }

    /// Among intervals sorted by start the first unit that is free will do: no more of them than
    /// there are units overlap.
    fn take(&mut self, start: i64, end: i64) -> usize {
        while let Some(&Reverse((until, unit))) = self.taken.peek()
            && until <= start
        {
            self.taken.pop();
            self.free.push(Reverse(unit));
        }
        let unit = self.free.pop().map_or(0, |Reverse(unit)| unit);
        self.taken.push(Reverse((end, unit)));
        unit
    }
}

/// Sorted as `schedule.csv` is.
pub fn rows(plan: &Plan, jobs: &Jobs) -> Vec<Row> {
    let work = timetable::setups(plan, jobs).unwrap_or_default();
    let mut takers = takers(plan, jobs);
    takers.extend(setups(plan, jobs));
    takers.extend(work.iter().flat_map(|setup| worked(plan, jobs, setup)));
    takers.sort_by_key(|taker| (taker.start, taker.end, taker.order, taker.step, taker.kind));
    let claims = claims(plan, jobs);
    let own =
        |(k, pool): (PoolId, &Pool)| Units::of(pool, claims.get(&k).map_or(&[], Vec::as_slice));
    let mut units: IdVec<PoolId, Units> = plan.pools.entries().map(own).collect();
    let places = places(plan);
    let mut found = facts(plan, &places);
    for taker in &takers {
        let key = |place: usize| (taker.start, taker.order, taker.step, place, taker.kind);
        for need in taker.needs {
            let pool = &plan.pools[need.pool];
            let resource = &plan.resources[pool.resource];
            for _ in 0..need.amount {
                let unit = units[need.pool].take(taker.start, taker.end);
                let mut row = row(plan, taker);
                row.resource.clone_from(&resource.name);
                row.unit.clone_from(&resource.units[pool.units[unit]]);
                found.push((key(places[&pool.resource]), row));
            }
        }
        if taker.needs.is_empty() {
            found.push((key(0), row(plan, taker)));
        }
    }
    found.sort_by_key(|(key, _)| *key);
    found.into_iter().map(|(_, row)| row).collect()
}

/// For each resource, how many come up to it by name; rows without a resource stand before all.
fn places(plan: &Plan) -> BTreeMap<ResourceId, usize> {
    let mut names: Vec<ResourceId> = plan.resources.ids().collect();
    names.sort_by_key(|&k| &plan.resources[k].name);
    names.into_iter().zip(1..).collect()
}

/// The rows of facts, as they are known.
fn facts(plan: &Plan, places: &BTreeMap<ResourceId, usize>) -> Vec<(Key, Row)> {
    let mut found = Vec::new();
    for (&(order, step), fact) in &plan.facts {
        let (start, end, work) = (fact.start, fact.end, Some(fact.work));
        let taker = Taker { kind: Kind::Step, order, step, needs: &[], start, end, work };
        let key = |place: usize| (start, order, step, place, Kind::Step);
        for unit in &fact.units {
            let resource = &plan.resources[unit.resource];
            let mut row = row(plan, &taker);
            row.resource.clone_from(&resource.name);
            row.unit.clone_from(&resource.units[unit.number]);
            found.push((key(places[&unit.resource]), row));
        }
        if fact.units.is_empty() {
            found.push((key(0), row(plan, &taker)));
        }
    }
    found
}

/// The units of each pool that facts have, by position in it, and until when.
fn claims(plan: &Plan, jobs: &Jobs) -> BTreeMap<PoolId, Vec<(usize, i64)>> {
    let mut found: BTreeMap<PoolId, Vec<(usize, i64)>> = BTreeMap::new();
    // Orders without facts claim nothing.
    let orders: BTreeSet<OrderId> = plan.facts.keys().map(|(order, _)| *order).collect();
    for order in orders {
        for (step, job) in jobs[order].entries() {
            let part = &plan.steps(order)[step];
            if let (Role::Claim(_, unit), [need]) = (part.role, &part.modes[job.mode].needs[..]) {
                let at =
                    plan.pools[need.pool].units.iter().position(|&number| number == unit.number);
                found.entry(need.pool).or_default().extend(at.map(|at| (at, job.end)));
            }
        }
    }
    found
}

fn row(plan: &Plan, taker: &Taker) -> Row {
    let order = &plan.orders[taker.order];
    let recipe = &plan.recipes[order.recipe];
    Row {
        kind: taker.kind,
        order: order.id.clone(),
        recipe: recipe.name.clone(),
        step: recipe.steps[taker.step].name.clone(),
        start: taker.start,
        end: taker.end,
        work: taker.work,
        ..Row::default()
    }
}

fn takers<'a>(plan: &'a Plan, jobs: &Jobs) -> Vec<Taker<'a>> {
    let mut takers = Vec::new();
    for (order, own) in jobs.entries() {
        let recipe = plan.recipe(order);
        for (step, job) in own.entries() {
            let mode = &recipe.steps[step].modes[job.mode];
            let (start, end, work) = (job.start, job.end, Some(mode.duration));
            let (kind, needs) = (Kind::Step, &mode.needs[..]);
            if recipe.steps[step].role == Role::Open {
                takers.push(Taker { kind, order, step, needs, start, end, work });
            }
            let start = plan.facts.get(&(order, step)).map_or(start, |fact| fact.start);
            for &(hold, choice) in &job.holds {
                let hold = &recipe.holds[hold];
                let (end, needs) = (own[hold.until].end, &hold.choices[choice][..]);
                if end > start {
                    let (kind, work) = (Kind::Hold, None);
                    takers.push(Taker { kind, order, step, needs, start, end, work });
                }
            }
        }
    }
    takers
}

/// Between neighbours on a unit that need time for it: the unit is taken before the second starts.
fn setups<'a>(plan: &'a Plan, jobs: &Jobs) -> Vec<Taker<'a>> {
    let mut takers = Vec::new();
    for (number, pool) in plan.pools.entries() {
        let Some(setup) = pool.setup.as_ref().filter(|setup| setup.crew.is_none()) else {
            continue;
        };
        let mut last = setup.initial;
        for (order, step) in users(plan, jobs, number) {
            let (part, job) = (&plan.steps(order)[step], &jobs[order][step]);
            let since = if last == setup.initial { setup.since } else { 0 };
            let time = last.map_or(0, |last| setup.time[last][part.family] - since);
            last = Some(part.family);
            let step = named(plan, order, step);
            let (kind, start, end) = (Kind::Setup, job.start - time, job.start);
            let needs = part.modes[job.mode].needs.iter().filter(|need| need.pool == number);
            takers.extend(needs.filter(|_| time > 0).map(|need| {
                let needs = std::slice::from_ref(need);
                Taker { kind, order, step, needs, start, end, work: None }
            }));
        }
    }
    takers
}

/// A setup that is work takes its unit, and whoever does it.
fn worked<'a>(
    plan: &'a Plan,
    jobs: &Jobs,
    setup: &SetUp<'a>,
) -> impl Iterator<Item = Taker<'a>> + use<'a> {
    let &SetUp { pool, order, step, start, end, way, .. } = setup;
    let mode = &plan.steps(order)[step].modes[jobs[order][step].mode];
    let unit = mode.needs.iter().position(|need| need.pool == pool);
    let unit = unit.map_or(&[][..], |at| &mode.needs[at..=at]);
    let step = named(plan, order, step);
    let taken = [unit, &way.needs[..]].into_iter().filter(|needs| !needs.is_empty());
    taken.map(move |needs| {
        let (kind, work) = (Kind::Setup, None);
        Taker { kind, order, step, needs, start, end, work }
    })
}
