//! The spec as the validator reads it: everything by name, calendars as open time, factors.

use super::amount;
use super::civil::Clock;
use super::fact::Facts;
use super::open::Open;
use num_traits::CheckedMul;
use std::collections::BTreeMap;
use takt_spec::{Alternative, At, Exact, NamedUnit, Order, Rate, Recipe, Resource, Spec, Units};

/// So much open time is known beyond the end of the schedule, to say when a step should end.
const AHEAD_SECONDS: i64 = 60 * 86_400;

pub struct Plant<'s> {
    pub spec: &'s Spec,
    pub clock: Clock<'s>,
    pub facts: Facts<'s>,
    recipes: BTreeMap<&'s str, &'s Recipe>,
    /// In the spec's sequence.
    pub pools: Vec<Pool<'s>>,
    by_name: BTreeMap<&'s str, usize>,
    calendars: Vec<Open>,
}

/// A resource with its units.
pub struct Pool<'s> {
    pub resource: &'s Resource,
    pub capacity: usize,
    /// Its units have a state of their own.
    pub is_named: bool,
    units: BTreeMap<&'s str, usize>,
    /// Of each unit if they are named, or else one for all; numbers of calendars.
    calendars: Vec<Option<usize>>,
    /// The share of full speed, of each unit or of all; `None` if it cannot be computed.
    shares: Vec<Option<Exact>>,
}

