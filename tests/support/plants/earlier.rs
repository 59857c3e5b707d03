//! An earlier plan: about what some schedule has, with steps that stand elsewhere or nowhere.

use super::brute::{Earlier, Former, Plant};
use crate::Random;

/// Remembers some steps where they might have been.
pub fn recall(r: &mut Random, plant: &mut Plant) {
    let schedule = plant.any();
    let mut earlier = Earlier {
        steps: Vec::new(),
        move_cost: if r.percent(15) { 0 } else { 1 + r.amount(4) },
        unit_cost: if r.percent(30) { 0 } else { 1 + r.amount(4) },
    };
    for (order, of) in plant.orders.iter().enumerate() {
        for (step, own) in plant.recipes[of.recipe].steps.iter().enumerate() {
            if r.percent(20) {
                continue;
            }
            let placed = schedule.as_ref().map(|schedule| &schedule[order][step]);
            let near = placed.map_or(r.amount(8), |placed| placed.start);
            let start = if r.percent(40) { near } else { near + r.amount(6) - r.amount(4) };
            let way = &own.alternatives[r.below(own.alternatives.len())];
            let unit = |r: &mut Random, resource: usize| {
                let of = &plant.resources[resource];
                of.is_named.then(|| r.below(of.capacity as usize))
            };
            let units = way.needs.iter().map(|&(resource, _)| (resource, unit(r, resource)));
            earlier.steps.push(Former { order, step, start, units: units.collect() });
        }
    }
    plant.earlier = Some(earlier);
}
