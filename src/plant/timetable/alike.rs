//! Orders that nothing but their names tells apart: in a schedule they can change places at no cost, so
//! they are given out in the spec's sequence.

use super::{Job, Jobs};
use crate::plan::{IdVec, OrderId, Plan, StepId};
use std::collections::BTreeMap;

/// Sorts the jobs of orders that are alike by their starts. What heuristics keep is left as it is.
pub fn in_sequence(plan: &Plan, jobs: &mut Jobs) {
    if !plan.heuristics.is_empty() {
        return;
    }
    let mut alike: BTreeMap<_, Vec<OrderId>> = BTreeMap::new();
    for (number, order) in plan.orders.entries() {
        alike.entry(order.terms()).or_default().push(number);
    }
    for group in alike.into_values().filter(|group| group.len() > 1) {
        let mut own: Vec<IdVec<StepId, Job>> =
            group.iter().map(|&order| std::mem::take(&mut jobs[order])).collect();
        own.sort_by_cached_key(|own| {
            let first = own.iter().map(|job| job.start).min();
            let finish = own.iter().map(|job| job.end).max();
            (first, finish, own.iter().map(|job| job.start).collect::<Vec<i64>>())
        });
        group.into_iter().zip(own).for_each(|(order, own)| jobs[order] = own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::planned;

    #[test]
    fn copies_stand_in_the_specs_sequence() {
        let text = "takt: 1
resources: {m: {}}
recipes: {r: {steps: [{name: s, on: m, duration: 2}]}}
orders: [{id: A, recipe: r, count: 3}, {id: B, recipe: r, due: 9}]
";
        let plan = planned(text);
        let job = |start: i64| Job { start, end: start + 2, mode: 0, holds: Vec::new() };
        let mut jobs: Jobs =
            [4, 6, 2, 0].into_iter().map(|start| [job(start)].into_iter().collect()).collect();
        in_sequence(&plan, &mut jobs);
        let starts: Vec<i64> = jobs.iter().map(|own| own[StepId(0)].start).collect();
        assert_eq!(starts, [2, 4, 6, 0]);
    }
}
