//! Steps that take what an earlier step of their order took.

use super::Errors;
use super::place::{Job, Placed};
use super::plant::Plant;
use takt_spec::Alternative;

pub fn check(plant: &Plant, job: &Job, errors: &mut Errors) {
    // No rule is checked between facts.
    for placed in job.steps.iter().flatten().filter(|placed| !placed.is_fact) {
        let lacks: Vec<Option<String>> =
            placed.ways.iter().map(|way| lacks(plant, job, placed, way)).collect();
        if lacks.iter().all(Option::is_some)
            && let Some(message) = lacks.into_iter().flatten().next()
        {
            errors.push(placed.order, placed.step, "same", message);
        }
    }
}

/// What the other steps of this alternative took, and this one does not.
fn lacks(plant: &Plant, job: &Job, placed: &Placed, way: &Alternative) -> Option<String> {
    way.same.iter().find_map(|same| {
        let other = job.placed(&same.step.value)?;
        // A row may leave open which of the units it means that are alike.
        let has = |wanted: &(usize, Option<usize>)| {
            let own = placed.taken.iter().filter(|taken| taken.0 == wanted.0);
            own.map(|taken| taken.1)
                .any(|unit| unit == wanted.1 || unit.is_none() || wanted.1.is_none())
        };
        let &(pool, unit) = other.taken.iter().find(|taken| !has(taken))?;
        let pool = &plant.pools[pool];
        let unit = unit.map_or(format!("`{}`", pool.name()), |unit| pool.show(unit));
        Some(format!("does not take {unit}, which `{}` took", same.step.value))
    })
}
