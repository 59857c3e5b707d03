//! Units that take some families alone.

use super::Errors;
use super::hold::Held;
use super::place::Job;
use super::plant::Plant;

/// A step counts by its own family, or else by its order's.
pub fn check(plant: &Plant, job: &Job, errors: &mut Errors) {
    for placed in job.steps.iter().flatten().filter(|placed| !placed.is_fact) {
        let own = placed.step.family.as_ref();
        let family = own.map_or(placed.order.family(), |family| &family.value);
        for &(pool, unit) in &placed.taken {
            let pool = &plant.pools[pool];
            if let Some(unit) = unit.filter(|&unit| !pool.takes(unit, family)) {
                let message =
                    format!("takes {}, which does not take the family `{family}`", pool.show(unit));
                errors.push(placed.order, placed.step, "family", message);
            }
        }
    }
}

/// A hold counts by the family of its order. One that has begun is as it is.
pub fn check_hold(plant: &Plant, held: &Held, errors: &mut Errors) {
    let pool = &plant.pools[held.pool];
    let family = held.order.family();
    if plant.facts.of(&held.order.id.value, &held.step.name.value).is_some() {
        return;
    }
    for &unit in held.units.iter().filter(|&&unit| !pool.takes(unit, family)) {
        let unit = pool.show(unit);
        let message = format!("holds {unit}, which does not take the family `{family}`");
        errors.push(held.order, held.step, "family", message);
    }
}
