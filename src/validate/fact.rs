//! What is fixed, what is pinned, and what may not start before now.

use super::Errors;
use super::amount;
use super::place::{Job, Placed};
use super::plant::Plant;
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};
use takt_spec::schedule::Kind;
use takt_spec::{ExprKind, Instant, Spec};

/// Steps that are facts, by order and step.
#[derive(Default)]
pub struct Facts<'s> {
    pub now: i64,
    steps: BTreeMap<(&'s str, &'s str), Fact<'s>>,
}

pub struct Fact<'s> {
    start: i64,
    end: i64,
    /// Resource and unit of each row; the unit may be left open.
    taken: Vec<(&'s str, Option<&'s str>)>,
}

impl<'s> Facts<'s> {
    pub fn new(spec: &'s Spec) -> Facts<'s> {
        let fixed = &spec.fixed;
        let until = fixed.until.as_ref().and_then(|until| moment(spec, until));
        let now = spec.now.as_ref().and_then(|now| moment(spec, now)).unwrap_or(0).max(0);
        let mut facts = Facts { now, steps: BTreeMap::new() };
        for row in fixed.facts.iter().filter(|row| row.kind == Kind::Step) {
            let times = moment(spec, &row.start).zip(moment(spec, &row.end));
            let Some((start, end)) = times else { continue };
            if until.is_some_and(|until| start >= until) {
                continue;
            }
            let key = (row.order.value.as_str(), row.step.value.as_str());
            let fact = facts.steps.entry(key).or_insert(Fact { start, end, taken: Vec::new() });
            let unit = row.unit.as_ref().map(|unit| unit.value.as_str());
            fact.taken
                .extend(row.resource.as_ref().map(|resource| (resource.value.as_str(), unit)));
        }
        facts
    }

    pub fn of(&self, order: &'s str, step: &'s str) -> Option<&Fact<'s>> {
        self.steps.get(&(order, step))
    }
}

/// Units from 0, negative before it; of what no order changes.
pub fn moment(spec: &Spec, instant: &Instant) -> Option<i64> {
    match instant {
        Instant::After(expr) => match &expr.kind {
            ExprKind::Number(number) => number.ceil().to_integer().to_i64(),
            _ => amount::whole(expr, spec.constants()),
        },
        Instant::Civil(at) => {
            let unit = spec.time.unit.seconds().unwrap_or(1);
            Some(spec.time.seconds_from_start(at.value)?.div_euclid(unit))
        }
    }
}

pub fn check<'a>(plant: &Plant<'a>, job: &Job<'a>, errors: &mut Errors) {
    for placed in job.steps.iter().flatten() {
        match placed.is_fact {
            true => keeps(plant, placed, errors),
            false => open(plant, job, placed, errors),
        }
    }
}

/// A fact has exactly its start, its end and its units.
fn keeps<'a>(plant: &Plant<'a>, placed: &Placed<'a>, errors: &mut Errors) {
    let (order, step) = (&placed.order.id.value, &placed.step.name.value);
    let Some(fact) = plant.facts.of(order, step) else { return };
    if (placed.start, placed.end) != (fact.start, fact.end) {
        let [start, end, from, to] =
            [placed.start, placed.end, fact.start, fact.end].map(|at| plant.clock.show(at));
        let message = format!("is fixed from {from} to {to}, not from {start} to {end}");
        errors.push(placed.order, placed.step, "fixed", message);
    }
    let name = |&(pool, unit): &(usize, Option<usize>)| {
        let pool = &plant.pools[pool];
        (pool.name(), unit.map(|unit| pool.unit_name(unit)))
    };
    let mut taken: Vec<(&str, Option<String>)> = placed.taken.iter().map(name).collect();
    for &(resource, unit) in &fact.taken {
        let is_it = |one: &(&str, Option<String>)| {
            let is_open = unit.is_none() || one.1.is_none();
            one.0 == resource && (is_open || one.1.as_deref() == unit)
        };
        match taken.iter().position(is_it) {
            Some(at) => drop(taken.swap_remove(at)),
            None => {
                let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
                let message = format!("is fixed on `{resource}`{unit}, but does not take it");
                errors.push(placed.order, placed.step, "fixed", message);
            }
        }
    }
    let rest: BTreeSet<&str> = taken.iter().map(|(resource, _)| *resource).collect();
    for resource in rest {
        let message = format!("takes more of `{resource}` than is fixed");
        errors.push(placed.order, placed.step, "fixed", message);
    }
}

/// What is not fixed starts from now on, and where it is pinned.
fn open(plant: &Plant, job: &Job, placed: &Placed, errors: &mut Errors) {
    let start = plant.clock.show(placed.start);
    // Before 0 nothing may start anyway.
    if placed.start < plant.facts.now && placed.start >= 0 {
        let message =
            format!("starts at {start}, before now, {}", plant.clock.show(plant.facts.now));
        errors.push(placed.order, placed.step, "now", message);
    }
    let own = job.order.pins.iter().find(|pin| pin.step.value == placed.step.name.value);
    let Some(pin) = own else { return };
    let wanted = pin.start.as_ref().and_then(|start| moment(plant.spec, start));
    let wanted = wanted.zip(plant.shift(job.order)).map(|(start, shift)| (start + shift).max(0));
    if let Some(wanted) = wanted.filter(|&wanted| wanted != placed.start) {
        let message = format!("starts at {start}, but is pinned to {}", plant.clock.show(wanted));
        errors.push(placed.order, placed.step, "pin", message);
    }
    let has = |name: &str| {
        placed
            .taken
            .iter()
            .any(|&(pool, unit)| unit.is_none_or(|unit| plant.pools[pool].unit_name(unit) == name))
    };
    if let Some(unit) = pin.unit.as_ref().filter(|unit| !has(&unit.value)) {
        let message = format!("does not take `{}`, which it is pinned to", unit.value);
        errors.push(placed.order, placed.step, "pin", message);
    }
}
