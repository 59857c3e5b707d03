//! Units that differ: in speed, in price, in what they take; and steps that take the same ones again.

use super::brute::{Alternative, Plant, Recipe};
use crate::Random;

/// Gives units some terms of their own; there is some resource with units.
pub fn tell_apart(r: &mut Random, plant: &mut Plant, has_costs: bool) {
    if plant.resources.iter().all(|resource| !resource.is_named) {
        name_units(r, plant);
    }
    plant.horizon += 4;
    for resource in plant.resources.iter_mut().filter(|one| one.is_named && !one.is_numbered) {
        for _ in 0..resource.capacity {
            let performance = r.percent(50).then(|| [10, 8, 7][r.below(3)]);
            resource.unit_performance.push(performance);
            let price = (has_costs && r.percent(50)).then(|| r.amount(4));
            resource.unit_run_cost.push(price);
            let family = r.percent(30).then(|| r.below(2));
            resource.unit_families.push(family);
        }
    }
}

/// Makes some resource one with names, of which steps take one unit at a time.
fn name_units(r: &mut Random, plant: &mut Plant) {
    let which = r.below(plant.resources.len());
    let resource = &mut plant.resources[which];
    resource.is_named = true;
    resource.capacity = 1 + r.amount(2);
    plant.recipes.iter_mut().for_each(|recipe| take_single_units(recipe, which));
}

fn take_single_units(recipe: &mut Recipe, of: usize) {
    let needs = recipe.steps.iter_mut().flat_map(|step| &mut step.alternatives);
    let own = needs.flat_map(|way| &mut way.needs).filter(|need| need.0 == of);
    own.for_each(|need| need.1 = 1);
    recipe.holds.retain(|hold| hold.resource != of);
}

/// Lets some steps take what the ones before them took.
pub fn repeat(r: &mut Random, plant: &mut Plant) {
    for number in 0..plant.recipes.len() {
        for step in 1..plant.recipes[number].steps.len() {
            if r.percent(75) {
                repeat_step(r, plant, number, step);
            }
        }
    }
}

fn repeat_step(r: &mut Random, plant: &mut Plant, number: usize, step: usize) {
    let steps = &plant.recipes[number].steps;
    let Some(before) = steps[step].after.first().map(|link| link.before) else { return };
    let before = steps[before].same.filter(|_| r.percent(30)).unwrap_or(before);
    let needs: Vec<Vec<(usize, i64)>> =
        steps[before].alternatives.iter().map(|way| way.needs.clone()).collect();
    if needs.iter().any(Vec::is_empty) {
        return;
    }
    let used = |resource: usize| needs.iter().flatten().any(|need| need.0 == resource);
    let free = (0..plant.resources.len()).find(|&resource| !used(resource));
    let beside = free.filter(|_| r.percent(30)).map(|resource| (resource, 1));
    let again = |needs: &Vec<(usize, i64)>| Alternative {
        needs: needs.iter().copied().chain(beside).collect(),
        duration: 1 + r.amount(3),
    };
    let alternatives = needs.iter().map(again).collect();
    let own = &mut plant.recipes[number].steps[step];
    (own.alternatives, own.same) = (alternatives, Some(before));
    for resource in needs.iter().flatten().map(|need| need.0) {
        if !plant.resources[resource].is_named {
            (plant.resources[resource].is_named, plant.resources[resource].is_numbered) =
                (true, true);
            plant.recipes.iter_mut().for_each(|recipe| take_single_units(recipe, resource));
        }
    }
}
