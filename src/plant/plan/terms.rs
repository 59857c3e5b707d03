//! What tells units of one resource from each other besides calendar and setup: speed, price, families.

use super::build::{Builder, Found};
use super::ids::Id;
use super::{Need, Unit};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;
use takt_spec::{self as spec, Exact, MAX_TIME, NamedUnit};

/// Units of a pool have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Of full speed, in (0, 1].
    share: Exact,
    /// What work costs per time.
    rate: i64,
    /// All that they take; `None` for every family.
    families: Option<BTreeSet<String>>,
}

impl Terms {
    pub fn takes(&self, family: &str) -> bool {
        self.families.as_ref().is_none_or(|families| families.contains(family))
    }
}

impl Builder<'_> {
    /// What a unit says wins over what its resource says.
    pub fn terms_of(&self, resource: &spec::Resource, unit: Option<&NamedUnit>) -> Found<Terms> {
        let own = |of: &dyn Fn(&NamedUnit) -> Option<Exact>| unit.and_then(of);
        let availability = own(&|unit| unit.availability.as_ref().map(|share| share.value))
            .or(resource.availability.as_ref().map(|share| share.value));
        let performance = own(&|unit| unit.performance.as_ref().map(|share| share.value))
            .or(resource.performance.as_ref().map(|share| share.value));
        let one = || Exact::from(1);
        let rate = unit.and_then(|unit| unit.run_cost.as_ref()).or(resource.run_cost.as_ref());
        let families = unit
            .and_then(|unit| unit.families.as_ref())
            .map(|names| names.iter().map(|name| name.value.clone()).collect());
        Ok(Terms {
            share: availability.unwrap_or_else(one) * performance.unwrap_or_else(one),
            rate: self.price_per_time(rate)?,
            families,
        })
    }

    /// A whole duration, stretched once by the slowest of these.
    pub fn stretched(&self, whole: i64, needs: &[Need]) -> Option<i64> {
        let shares = needs.iter().map(|need| self.terms[need.pool].share);
        let smallest = shares.min().unwrap_or_else(|| Exact::from(1));
        let exact = (Exact::from(i128::from(whole)) / smallest).ceil();
        exact.to_integer().to_i64().filter(|&units| units <= MAX_TIME)
    }

    /// What so much work costs on all of these.
    pub fn run_cost(&self, work: i64, needs: &[Need]) -> Option<i64> {
        needs.iter().try_fold(0_i64, |sum, need| {
            let price = self.terms[need.pool].rate.checked_mul(need.amount)?;
            sum.checked_add(price.checked_mul(work)?)
        })
    }

    /// What work on a unit costs per time.
    pub fn run_rate(&self, unit: Unit) -> Found<i64> {
        let resource = &self.spec.resources[unit.resource.index()];
        let own = resource.named_units().get(unit.number).and_then(|unit| unit.run_cost.as_ref());
        self.price_per_time(own.or(resource.run_cost.as_ref()))
    }
}

/// Why no unit takes a step of an order: in words, and where.
pub fn refusal(spec: &spec::Spec, order: &spec::Order, step: &spec::Step) -> Option<String> {
    let recipe = spec.recipe(&order.recipe.value)?;
    let family = step.family.as_ref().map_or(order.family(), |family| &family.value);
    let needs = step.alternatives.iter().map(|way| {
        let needs = way.requirements.iter();
        needs.map(|need| (&need.resource.value, need.amount.value, family)).collect::<Vec<_>>()
    });
    let holds = recipe.holds.iter().filter(|hold| hold.from.value == step.name.value);
    let held = holds.map(|hold| vec![(&hold.resource.value, hold.amount.value, order.family())]);
    let lacks = |needs: &Vec<(&String, i64, &str)>| {
        needs.iter().find_map(|&(name, amount, family)| {
            let units = spec.resource(name)?.named_units();
            let takes = |unit: &&NamedUnit| {
                unit.families.as_ref().is_none_or(|all| all.iter().any(|f| f.value == family))
            };
            let count = units.iter().filter(takes).count() as i64;
            (!units.is_empty() && count < amount).then(|| (name.clone(), family.to_owned(), count))
        })
    };
    let refused: Vec<_> = needs.map(|way| lacks(&way)).collect();
    let all = refused.iter().all(Option::is_some).then(|| refused.into_iter().flatten().next());
    let (name, family, count) =
        all.flatten().or_else(|| held.into_iter().find_map(|h| lacks(&h)))?;
    let units = match count {
        0 => "no unit".to_owned(),
        1 => "only one unit".to_owned(),
        _ => format!("only {count} units"),
    };
    Some(format!("{units} of `{name}` may take the family `{family}`"))
}