impl<'s> Plant<'s> {
    /// Open time is known until `end`, and somewhat longer.
    pub fn new(spec: &'s Spec, end: i64) -> Plant<'s> {
        let clock = Clock::new(spec);
        let until = end.max(0).saturating_add(1 + AHEAD_SECONDS / clock.unit());
        let open = |calendar| Open::new(spec, &clock, calendar, until);
        let calendars: Vec<Open> = spec.calendars.iter().map(open).collect();
        let names: BTreeMap<&str, usize> =
            spec.calendars.iter().enumerate().map(|(k, c)| (c.name.value.as_str(), k)).collect();
        let pools: Vec<_> = spec.resources.iter().map(|r| Pool::new(r, &names)).collect();
        let name = |(k, pool): (usize, &Pool<'s>)| (pool.name(), k);
        let by_name = pools.iter().enumerate().map(name).collect();
        let recipes = spec.recipes.iter().map(|r| (r.name.value.as_str(), r)).collect();
        let facts = Facts::new(spec);
        Plant { spec, clock, facts, recipes, pools, by_name, calendars }
    }

    pub fn recipe(&self, order: &Order) -> Option<&'s Recipe> {
        self.recipes.get(order.recipe.value.as_str()).copied()
    }

    pub fn pool(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The calendar of a unit, or of the resource if the unit is not known.
    pub fn open(&self, pool: usize, unit: Option<usize>) -> Option<(usize, &Open)> {
        let Pool { calendars, .. } = &self.pools[pool];
        let own = unit.and_then(|unit| calendars.get(unit)).or(calendars.first());
        own.copied().flatten().map(|number| (number, &self.calendars[number]))
    }

    /// The processing time of a step done in one of its ways: whole, then stretched once by the
    /// slowest of the units that it takes.
    pub fn work(
        &self,
        order: &Order,
        way: &Alternative,
        taken: &[(usize, Option<usize>)],
    ) -> Option<i64> {
        let duration = amount::whole(&way.duration, self.spec.scope(order))?;
        let mut share = Exact::from(1);
        for &(pool, unit) in taken {
            share = share.min(self.pools[pool].share(unit)?);
        }
        amount::stretched(duration, &share)
    }

    /// By how much the instants of a copy lie after those of the first.
    pub fn shift(&self, order: &Order) -> Option<i64> {
        let Some(shift) = &order.shift else { return Some(0) };
        amount::whole(&shift.every, self.spec.scope(order))?.checked_mul(shift.times)
    }
}

impl<'s> Pool<'s> {
    fn new(resource: &'s Resource, calendars: &BTreeMap<&str, usize>) -> Pool<'s> {
        let number = |name: Option<&At<String>>| {
            name.and_then(|name| calendars.get(name.value.as_str())).copied()
        };
        let common = number(resource.calendar.as_ref());
        let named = resource.named_units();
        let share = |own: Option<&NamedUnit>| {
            let value = |own: Option<&At<Exact>>, common: &Option<At<Exact>>| {
                own.or(common.as_ref()).map_or(Exact::from(1), |share| share.value)
            };
            let availability = own.and_then(|unit| unit.availability.as_ref());
            let performance = own.and_then(|unit| unit.performance.as_ref());
            value(availability, &resource.availability)
                .checked_mul(&value(performance, &resource.performance))
        };
        Pool {
            resource,
            capacity: resource.capacity().max(0) as usize,
            is_named: !named.is_empty(),
            units: named.iter().enumerate().map(|(k, u)| (u.name.value.as_str(), k)).collect(),
            calendars: match named {
                [] => vec![common],
                named => named.iter().map(|u| number(u.calendar.as_ref()).or(common)).collect(),
            },
            shares: match named {
                [] => vec![share(None)],
                named => named.iter().map(|unit| share(Some(unit))).collect(),
            },
        }
    }

    /// The share of full speed of a unit, or of the first if it is not known which.
    fn share(&self, unit: Option<usize>) -> Option<Exact> {
        let own = unit.and_then(|unit| self.shares.get(unit)).or(self.shares.first());
        own.copied().flatten()
    }

    /// What work on a unit costs per time.
    pub fn rate(&self, unit: Option<usize>) -> Option<&'s Rate> {
        let own = unit.and_then(|unit| self.resource.named_units().get(unit));
        own.and_then(|unit| unit.run_cost.as_ref()).or(self.resource.run_cost.as_ref())
    }

    /// Whether a unit may take a family at all.
    pub fn takes(&self, unit: usize, family: &str) -> bool {
        let own = self.resource.named_units().get(unit).and_then(|unit| unit.families.as_ref());
        own.is_none_or(|families| families.iter().any(|known| known.value == family))
    }

    pub fn name(&self) -> &'s str {
        &self.resource.name.value
    }

    /// Which unit a row speaks of: `Ok(None)` if it leaves that open.
    pub fn unit(&self, name: &str) -> Result<Option<usize>, String> {
        let resource = self.name();
        if self.is_named {
            return match self.units.get(name) {
                Some(&unit) => Ok(Some(unit)),
                None if name.is_empty() => Err(format!("does not say which unit of `{resource}`")),
                None => Err(format!("takes `{name}`, but `{resource}` has no such unit")),
            };
        }
        match name.parse::<usize>() {
            // One unit is known without a name.
            _ if name.is_empty() => Ok((self.capacity == 1).then_some(0)),
            Ok(unit) if (1..=self.capacity).contains(&unit) => Ok(Some(unit - 1)),
            _ => {
                let units =
                    if self.capacity == 1 { "1".into() } else { format!("1 to {}", self.capacity) };
                Err(format!("takes unit `{name}`, but the units of `{resource}` are {units}"))
            }
        }
    }

    /// A unit as rows call it.
    pub fn unit_name(&self, unit: usize) -> String {
        match &self.resource.units {
            Units::Named(named) => {
                named.get(unit).map_or(String::new(), |unit| unit.name.value.clone())
            }
            Units::Counted(_) => (unit + 1).to_string(),
        }
    }

    /// A unit for the user's eyes: the name of a machine, or of the resource.
    pub fn show(&self, unit: usize) -> String {
        match &self.resource.units {
            Units::Named(named) => {
                named.get(unit).map_or(String::new(), |unit| unit.name.value.clone())
            }
            Units::Counted(_) if self.capacity == 1 => self.name().to_owned(),
            Units::Counted(_) => format!("{} {}", self.name(), unit + 1),
        }
    }
}
