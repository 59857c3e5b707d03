//! Holds, as the recipes ask for them, and the rows that tell of them.

use super::Errors;
use super::place::{Job, stranger};
use super::plant::Plant;
use std::collections::{BTreeMap, BTreeSet};
use takt_spec::schedule::{Kind, Row, Schedule};
use takt_spec::{Hold, Order, Step};

/// What an order holds from the start of one step to the end of another.
pub struct Held<'a> {
    pub order: &'a Order,
    /// With which it begins.
    pub step: &'a Step,
    pub pool: usize,
    pub amount: usize,
    pub start: i64,
    pub end: i64,
    /// Its units, where rows name them.
    pub units: Vec<usize>,
    /// All of it is fixed.
    pub is_fact: bool,
}

/// All holds whose steps are there. Rows are not needed; those that are there must agree.
pub fn derive<'a>(
    plant: &Plant<'a>,
    jobs: &[Job<'a>],
    schedule: &'a Schedule,
    errors: &mut Errors,
) -> Vec<Held<'a>> {
    let mut rows: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in schedule.rows.iter().filter(|row| row.kind == Kind::Hold) {
        rows.entry(&row.order).or_default().push(row);
    }
    let mut held = Vec::new();
    for job in jobs {
        let mut own = rows.remove(job.order.id.value.as_str()).unwrap_or_default();
        own.retain(|row| {
            let is_known = row.step.is_empty() || job.has_step(&row.step);
            if !is_known {
                errors.0.push(stranger(plant, &row.order, &row.step, Some(job.recipe)));
            }
            is_known
        });
        for hold in &job.recipe.holds {
            held.extend(one(plant, job, hold, &mut own, errors));
        }
        strays(plant, job, own, errors);
    }
    for row in rows.into_values().flatten() {
        errors.0.push(stranger(plant, &row.order, &row.step, None));
    }
    held
}

/// Rows of holds at other times than the steps of the order tell, or of holds that nobody asks for.
/// What is told of one unit is not told again of the next.
fn strays(plant: &Plant, job: &Job, rows: Vec<&Row>, errors: &mut Errors) {
    let mut told: BTreeSet<String> = BTreeSet::new();
    for row in rows {
        let (start, end) = (plant.clock.show(row.start), plant.clock.show(row.end));
        let meant = job.recipe.holds.iter().find_map(|hold| {
            let steps = [hold.from.value.as_str(), hold.until.value.as_str(), ""];
            let is_it = row.resource == hold.resource.value && steps.contains(&row.step.as_str());
            is_it.then_some(job.placed(&hold.from.value).zip(job.placed(&hold.until.value)))?
        });
        let expected = match meant {
            None => ", which the recipe does not ask for".to_owned(),
            Some((from, until)) => format!(
                " instead of from the start of `{}` at {} to the end of `{}` at {}",
                from.step.name.value,
                plant.clock.show(from.start),
                until.step.name.value,
                plant.clock.show(until.end)
            ),
        };
        let message = format!("holds `{}` from {start} to {end}{expected}", row.resource);
        if told.insert(message.clone()) {
            errors.tell(&row.order, &row.step, "hold", message);
        }
    }
}

/// Takes the rows of this hold out of those of its order.
fn one<'a>(
    plant: &Plant<'a>,
    job: &Job<'a>,
    hold: &'a Hold,
    rows: &mut Vec<&Row>,
    errors: &mut Errors,
) -> Option<Held<'a>> {
    let pool = plant.pool(&hold.resource.value)?;
    let (from, until) = (job.placed(&hold.from.value)?, job.placed(&hold.until.value)?);
    let step = from.step;
    let amount = usize::try_from(hold.amount.value).ok()?;
    let (start, end) = (from.start, until.end);
    let mut own: Vec<&Row> = Vec::new();
    rows.retain(|row| {
        let steps = [hold.from.value.as_str(), hold.until.value.as_str(), ""];
        let is_own = own.len() < amount
            && row.resource == hold.resource.value
            && (row.start, row.end) == (start, end)
            && steps.contains(&row.step.as_str());
        own.extend(is_own.then_some(*row));
        !is_own
    });
    if !own.is_empty() && own.len() < amount {
        let message = format!(
            "holds {amount} of `{}`, but has {} rows of it",
            hold.resource.value,
            own.len()
        );
        errors.push(job.order, step, "hold", message);
    }
    let mut units = Vec::new();
    for row in own {
        match plant.pools[pool].unit(&row.unit) {
            Ok(unit) => units.extend(unit),
            Err(message) => errors.push(job.order, step, "unit", message),
        }
    }
    let is_fact = from.is_fact && until.is_fact;
    Some(Held { order: job.order, step, pool, amount, start, end, units, is_fact })
}
