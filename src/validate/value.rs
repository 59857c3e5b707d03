//! What a schedule is worth: its makespan, or its exact cost.

use super::amount::{self, MILLION};
use super::order;
use super::place::Job;
use super::plant::Plant;
use super::previous;
use takt_spec::{Exact, Objective};

/// The objective's value of the schedule as it stands, right or wrong; `None` if the spec asks for
/// any schedule, or if steps are missing or unclear on which it depends.
pub fn value(
    plant: &Plant,
    jobs: &[Job],
    work: &[Vec<Option<i64>>],
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
            let mut sum = setups?.checked_add(previous::cost(plant, jobs)?)?;
            for (job, work) in jobs.iter().zip(work) {
                sum = sum.checked_add(order_cost(plant, job)?)?;
                sum = sum.checked_add(run_cost(plant, job, work)?)?;
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
    let once = if late > 0 { amount::price(job.order.late_cost.as_ref(), scope)? } else { 0 };
    holding.checked_add(delay)?.checked_add(storage)?.checked_add(once)
}

/// For each unit its rate * work, without pauses.
fn run_cost(plant: &Plant, job: &Job, work: &[Option<i64>]) -> Option<i128> {
    let mut sum = 0_i128;
    for (placed, work) in job.steps.iter().zip(work) {
        let (placed, work) = (placed.as_ref()?, i128::from((*work)?));
        for &(pool, unit) in &placed.taken {
            let rate = plant.pools[pool].rate(unit);
            let rate = amount::rate(rate, plant.spec.constants())?;
            sum = sum.checked_add(rate.checked_mul(work)?)?;
        }
    }
    Some(sum)
}
