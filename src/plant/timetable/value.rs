//! What a schedule is worth: its end, or what it costs.

use super::{Job, Jobs};
use crate::plan::{GroupId, Objective, OrderId, Plan, PoolId, StepId};

/// The makespan, or the cost in multiples of the plan's smallest price; 0 where any schedule will
/// do.
pub fn value(plan: &Plan, jobs: &Jobs) -> i64 {
    match plan.objective {
        Objective::Feasible => 0,
        Objective::Makespan => jobs.iter().flatten().map(|job| job.end).max().unwrap_or(0),
        Objective::Cost => {
            let orders = jobs.entries().map(|(order, own)| order_cost(plan, order, own.iter()));
            orders.fold(setup_cost(plan, jobs), i64::saturating_add)
        }
    }
}

/// What an order pays but for setups.
pub fn order_cost<'j>(plan: &Plan, order: OrderId, jobs: impl Iterator<Item = &'j Job>) -> i64 {
    let (mut start, mut finish, mut cost) = (i64::MAX, i64::MIN, 0_i64);
    for (step, job) in plan.steps(order).iter().zip(jobs) {
        start = start.min(job.start);
        finish = finish.max(job.end);
        cost = cost.saturating_add(step.modes[job.mode].cost);
        cost = cost.saturating_add(step.move_cost(job.start));
    }
    cost.saturating_add(plan.orders[order].time_cost(start, finish))
}

/// When the last order of a group is finished.
pub fn group_finish(plan: &Plan, jobs: &Jobs, group: GroupId) -> Option<i64> {
    let members = plan.groups[group].orders.iter();
    members.flat_map(|&order| &jobs[order]).map(|job| job.end).max()
}

fn setup_cost(plan: &Plan, jobs: &Jobs) -> i64 {
    let mut cost = 0_i64;
    for (number, pool) in plan.pools.entries() {
        let Some(setup) = &pool.setup else { continue };
        let mut last = setup.initial;
        for (order, step) in users(plan, jobs, number) {
            let family = plan.steps(order)[step].family;
            cost = cost.saturating_add(last.map_or(0, |last| setup.cost[last][family]));
            last = Some(family);
        }
    }
    cost
}

/// The orders and steps that take a pool, by start.
pub fn users(plan: &Plan, jobs: &Jobs, pool: PoolId) -> Vec<(OrderId, StepId)> {
    let mut found = Vec::new();
    for (order, own) in jobs.entries() {
        for (step, job) in own.entries() {
            let mode = &plan.steps(order)[step].modes[job.mode];
            if mode.needs.iter().any(|need| need.pool == pool) {
                found.push((job.start, job.end, order, step));
            }
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, _, order, step)| (order, step)).collect()
}
