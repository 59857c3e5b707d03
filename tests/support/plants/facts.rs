//! Time that has passed: steps of some schedule become facts, some of them not quite as planned.

use super::brute::{Fact, Pin, Placed, Plant};
use crate::Random;

/// Fixes what has started in some schedule by some instant, or by a later one.
pub fn fix(r: &mut Random, plant: &mut Plant) {
    plant.horizon += 6;
    let Some(schedule) = plant.any() else { return };
    let end = schedule.iter().flatten().map(|placed| placed.end).max().unwrap_or(0);
    plant.now = r.amount(end + 2);
    plant.horizon = plant.horizon.max(plant.now + 14);
    // Which of the units that are alike somebody takes later is anybody's guess.
    let is_plain =
        plant.resources.iter().all(|resource| resource.is_named || resource.capacity == 1);
    let until = if is_plain && r.percent(60) { plant.now + r.amount(4) } else { plant.now };
    for (order, own) in schedule.iter().enumerate() {
        for (step, placed) in own.iter().enumerate().filter(|(_, placed)| placed.start < until) {
            let counted = counted(plant, order, step, placed);
            plant.facts.push(Fact { order, step, placed: placed.clone(), counted });
        }
    }
    let has_holds = plant.recipes.iter().any(|recipe| !recipe.holds.is_empty());
    for fact in &mut plant.facts {
        if has_holds || !r.percent(30) {
            continue;
        }
        let Placed { start, end, .. } = &mut fact.placed;
        *start = (*start - r.amount(2)).max(0);
        *end = (*end + r.amount(3) - 1).max(*start);
    }
}

/// Orders that have begun with a fact wait for no order that is open.
pub fn keep_sequels(plant: &mut Plant) {
    for order in 0..plant.orders.len() {
        let count = |order: usize| plant.facts.iter().filter(|fact| fact.order == order).count();
        let has_begun = count(order) > 0;
        let mut after = std::mem::take(&mut plant.orders[order].after);
        let steps = |order: usize| plant.recipes[plant.orders[order].recipe].steps.len();
        after.retain(|link| !has_begun || count(link.before) == steps(link.before));
        plant.orders[order].after = after;
    }
}

/// The first units that no fact has at that time.
fn counted(plant: &Plant, order: usize, step: usize, placed: &Placed) -> Vec<Vec<usize>> {
    let needs =
        &plant.recipes[plant.orders[order].recipe].steps[step].alternatives[placed.alternative];
    let mut found = Vec::new();
    for &(resource, amount) in needs.needs.iter().filter(|need| !plant.resources[need.0].is_named) {
        let is_taken = |unit: usize| {
            plant.facts.iter().any(|fact| {
                let other = &plant.recipes[plant.orders[fact.order].recipe].steps[fact.step];
                let other = other.alternatives[fact.placed.alternative].needs.iter();
                let other = other.filter(|need| !plant.resources[need.0].is_named);
                let has =
                    other.zip(&fact.counted).any(|(n, u)| n.0 == resource && u.contains(&unit));
                has && fact.placed.start < placed.end && placed.start < fact.placed.end
            })
        };
        let free = (0..plant.resources[resource].capacity as usize).filter(|&unit| !is_taken(unit));
        found.push(free.take(amount as usize).collect());
    }
    found
}

/// Pins some step to the place that it has in some schedule, or near it.
pub fn pin(r: &mut Random, plant: &mut Plant) {
    let Some(schedule) = plant.any() else { return };
    for (order, own) in schedule.iter().enumerate() {
        for (step, placed) in own.iter().enumerate() {
            if !r.percent(35) {
                continue;
            }
            let start = (placed.start + r.amount(3) - r.amount(2)).max(0);
            let start = r.percent(70).then_some(start);
            let is_named = plant.resources.iter().all(|resource| !resource.is_numbered);
            let unit = placed.units.first().copied().filter(|_| is_named);
            let unit = unit.filter(|_| start.is_none() || r.percent(50));
            if start.is_some() || unit.is_some() {
                plant.orders[order].pins.push(Pin { step, start, unit });
            }
        }
    }
}
