//! Pushes a schedule to the right: every step as late as the end of the whole lets it.
//!
//! Takes jobs and gives starts. Placing steps by these starts, as early as they go, never ends later
//! than before and often earlier (double justification: Valls, Ballestín, Quintanilla 2005).

use super::plant::Plant;
use super::walk::Keys;
use crate::plan::{FamilyId, IdVec, Objective, OrderId, Plan, PoolId, StepId, Times};
use crate::timetable::{Claim, Jobs, Profile};
use std::cmp::Reverse;

/// Whether time can be turned round: nothing but units, work and waiting at least so long.
pub fn is_reversible(plan: &Plan) -> bool {
    plan.objective != Objective::Cost
        && plan.heuristics.is_empty()
        && plan.groups.is_empty()
        && plan.used_calendars().is_empty()
        && plan.pools.iter().all(|pool| pool.setup.is_none())
        && plan.orders.iter().all(|order| order.release == 0 && order.deadline.is_none())
        && plan.recipes.iter().all(|recipe| {
            let links = || recipe.steps.iter().flat_map(|step| &step.after);
            recipe.holds.is_empty() && links().all(|link| link.max.is_none())
        })
}

/// The start of every step, as late as possible.
pub fn pushed_right(plant: &Plant, jobs: &Jobs) -> Keys {
    let plan = plant.plan;
    let last = jobs.iter().flatten().map(|job| job.end).max().unwrap_or(0);
    let mut profiles: IdVec<PoolId, Profile> = plan.pools.iter().map(Profile::of).collect();
    // From here on time is counted backwards from the end of all.
    let mut least: Keys = jobs.iter().map(|own| own.filled(0)).collect();
    let mut starts: Keys =
        jobs.iter().map(|own| own.iter().map(|job| job.start).collect()).collect();
    for (order, step) in backwards(plant, jobs) {
        let (job, part) = (&jobs[order][step], &plan.steps(order)[step]);
        let length = job.end - job.start;
        let needs = &part.modes[job.mode].needs;
        let mut from = least[order][step];
        let claim = |start: i64, amount: i64| Claim {
            start,
            end: start + length,
            amount,
            family: FamilyId(0),
        };
        let clash = |profiles: &IdVec<PoolId, Profile>, from: i64| {
            needs
                .iter()
                .filter_map(|need| profiles[need.pool].clash(&claim(from, need.amount)))
                .max()
        };
        while let Some(next) = clash(&profiles, from) {
            from = next;
        }
        for need in needs {
            profiles[need.pool].take(&claim(from, need.amount));
        }
        for link in &part.after {
            let before = &jobs[order][link.before];
            let until = from + length + link.min;
            let until = link.from.of(until - (before.end - before.start), until);
            least[order][link.before] = least[order][link.before].max(until);
        }
        starts[order][step] = last - from - length;
    }
    starts
}

/// All steps, the last to end first; whoever follows another comes before it.
fn backwards(plant: &Plant, jobs: &Jobs) -> Vec<(OrderId, StepId)> {
    let mut keyed = Vec::new();
    for (order, own) in jobs.entries() {
        let sequence: Vec<StepId> = plant.shape(order).blocks.iter().flatten().copied().collect();
        let mut latest: Times = own.iter().map(|job| job.end).collect();
        // A step of no length, or one that waits for a start, may end with or after its followers.
        for (at, &step) in sequence.iter().enumerate().rev() {
            keyed.push((Reverse(latest[step]), Reverse(at), order, step));
            for link in &plant.plan.steps(order)[step].after {
                latest[link.before] = latest[link.before].min(latest[step]);
            }
        }
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, _, order, step)| (order, step)).collect()
}
