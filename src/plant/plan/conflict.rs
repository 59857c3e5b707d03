//! What can be seen to be impossible without a search: a step that fits no window, an order that
//! cannot meet its deadline even if it were alone.

use super::alone::Alone;
use super::ids::Id;
use super::{Conflict, OrderId, Plan, Step, StepId};
use takt_spec::{MAX_TIME, Spec};

pub fn find(plan: &Plan, spec: &Spec) -> Option<Conflict> {
    plan.orders.ids().find_map(|order| of_order(plan, spec, order))
}

fn of_order(plan: &Plan, spec: &Spec, number: OrderId) -> Option<Conflict> {
    let order = &plan.orders[number];
    let steps = plan.steps(number);
    let id = &order.id;
    let alone = match Alone::of(plan, number) {
        Ok(alone) => alone,
        Err(k) => {
            let (name, why) = (&steps[k].name, pauses(plan, &steps[k]));
            let message = format!("the step `{name}` of `{id}` fits no open window{why}");
            let recipe = &spec.recipes[plan.recipes[order.recipe].source];
            let span = recipe.steps.get(k.index()).map_or(order.span, |step| step.name.span);
            return Some(Conflict { order: number, step: Some(k), span, message });
        }
    };
    let deadline = order.deadline?;
    let ends_late = |k: &StepId| alone.ends[*k] > deadline;
    let leaves_too_little = |k: &StepId| alone.heads[*k].saturating_add(alone.tails[*k]) > deadline;
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
