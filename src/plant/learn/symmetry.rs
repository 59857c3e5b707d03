//! What can change places in every schedule: orders that nothing tells apart, and pools. Of schedules that differ in
//! nothing else only one is looked at.

use super::encoding::Encoding;
use crate::plan::{CalendarId, Mode, Need, OrderId, Plan, PoolId, Recipe, Step, StepId, Steps};
use crate::timetable::Jobs;
use std::collections::BTreeMap;
use takt_learn::Lit;

/// So many steps tell which pool comes first; further ones would say nothing new.
const MOST_TELLING: usize = 64;

/// Groups of what can change places.
#[derive(Debug)]
pub struct Symmetry {
    orders: Vec<Vec<OrderId>>,
    pools: Vec<Vec<PoolId>>,
}

impl Symmetry {
    pub fn of(plan: &Plan) -> Symmetry {
        Symmetry { orders: alike_orders(plan).collect(), pools: alike_pools(plan).collect() }
    }
}

impl Encoding {
    /// First steps of orders that are alike start in the spec's sequence. Of pools that are alike, each is taken by
    /// some step before the next one is taken by a later one in the spec.
    pub fn break_symmetry(&mut self, plan: &Plan) {
        for group in self.symmetry.orders.clone() {
            for pair in group.windows(2) {
                let [before, after] =
                    [pair[0], pair[1]].map(|order| self.steps[order][StepId(0)].start);
                self.solver.before(before, 0, after, None);
            }
        }
        for group in self.symmetry.pools.clone() {
            let takers: Vec<Vec<Option<Lit>>> = telling(plan, &group)
                .map(|(order, step)| {
                    let modes = &plan.steps(order)[step].modes;
                    let lits = &self.steps[order][step].modes;
                    let taken = |&pool: &PoolId| modes.iter().position(|mode| takes(mode, pool));
                    group.iter().map(|pool| taken(pool).map(|mode| lits[mode])).collect()
                })
                .collect();
            for (k, own) in takers.iter().enumerate() {
                for (number, lit) in own.iter().enumerate().skip(1) {
                    let earlier = takers[..k].iter().filter_map(|other| other[number - 1]);
                    if let Some(lit) = lit {
                        self.solver.clause(earlier.chain([!*lit]));
                    }
                }
            }
        }
    }

    /// The same schedule as [`Encoding::break_symmetry`] asks for it.
    pub fn in_sequence(&self, plan: &Plan, jobs: &Jobs) -> Jobs {
        let mut sorted = jobs.clone();
        for group in &self.symmetry.orders {
            let mut by_start = group.clone();
            by_start.sort_by_key(|&order| jobs[order].first().map(|job| job.start));
            group.iter().zip(by_start).for_each(|(&to, from)| sorted[to] = jobs[from].clone());
        }
        for group in &self.symmetry.pools {
            let mut sequence: Vec<PoolId> = Vec::new();
            let taken = telling(plan, group).filter_map(|(order, step)| {
                let mode = &plan.steps(order)[step].modes[sorted[order][step].mode];
                group.iter().copied().find(|&pool| takes(mode, pool))
            });
            for pool in taken.chain(group.iter().copied()) {
                if !sequence.contains(&pool) {
                    sequence.push(pool);
                }
            }
            rename(plan, &mut sorted, &sequence.into_iter().zip(group.iter().copied()).collect());
        }
        sorted
    }
}

fn takes(mode: &Mode, pool: PoolId) -> bool {
    mode.needs.iter().any(|need| need.pool == pool)
}

fn alike_orders(plan: &Plan) -> impl Iterator<Item = Vec<OrderId>> {
    let mut alike: BTreeMap<_, Vec<OrderId>> = BTreeMap::new();
    for (number, order) in plan.orders.entries() {
        alike.entry(order.terms()).or_default().push(number);
    }
    alike.into_values().filter(|group| group.len() > 1)
}

