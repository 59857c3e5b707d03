//! Whether jobs are a schedule of the plan: a plain reading of what a plan means, without
//! timetables. For assertions and tests; heuristics are for the automata to judge.

use super::{Jobs, group_finish, users};
use crate::plan::{OrderId, Plan, PoolId, StepId};

/// The first thing found that is wrong, in words.
pub fn check(plan: &Plan, jobs: &Jobs) -> Result<(), String> {
    if jobs.len() != plan.orders.len() {
        return Err("not as many orders as in the plan".to_owned());
    }
    for (order, own) in jobs.entries() {
        if own.len() != plan.steps(order).len() {
            return Err(format!("not all steps of order {order}"));
        }
        for step in own.ids() {
            check_step(plan, jobs, order, step).map_err(|why| format!("{order}.{step}: {why}"))?;
        }
        check_holds(plan, jobs, order)?;
        check_sequel(plan, jobs, order).map_err(|why| format!("{order}: {why}"))?;
    }
    for pool in plan.pools.ids() {
        check_pool(plan, jobs, pool).map_err(|why| format!("pool {pool}: {why}"))?;
    }
    super::setups(plan, jobs).map(drop).ok_or_else(|| "no place for a setup".to_owned())
}

fn check_step(plan: &Plan, jobs: &Jobs, order: OrderId, step: StepId) -> Result<(), &'static str> {
    let (of, part, job) = (&plan.orders[order], &plan.steps(order)[step], &jobs[order][step]);
    let mode = part.modes.get(job.mode).ok_or("no such mode")?;
    if !mode.follows(|other| Some(jobs[order][other].mode)) {
        return Err("does not take the same units again");
    }
    if job.start < of.release {
        return Err("starts before its release");
    }
    if plan.end(part, mode, job.start) != Some(job.end) {
        return Err("does not fit its calendar, or ends at another instant");
    }
    if of.deadline.is_some_and(|deadline| job.end > deadline) {
        return Err("ends after the deadline");
    }
    for link in &part.after {
        let before = &jobs[order][link.before];
        let lag = job.start - link.from.of(before.start, before.end);
        if lag < link.min || link.max.is_some_and(|max| lag > max) {
            return Err("a lag is not kept");
        }
    }
    Ok(())
}

/// Whether an order keeps its distance from those that it waits for: its first start speaks for all.
fn check_sequel(plan: &Plan, jobs: &Jobs, order: OrderId) -> Result<(), &'static str> {
    let Some(start) = jobs[order].iter().map(|job| job.start).min() else { return Ok(()) };
    for link in &plan.orders[order].after {
        let Some(finish) = group_finish(plan, jobs, link.group) else { continue };
        let lag = start - finish;
        if lag < link.min || link.max.is_some_and(|max| lag > max) {
            return Err("is too close to the orders before it, or too far from them");
        }
    }
    Ok(())
}

fn check_holds(plan: &Plan, jobs: &Jobs, order: OrderId) -> Result<(), String> {
    let holds = &plan.recipe(order).holds;
    for (step, job) in jobs[order].entries() {
        let own: Vec<usize> = job.holds.iter().map(|(hold, _)| *hold).collect();
        let expected: Vec<usize> = (0..holds.len()).filter(|&h| holds[h].from == step).collect();
        let is_known = job.holds.iter().all(|&(hold, choice)| choice < holds[hold].choices.len());
        if own != expected || !is_known {
            return Err(format!("{order}.{step}: not the holds of the recipe"));
        }
    }
    Ok(())
}

fn check_pool(plan: &Plan, jobs: &Jobs, pool: PoolId) -> Result<(), &'static str> {
    let mut changes: Vec<(i64, i64)> = Vec::new();
    for (order, own) in jobs.entries() {
        let recipe = plan.recipe(order);
        for (step, job) in recipe.steps.iter().zip(own) {
            let taken = step.modes[job.mode].needs.iter().map(|need| (need, job.end));
            let held = job.holds.iter().flat_map(|&(hold, choice)| {
                let rule = &recipe.holds[hold];
                rule.choices[choice].iter().map(move |need| (need, own[rule.until].end))
            });
            for (need, end) in taken.chain(held).filter(|(need, _)| need.pool == pool) {
                if job.start < end {
                    changes.extend([(job.start, need.amount), (end, -need.amount)]);
                }
            }
        }
    }
    // What is freed at an instant can be taken again at once: negative changes come first.
    changes.sort_unstable();
    let mut taken = 0;
    for (_, change) in changes {
        taken += change;
        if taken > plan.pools[pool].capacity() {
            return Err("more is taken than there is");
        }
    }
    let Some(setup) = &plan.pools[pool].setup else { return Ok(()) };
    let mut last = setup.initial.map(|family| (0, family));
    for (order, step) in users(plan, jobs, pool) {
        let (family, job) = (plan.steps(order)[step].family, &jobs[order][step]);
        if last.is_some_and(|(until, before)| job.start < until + setup.time[before][family]) {
            return Err("there is no time for a setup");
        }
        last = Some((job.end, family));
    }
    Ok(())
}
