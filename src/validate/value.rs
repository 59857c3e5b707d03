//! What a schedule is worth: its makespan, or its exact cost.

use super::amount::{self, MILLION};
use super::order;
use super::place::Job;
use super::plant::Plant;
use super::timing::Worked;
use takt_spec::{Exact, Objective};

/// The objective's value of the schedule as it stands, right or wrong; `None` if the spec asks for
/// any schedule, or if steps are missing or unclear on which it depends.
pub fn value(
    plant: &Plant,
    jobs: &[Job],
    work: &[Vec<Option<Worked>>],
    setups: Option<i128>,
) -> Option<Exact> {
    match plant.spec.objective {
        Objective::Feasible | Objective::Throughput => None,
        Objective::Makespan => {
            let mut latest = 0;
            for job in jobs {
                latest = latest.max(finish(job)?);
            }
            Some(Exact::from(i128::from(latest)))
        }
        Objective::Cost => {
            let mut sum = setups?;
            for (job, work) in jobs.iter().zip(work) {
                sum = sum.checked_add(order_cost(plant, job)?)?;
                sum = sum.checked_add(run_cost(plant, work)?)?;
            }
            Some(Exact::new(sum, MILLION))
        }
    }
}

/// The latest end of its steps.
fn finish(job: &Job) -> Option<i64> {
    let mut latest = i64::MIN;
    for placed in &job.steps {
        latest = latest.max(placed.as_ref()?.end);
    }
    Some(latest)
}

fn order_cost(plant: &Plant, job: &Job) -> Option<i128> {
    let finish = i128::from(finish(job)?);
    let start = job.steps.iter().flatten().map(|placed| placed.start).min()?;
    let scope = plant.spec.scope(job.order);
    let rate = |rate: &Option<_>| amount::rate(rate.as_ref(), scope);
    let holding = rate(&job.order.holding_cost)?.checked_mul(finish - i128::from(start))?;
    let Some(due) = order::due(plant, job) else { return Some(holding) };
    let late = finish - i128::from(due);
    let delay = rate(&job.order.delay_cost)?.checked_mul(late.max(0))?;
    let storage = rate(&job.order.storage_cost)?.checked_mul((-late).max(0))?;
    holding.checked_add(delay)?.checked_add(storage)
}

/// For each resource its rate * amount * work, without pauses.
fn run_cost(plant: &Plant, work: &[Option<Worked>]) -> Option<i128> {
    let mut sum = 0_i128;
    for worked in work {
        let Worked { way, work } = worked.as_ref()?;
        for need in &way.requirements {
            let pool = &plant.pools[plant.pool(&need.resource.value)?];
            let rate = amount::rate(pool.resource.run_cost.as_ref(), plant.spec.constants())?;
            let amount = i128::from(need.amount.value);
            sum = sum.checked_add(rate.checked_mul(amount)?.checked_mul(i128::from(*work))?)?;
        }
    }
    Some(sum)
}