/// Pools of which any two can change places: all steps and holds may take the one as they may take the other.
fn alike_pools(plan: &Plan) -> impl Iterator<Item = Vec<PoolId>> {
    let mut groups: Vec<Vec<PoolId>> = Vec::new();
    for (number, pool) in plan.pools.entries() {
        let is_alike = |group: &&mut Vec<PoolId>| {
            let other = &plan.pools[group[0]];
            (pool.calendar, &pool.setup, pool.capacity())
                == (other.calendar, &other.setup, other.capacity())
                && plan.recipes.iter().all(|recipe| allows_swap(recipe, group[0], number))
                && crews_allow_swap(plan, group[0], number)
        };
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    groups.into_iter().filter(|group| group.len() > 1)
}

fn allows_swap(recipe: &Recipe, a: PoolId, b: PoolId) -> bool {
    let renaming = Renaming::from([(a, b), (b, a)]);
    let same = |needs: &[Need]| needs.to_vec();
    let other = |needs: &[Need]| renamed(needs, &renaming);
    let steps = &recipe.steps;
    steps.iter().all(|step| ways(steps, step, &same) == ways(steps, step, &other))
        && recipe.holds.iter().all(|hold| {
            let sorted = |needs: &dyn Fn(&[Need]) -> Vec<Need>| {
                let mut all: Vec<Vec<Need>> = hold.choices.iter().map(|one| needs(one)).collect();
                all.sort_unstable();
                all
            };
            sorted(&same) == sorted(&other)
        })
}

/// Whether setups take the one as they take the other.
fn crews_allow_swap(plan: &Plan, a: PoolId, b: PoolId) -> bool {
    let renaming = Renaming::from([(a, b), (b, a)]);
    let setups = plan.pools.iter().filter_map(|pool| pool.setup.as_ref());
    let kinds = setups.filter_map(|setup| setup.crew.as_ref()).flat_map(|crew| &crew.kinds);
    kinds.into_iter().all(|ways| {
        let sorted = |needs: &dyn Fn(&[Need]) -> Vec<Need>| {
            let mut all: Vec<_> =
                ways.iter().map(|way| (needs(&way.needs), way.calendar)).collect();
            all.sort_unstable();
            all
        };
        sorted(&|needs: &[Need]| needs.to_vec())
            == sorted(&|needs: &[Need]| renamed(needs, &renaming))
    })
}

/// All that tells modes apart, sorted.
fn ways(steps: &Steps, step: &Step, needs: &dyn Fn(&[Need]) -> Vec<Need>) -> Vec<Way> {
    let mut ways: Vec<_> = step.modes.iter().map(|mode| Way::of(steps, mode, needs)).collect();
    ways.sort_unstable();
    ways
}

/// All that tells a mode apart: what it takes, how long, when, at which price, and the modes of other steps
/// that it asks for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    needs: Vec<Need>,
    terms: (i64, Option<CalendarId>, i64),
    same: Vec<(StepId, Way)>,
}

impl Way {
    fn of(steps: &Steps, mode: &Mode, needs: &dyn Fn(&[Need]) -> Vec<Need>) -> Way {
        let other = |&(step, wanted): &(StepId, usize)| {
            (step, Way::of(steps, &steps[step].modes[wanted], needs))
        };
        Way {
            needs: needs(&mode.needs),
            terms: (mode.duration, mode.calendar, mode.cost),
            same: mode.same.iter().map(other).collect(),
        }
    }
}

/// The first steps that take at most one of these pools, whichever way they are done, and each in one way at most.
fn telling(plan: &Plan, group: &[PoolId]) -> impl Iterator<Item = (OrderId, StepId)> {
    let is_telling = |step: &Step| {
        let ways = |pool: PoolId| step.modes.iter().filter(|mode| takes(mode, pool)).count();
        let taken =
            |mode: &Mode| mode.needs.iter().filter(|need| group.contains(&need.pool)).count();
        step.modes.len() > 1
            && group.iter().all(|&pool| ways(pool) <= 1)
            && step.modes.iter().any(|mode| taken(mode) > 0)
            && step.modes.iter().all(|mode| taken(mode) <= 1)
    };
    plan.orders
        .ids()
        .flat_map(|order| plan.steps(order).ids().map(move |step| (order, step)))
        .filter(move |&(order, step)| is_telling(&plan.steps(order)[step]))
        .take(MOST_TELLING)
}

type Renaming = BTreeMap<PoolId, PoolId>;

fn renamed(needs: &[Need], renaming: &Renaming) -> Vec<Need> {
    let name = |need: &Need| renaming.get(&need.pool).copied().unwrap_or(need.pool);
    let mut needs: Vec<Need> =
        needs.iter().map(|need| Need { pool: name(need), ..*need }).collect();
    needs.sort_unstable();
    needs
}

/// Other pools of the same kind for all steps and holds.
fn rename(plan: &Plan, jobs: &mut Jobs, renaming: &Renaming) {
    if renaming.iter().all(|(from, to)| from == to) {
        return;
    }
    for (order, own) in jobs.iter_mut().enumerate().map(|(k, own)| (OrderId(k), own)) {
        let recipe = plan.recipe(order);
        for (job, step) in own.iter_mut().zip(&recipe.steps) {
            let other = |needs: &[Need]| renamed(needs, renaming);
            let wanted = Way::of(&recipe.steps, &step.modes[job.mode], &other);
            let same = |needs: &[Need]| needs.to_vec();
            let is_it = |mode: &Mode| Way::of(&recipe.steps, mode, &same) == wanted;
            job.mode = step.modes.iter().position(is_it).unwrap_or(job.mode);
            for (hold, choice) in &mut job.holds {
                let choices = &recipe.holds[*hold].choices;
                let needs = renamed(&choices[*choice], renaming);
                *choice = choices.iter().position(|other| *other == needs).unwrap_or(*choice);
            }
        }
    }
}
