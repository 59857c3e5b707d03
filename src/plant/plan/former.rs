//! An earlier plan: where steps were, and what it costs to have them elsewhere.
//!
//! Takes the rows of a schedule. What a start costs stands in the steps ([`Anchor`]), so that orders with different
//! rows have recipes of their own; what units cost is part of what modes cost. Units that some row names are told
//! apart where that matters. Where searches begin is told for each step ([`Former`]), at no cost.

use super::build::Found;
use super::cost::Prices;
use super::facts::{Facts, Key};
use super::{Mode, OrderId, Plan, ResourceId, Role, StepId, Unit};
use std::collections::{BTreeMap, BTreeSet};
use takt_spec::schedule::Row;
use takt_spec::{MAX_TIME, Spec};

/// Where a step was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Former {
    pub start: i64,
    pub units: BTreeSet<Unit>,
    /// Resources of which it had some unit or other.
    pub any: BTreeSet<ResourceId>,
}

/// Each unit of time between the start of a step and this instant costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// May lie before 0.
    pub at: i64,
    /// Above 0.
    pub rate: i64,
}

impl Anchor {
    /// What a step pays that starts here.
    pub fn cost(&self, start: i64) -> i64 {
        self.rate.saturating_mul(start.saturating_sub(self.at).saturating_abs())
    }
}

impl Former {
    /// Whether a unit is one that the step had.
    pub fn has(&self, unit: Unit) -> bool {
        self.any.contains(&unit.resource) || self.units.contains(&unit)
    }

    /// How many units of a pool are new to the step; of a pool of several no unit is named.
    pub fn new_units(&self, plan: &Plan, mode: &Mode) -> i64 {
        let is_new = |pool: &super::Pool| {
            let unit = |&number: &usize| Unit { resource: pool.resource, number };
            !self.any.contains(&pool.resource)
                && !pool.units.iter().map(unit).any(|unit| self.units.contains(&unit))
        };
        let needs = mode.needs.iter().filter(|need| is_new(&plan.pools[need.pool]));
        needs.map(|need| need.amount).sum()
    }

    fn add(&mut self, row: &Row, units: &Units) {
        let Some((resource, names)) = units.get(row.resource.as_str()) else { return };
        let (resource, only) = (*resource, (names.len() == 1).then_some(0));
        let number = if row.unit.is_empty() { only } else { names.get(&row.unit).copied() };
        match number {
            Some(number) => _ = self.units.insert(Unit { resource, number }),
            None if row.unit.is_empty() => _ = self.any.insert(resource),
            None => {}
        }
    }
}

/// The units of each resource, by name.
type Units<'s> = BTreeMap<&'s str, (ResourceId, BTreeMap<String, usize>)>;

/// What the spec says of an earlier plan.
#[derive(Debug, Default)]
pub struct Earlier<'s> {
    /// Steps that are not fixed.
    steps: BTreeMap<Key<'s>, Former>,
    move_rate: i64,
    unit_price: i64,
}

impl<'s> Earlier<'s> {
    pub fn read(spec: &'s Spec, prices: &Prices, facts: &Facts) -> Found<Earlier<'s>> {
        let Some(previous) = &spec.previous else { return Ok(Earlier::default()) };
        let scope = spec.constants();
        let resource = |(k, resource): (usize, &'s takt_spec::Resource)| {
            let units = resource.unit_names().into_iter().zip(0..).collect();
            (resource.name.value.as_str(), (ResourceId(k), units))
        };
        let units: Units = spec.resources.iter().enumerate().map(resource).collect();
        let rows = previous.rows.iter().map(|row| &row.value);
        Ok(Earlier {
            steps: steps(rows.filter(|row| !facts.steps.contains_key(&key(row))), &units),
            move_rate: prices.rate(previous.move_cost.as_ref(), scope)?,
            unit_price: prices.once(previous.unit_cost.as_ref(), scope)?,
        })
    }

    /// Units of which it matters which one is taken.
    pub fn apart(&self) -> impl Iterator<Item = Unit> {
        let steps = self.steps.values().filter(|_| self.unit_price > 0);
        steps.flat_map(|former| former.units.iter().copied())
    }

    pub fn anchor(&self, key: Key) -> Option<Anchor> {
        let former = self.steps.get(&key).filter(|_| self.move_rate > 0)?;
        Some(Anchor { at: former.start, rate: self.move_rate })
    }

    /// Adds what is paid for units that are new to the step.
    pub fn price(&self, plan: &Plan, key: Key, modes: &mut [Mode]) {
        let Some(former) = self.steps.get(&key).filter(|_| self.unit_price > 0) else { return };
        for mode in modes {
            mode.cost += self.unit_price.saturating_mul(former.new_units(plan, mode));
        }
    }
}

fn key(row: &Row) -> Key<'_> {
    (row.order.as_str(), row.step.as_str())
}

fn steps<'r>(rows: impl Iterator<Item = &'r Row>, units: &Units) -> BTreeMap<Key<'r>, Former> {
    let mut found: BTreeMap<Key, Former> = BTreeMap::new();
    // What lies beyond all that can be planned was nowhere.
    for row in rows.filter(|row| row.start.unsigned_abs() <= MAX_TIME.unsigned_abs()) {
        let former = Former { start: row.start, ..Former::default() };
        found.entry(key(row)).or_insert(former).add(row, units);
    }
    found
}

/// Steps that are not fixed, as some rows have them.
pub type Formers = BTreeMap<(OrderId, StepId), Former>;

impl Plan {
    /// Searches begin where these rows have the steps. Gives how many rows speak of what is not there.
    pub fn begin_at<'r>(&mut self, rows: impl Iterator<Item = &'r Row> + Clone) -> usize {
        let (former, strange) = self.formers(rows);
        self.former = former;
        strange
    }

    /// Where these rows have the steps, and how many of them speak of what is not there.
    pub fn formers<'r>(&self, rows: impl Iterator<Item = &'r Row> + Clone) -> (Formers, usize) {
        let resource = |(k, resource): (ResourceId, &super::Resource)| {
            let units = resource.units.iter().cloned().zip(0..).collect();
            (k, units)
        };
        let names = self.resources.iter().map(|resource| resource.name.as_str());
        let units: Units = names.zip(self.resources.entries().map(resource)).collect();
        let mut found = steps(rows.clone(), &units);
        let mut formers = Formers::new();
        for (order, of) in self.orders.entries() {
            for (k, step) in self.steps(order).entries().filter(|(_, step)| step.is_written()) {
                let own = found.remove(&(of.id.as_str(), step.name.as_str()));
                let own = own.filter(|_| step.role == Role::Open);
                formers.extend(own.map(|own| ((order, k), own)));
            }
        }
        let is_far = |row: &&Row| row.start.unsigned_abs() > MAX_TIME.unsigned_abs();
        let strange = rows.filter(|row| is_far(row) || found.contains_key(&key(row))).count();
        (formers, strange)
    }
}
