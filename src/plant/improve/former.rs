//! Schedules near an earlier plan: in its sequence, on its units, and no earlier than there.
//!
//! What has been fixed since stays where it is, whoever meets something in its place is moved to the right, and orders
//! that are new stand where their due instants put them.

use super::list::{MENDINGS, by_keys, place_stubbornly};
use super::plant::Plant;
use super::table::Taste;
use super::walk::{Keys, walk};
use crate::plan::{OrderId, StepId};
use crate::timetable::Jobs;

/// A schedule where steps wait for their former starts, and one where they do not.
pub fn near_former(plant: &Plant, is_over: &mut dyn FnMut() -> bool) -> Vec<Jobs> {
    if plant.plan.former.is_empty() {
        return Vec::new();
    }
    let keys = keys(plant);
    let mut found = Vec::new();
    if !plant.asked.is_greedy {
        let list = by_keys(plant, &keys);
        let placed = place_stubbornly(plant, list, |_| (0, Taste::Former), MENDINGS, is_over);
        found.extend(placed.ok().and_then(|table| table.whole()));
    }
    found.extend(walk(plant, &keys));
    found
}

/// For each step its former start; for those that have none, what comes before them or when they would be in time.
fn keys(plant: &Plant) -> Keys {
    let plan = plant.plan;
    let last = plan.former.values().map(|former| former.start).max().unwrap_or(0);
    let own = |order: OrderId| {
        let shape = plant.shape(order);
        let former = |step: StepId| plan.former.get(&(order, step)).map(|former| former.start);
        let is_known = plan.steps(order).ids().any(|step| former(step).is_some());
        let due = plan.orders[order].due.or(plan.orders[order].deadline).unwrap_or(last);
        let mut keys = shape.tails.filled(i64::MIN);
        for &step in shape.blocks.iter().flatten() {
            let before = plan.steps(order)[step].after.iter().map(|link| keys[link.before]);
            let before = before.max().unwrap_or(i64::MIN);
            let latest = due.saturating_sub(shape.tails[step]);
            let guess = if is_known { plant.asked.least[order] } else { latest };
            keys[step] = former(step).unwrap_or_else(|| guess.max(before));
        }
        keys
    };
    plan.orders.ids().map(own).collect()
}
