//! What can be seen to be impossible without a search: a step that fits no window, an order that
//! cannot meet its deadline even if it were alone.

use super::horizon::tails;
use super::ids::Id;
use super::{Conflict, OrderId, Plan, Step, StepId};
use takt_spec::{MAX_TIME, Spec};

pub fn find(plan: &Plan, spec: &Spec) -> Option<Conflict> {
    plan.orders.ids().find_map(|order| of_order(plan, spec, order))
}

fn of_order(plan: &Plan, spec: &Spec, number: OrderId) -> Option<Conflict> {
    let order = &plan.orders[number];
    let steps = plan.steps(number);
    let tails = tails(steps);
    let id = &order.id;
    let recipe = &spec.recipes[plan.recipes[order.recipe].source];
    let mut ends = steps.filled(None);
    let mut starts = steps.filled(order.release);
    // Earliest starts, as if the order were alone; as often as the longest path may be.
    for _ in 0..steps.len() {
        for (k, step) in steps.entries() {
            let mut from = starts[k];
            for link in &step.after {
                let at = link.from.of(Some(starts[link.before]), ends[link.before]);
                from = from.max(at.unwrap_or(0) + link.min);
            }
            let fits = step.modes.iter().filter_map(|mode| {
                let start = plan.next_start(step, mode, from)?;
                Some((start, plan.end(step, mode, start)?))
            });
            let all: Vec<(i64, i64)> = fits.collect();
            let (Some(start), Some(end)) =
                (all.iter().map(|fit| fit.0).min(), all.iter().map(|fit| fit.1).min())
            else {
                let message = format!(
                    "the step `{}` of `{id}` fits no open window{}",
                    step.name,
                    pauses(plan, step)
                );
                let span = recipe.steps[k.index()].name.span;
                return Some(Conflict { order: number, step: Some(k), span, message });
            };
            starts[k] = start;
            ends[k] = Some(end);
        }
    }
    let deadline = order.deadline?;
    let ends_late = |k: &StepId| ends[*k].is_some_and(|end| end > deadline);
    let leaves_too_little = |k: &StepId| starts[*k].saturating_add(tails[*k]) > deadline;
    let late = steps.ids().find(ends_late).or(steps.ids().find(leaves_too_little))?;
    let message = if order.release > deadline {
        format!("`{id}` is released at {}, after its deadline {deadline}", order.release)
    } else {
        let step = &steps[late].name;
        format!("the step `{step}` of `{id}` cannot be over by the deadline {deadline}")
    };
    Some(Conflict { order: number, step: Some(late), span: order.span, message })
}

/// Why work that may pause fits nowhere: the shortest pause that it would have to make.
fn pauses(plan: &Plan, step: &Step) -> String {
    let Some(longest) = step.pause else { return String::new() };
    let calendars = step.modes.iter().filter_map(|mode| mode.calendar);
    let gaps = calendars.flat_map(|calendar| {
        plan.calendars[calendar].windows.windows(2).map(|pair| pair[1].open - pair[0].close)
    });
    match gaps.filter(|&gap| gap > longest).min() {
        Some(gap) => {
            format!(": it would have to pause for {gap}, and may pause for {longest} at most")
        }
        // The next window may lie beyond all that was looked at.
        None if longest < MAX_TIME => format!(": it may pause for {longest} at most"),
        None => String::new(),
    }
}
