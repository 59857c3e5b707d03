//! What is paid for setups and for work, exactly.

use std::collections::BTreeMap;
use takt_plant::{exact_once, exact_rate};
use takt_spec::schedule::{Decimal, Row, Schedule};
use takt_spec::{Effort, Exact, Expr, Order, Rate, Recipe, Resource, Scope, SetupPart, Spec, Step};

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
    let price = |written: Option<&Rate>| rate(written, spec.constants());
    let (mut rates, mut own) = (BTreeMap::new(), BTreeMap::new());
    for resource in &spec.resources {
        let name = resource.name.value.as_str();
        rates.insert(name, price(resource.run_cost.as_ref()));
        for unit in resource.named_units().iter().filter(|unit| unit.run_cost.is_some()) {
            own.insert((name, unit.name.value.as_str()), price(unit.run_cost.as_ref()));
        }
    }
    let cost = |row: &Row| {
        let rate = own.get(&(row.resource.as_str(), row.unit.as_str()));
        let rate = rate.or(rates.get(row.resource.as_str())).copied().unwrap_or_default();
        rate * row.work.unwrap_or(row.end - row.start)
    };
    schedule.steps().map(cost).sum()
}

/// Paid between neighbours on a unit, whether or not it takes time.
pub fn setups(spec: &Spec, schedule: &Schedule) -> Decimal {
    let steps = Steps::of(spec);
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
        for part in &setup.parts {
            let mut last = resource.initial(part, unit);
            for row in &rows {
                let family = steps.find(row).and_then(|(order, step)| part.family(order, step));
                if let Some((last, family)) = last.zip(family) {
                    let cost = effort(part, last, family).and_then(|effort| effort.cost.as_ref());
                    sum = sum + once(cost, spec.constants());
                }
                last = family;
            }
        }
    }
    sum
}

fn effort<'s>(part: &'s SetupPart, from: &str, to: &str) -> Option<&'s Effort> {
    let known = part.matrix.iter().find(|c| c.from.value == from && c.to.value == to);
    let known = known.map(|change| &change.effort);
    known.or((from != to).then_some(&part.otherwise))
}

/// Orders and steps by name.
struct Steps<'s> {
    orders: BTreeMap<&'s str, &'s Order>,
    recipes: BTreeMap<&'s str, &'s Recipe>,
}

impl<'s> Steps<'s> {
    fn of(spec: &'s Spec) -> Steps<'s> {
        Steps {
            orders: spec.orders.iter().map(|order| (order.id.value.as_str(), order)).collect(),
            recipes: spec.recipes.iter().map(|r| (r.name.value.as_str(), r)).collect(),
        }
    }

    fn find(&self, row: &Row) -> Option<(&'s Order, &'s Step)> {
        let order = self.orders.get(row.order.as_str())?;
        let recipe = self.recipes.get(order.recipe.value.as_str())?;
        Some((order, recipe.step(&row.step)?))
    }
}
