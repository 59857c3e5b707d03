//! What is paid for setups and for work, exactly.

use std::collections::BTreeMap;
use takt_plant::{exact_once, exact_rate};
use takt_spec::schedule::{Decimal, Row, Schedule};
use takt_spec::{Effort, Exact, Expr, Initial, Rate, Resource, Scope, Setup, Spec};

/// A price per unit of time; what is missing costs nothing.
pub fn rate(rate: Option<&Rate>, scope: Scope) -> Decimal {
    // Prices that are too large were refused when the plan was made.
    rate.and_then(|rate| exact_rate(rate, scope).ok()).map_or_else(Decimal::default, decimal)
}

/// A price that is paid once; what is missing costs nothing.
pub fn once(cost: Option<&Expr>, scope: Scope) -> Decimal {
    cost.and_then(|cost| exact_once(cost, scope).ok()).map_or_else(Decimal::default, decimal)
}

/// Prices have at most six decimal places, so nothing is lost.
fn decimal(exact: Exact) -> Decimal {
    Decimal::from_millionths((exact * Exact::from(1_000_000)).to_integer())
}

/// run-cost * amount * work: each unit taken has a row of its own.
pub fn runs(spec: &Spec, schedule: &Schedule) -> Decimal {
    let rates: BTreeMap<&str, Decimal> = (spec.resources.iter())
        .map(|r| (r.name.value.as_str(), rate(r.run_cost.as_ref(), spec.constants())))
        .collect();
    let cost = |row: &Row| {
        let rate = rates.get(row.resource.as_str()).copied().unwrap_or_default();
        rate * row.work.unwrap_or(row.end - row.start)
    };
    schedule.steps().map(cost).sum()
}

/// Paid between neighbours on a unit, whether or not it takes time.
pub fn setups(spec: &Spec, schedule: &Schedule) -> Decimal {
    let families = Families::of(spec);
    let with_setups = spec.resources.iter().filter(|resource| resource.setup.is_some());
    let with_setups: BTreeMap<&str, &Resource> =
        with_setups.map(|resource| (resource.name.value.as_str(), resource)).collect();
    let mut lines: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in schedule.steps().filter(|row| with_setups.contains_key(row.resource.as_str())) {
        lines.entry((&row.resource, &row.unit)).or_default().push(row);
    }
    let mut sum = Decimal::default();
    for ((name, unit), mut rows) in lines {
        let Some(resource) = with_setups.get(name) else { continue };
        let Some(setup) = &resource.setup else { continue };
        rows.sort_by_key(|row| row.start);
        let mut last = initial(resource, unit);
        for row in rows {
            let family = families.family(row);
            if let Some(last) = last {
                let cost = effort(setup, last, family).and_then(|effort| effort.cost.as_ref());
                sum = sum + once(cost, spec.constants());
            }
            last = Some(family);
        }
    }
    sum
}

fn effort<'s>(setup: &'s Setup, from: &str, to: &str) -> Option<&'s Effort> {
    let known = setup.matrix.iter().find(|c| c.from.value == from && c.to.value == to);
    let known = known.map(|change| &change.effort);
    known.or((from != to).then_some(&setup.otherwise))
}

fn initial<'s>(resource: &'s Resource, unit: &str) -> Option<&'s str> {
    match resource.initial.as_ref()? {
        Initial::All(family) => Some(&family.value),
        Initial::PerUnit(all) => {
            let own = all.iter().find(|(name, _)| name.value == unit);
            own.map(|(_, family)| family.value.as_str())
        }
    }
}

/// The family of each step of each order.
struct Families<'s> {
    /// Of an order: its family, its recipe.
    orders: BTreeMap<&'s str, (&'s str, &'s str)>,
    /// Of a step of a recipe, where it has its own.
    steps: BTreeMap<(&'s str, &'s str), &'s str>,
}

impl<'s> Families<'s> {
    fn of(spec: &'s Spec) -> Families<'s> {
        let orders = spec.orders.iter();
        let orders =
            orders.map(|o| (o.id.value.as_str(), (o.family(), o.recipe.value.as_str()))).collect();
        let mut steps = BTreeMap::new();
        for recipe in &spec.recipes {
            for step in &recipe.steps {
                if let Some(family) = &step.family {
                    let key = (recipe.name.value.as_str(), step.name.value.as_str());
                    steps.insert(key, family.value.as_str());
                }
            }
        }
        Families { orders, steps }
    }

    fn family(&self, row: &Row) -> &'s str {
        let (family, recipe) = self.orders.get(row.order.as_str()).copied().unwrap_or(("", ""));
        let own = self.steps.get(&(recipe, row.step.as_str()));
        own.map_or(family, |own| own)
    }
}
