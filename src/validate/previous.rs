//! What it costs to depart from an earlier plan, step by step.

use super::amount;
use super::place::{Job, Placed};
use super::plant::Plant;
use std::collections::BTreeMap;
use takt_spec::Previous;
use takt_spec::schedule::Row;

/// The former rows of each step, by order and step.
type Rows<'s> = BTreeMap<(&'s str, &'s str), Vec<&'s Row>>;

/// In millionths; `None` if it cannot be computed.
pub fn cost(plant: &Plant, jobs: &[Job]) -> Option<i128> {
    let Some(previous) = &plant.spec.previous else { return Some(0) };
    let mut rows = Rows::new();
    for row in &previous.rows {
        let key = (row.value.order.as_str(), row.value.step.as_str());
        rows.entry(key).or_default().push(&row.value);
    }
    let mut sum = 0_i128;
    for placed in jobs.iter().flat_map(|job| &job.steps).flatten().filter(|step| !step.is_fact) {
        let key = (placed.order.id.value.as_str(), placed.step.name.value.as_str());
        if let Some(former) = rows.get(&key) {
            sum = sum.checked_add(departure(plant, previous, placed, former)?)?;
        }
    }
    Some(sum)
}

fn departure(plant: &Plant, previous: &Previous, placed: &Placed, former: &[&Row]) -> Option<i128> {
    let scope = plant.spec.constants();
    let rate = amount::rate(previous.move_cost.as_ref(), scope)?;
    let price = amount::price(previous.unit_cost.as_ref(), scope)?;
    let away = i128::from(placed.start) - i128::from(former.first()?.start);
    let is_new = |&&(pool, unit): &&(usize, Option<usize>)| {
        let pool = &plant.pools[pool];
        let names = |row: &&&Row| {
            let unit = unit.map(|unit| pool.unit_name(unit));
            row.resource == pool.name()
                && (row.unit.is_empty() || unit.is_none_or(|unit| unit == row.unit))
        };
        !former.iter().any(|row| names(&row))
    };
    let new = placed.taken.iter().filter(is_new).count() as i128;
    rate.checked_mul(away.abs())?.checked_add(price.checked_mul(new)?)
}
