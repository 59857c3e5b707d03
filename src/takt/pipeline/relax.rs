//! A spec of which only some demands count: what a conflict is looked for with.
//!
//! Takes a spec and the demands to keep; gives a spec that everybody can meet who meets the first,
//! with all others left out: orders not made, deadlines and releases that do not bind, as many
//! units as anyone could want, resources that never close, machines without setups, waiting without
//! limit, nothing held. Prices and heuristics play no part.

use std::collections::{BTreeMap, BTreeSet};
use takt_plant::{Id, OrderId, ResourceId};
use takt_spec::{NamedUnit, Objective, Recipe, Spec, Units};

/// Something that the spec asks for, by position. The order is that in which demands are tried
/// to be left out: the later ones more likely stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Demand {
    Order(OrderId),
    Deadline(OrderId),
    Release(OrderId),
    Setup(ResourceId),
    Capacity(ResourceId),
    /// Of a resource and its units.
    Calendar(ResourceId),
    /// Recipe, step, predecessor.
    Lag(usize, usize, usize),
    /// Recipe, hold.
    Hold(usize, usize),
    /// All that an order waits for.
    Sequel(OrderId),
}

impl Demand {
    /// The order that is to be made, where that is the demand.
    pub(super) fn order(&self) -> Option<OrderId> {
        match *self {
            Demand::Order(order) => Some(order),
            _ => None,
        }
    }
}

/// All that concerns these orders.
pub(super) fn demands(spec: &Spec, orders: &[OrderId]) -> BTreeSet<Demand> {
    let mut all = BTreeSet::new();
    let mut recipes = BTreeSet::new();
    for &order in orders {
        let of = &spec.orders[order.index()];
        all.insert(Demand::Order(order));
        if of.deadline.is_some() {
            all.insert(Demand::Deadline(order));
        }
        // The release of a copy follows from its number.
        if of.release.is_some() && of.shift.is_none() {
            all.insert(Demand::Release(order));
        }
        if !of.after.is_empty() {
            all.insert(Demand::Sequel(order));
        }
        recipes.extend(recipe(spec, &of.recipe.value));
    }
    let mut used = BTreeSet::new();
    for (number, recipe) in recipes.iter().map(|&number| (number, &spec.recipes[number])) {
        used.extend(resources(recipe));
        used.extend(crews(spec, recipe));
        all.extend((0..recipe.holds.len()).map(|hold| Demand::Hold(number, hold)));
        for (k, step) in recipe.steps.iter().enumerate() {
            let links = step.after.iter().flatten().enumerate();
            let limited = links.filter(|(_, link)| link.max.is_some());
            all.extend(limited.map(|(link, _)| Demand::Lag(number, k, link)));
        }
    }
    for (number, resource) in (0..).map(ResourceId).zip(&spec.resources) {
        if !used.contains(resource.name.value.as_str()) {
            continue;
        }
        all.insert(Demand::Capacity(number));
        if resource.setup.is_some() {
            all.insert(Demand::Setup(number));
        }
        let has_own = |units: &Units| match units {
            Units::Named(all) => all.iter().any(|unit| unit.calendar.is_some()),
            Units::Counted(_) => false,
        };
        if resource.calendar.is_some() || has_own(&resource.units) {
            all.insert(Demand::Calendar(number));
        }
    }
    all
}

fn recipe(spec: &Spec, name: &str) -> Option<usize> {
    spec.recipes.iter().position(|recipe| recipe.name.value == name)
}

/// The names of what a recipe takes.
fn resources(recipe: &Recipe) -> impl Iterator<Item = &str> {
    let ways = recipe.steps.iter().flat_map(|step| &step.alternatives);
    let taken = ways.flat_map(|way| &way.requirements).map(|need| &need.resource);
    let held = recipe.holds.iter().map(|hold| &hold.resource);
    taken.chain(held).map(|name| name.value.as_str())
}

/// The names of what sets the units of a recipe up.
fn crews<'s>(spec: &'s Spec, recipe: &Recipe) -> impl Iterator<Item = &'s str> + use<'s> {
    let own: BTreeSet<&str> = resources(recipe).collect();
    let meant: Vec<_> =
        spec.resources.iter().filter(|r| own.contains(r.name.value.as_str())).collect();
    let setups = meant.into_iter().filter_map(|resource| resource.setup.as_ref());
    setups.flat_map(|setup| setup.crews()).map(|need| need.resource.value.as_str())
}

/// The spec with these demands alone.
pub(super) fn relaxed(spec: &Spec, kept: &BTreeSet<Demand>) -> Spec {
    let mut spec = spec.clone();
    spec.objective = Objective::Feasible;
    spec.heuristics.clear();
    let keeps = |demand: Demand| kept.contains(&demand);
    for (number, resource) in (0..).map(ResourceId).zip(&mut spec.resources) {
        if !keeps(Demand::Calendar(number)) {
            resource.calendar = None;
            if let Units::Named(all) = &mut resource.units {
                all.iter_mut().for_each(|unit| unit.calendar = None);
            }
        }
        // A unit that nobody else takes needs no setup, but for the first.
        if !keeps(Demand::Setup(number)) || !keeps(Demand::Capacity(number)) {
            (resource.setup, resource.initial) = (None, None);
        }
    }
    for (number, recipe) in spec.recipes.iter_mut().enumerate() {
        for (k, step) in recipe.steps.iter_mut().enumerate() {
            for (link, before) in step.after.iter_mut().flatten().enumerate() {
                if !keeps(Demand::Lag(number, k, link)) {
                    before.max = None;
                }
            }
        }
        let mut hold = 0..;
        recipe.holds.retain(|_| hold.next().is_some_and(|hold| keeps(Demand::Hold(number, hold))));
    }
    for (number, order) in (0..).map(OrderId).zip(&mut spec.orders) {
        order.due = None;
        if !keeps(Demand::Deadline(number)) {
            order.deadline = None;
        }
        if !keeps(Demand::Sequel(number)) {
            order.after.clear();
        }
        if !keeps(Demand::Release(number)) && order.shift.is_none() {
            order.release = None;
        }
    }
    let mut order = (0..).map(OrderId);
    spec.orders.retain(|_| order.next().is_some_and(|order| keeps(Demand::Order(order))));
    for number in 0..spec.resources.len() {
        if !keeps(Demand::Capacity(ResourceId(number))) {
            multiply(&mut spec, number);
        }
    }
    spec
}

/// As many units as all orders together could take at once, of every kind that there is.
fn multiply(spec: &mut Spec, number: usize) {
    let name = spec.resources[number].name.value.clone();
    // How much of it the setup of each resource takes.
    let crew = |resource: &takt_spec::Resource| -> i64 {
        let needs = resource.setup.iter().flat_map(|setup| setup.crews());
        needs.filter(|need| need.resource.value == name).map(|need| need.amount.value).sum()
    };
    let set_up: BTreeMap<String, i64> =
        spec.resources.iter().map(|r| (r.name.value.clone(), crew(r))).collect();
    let of_recipe = |recipe: &Recipe| -> i64 {
        let steps = recipe.steps.iter().map(|step| {
            let ways = step.alternatives.iter().map(|way| {
                let needs = way.requirements.iter().filter(|need| need.resource.value == name);
                needs.map(|need| need.amount.value).sum::<i64>()
            });
            ways.max().unwrap_or(0)
        });
        let holds = recipe.holds.iter().filter(|hold| hold.resource.value == name);
        let setups = recipe.steps.iter().flat_map(|step| &step.alternatives);
        let setups =
            setups.flat_map(|way| &way.requirements).map(|need| set_up[&need.resource.value]);
        let held = holds.map(|hold| hold.amount.value).sum::<i64>();
        steps.sum::<i64>() + held + setups.sum::<i64>()
    };
    let each: Vec<i64> = spec.recipes.iter().map(of_recipe).collect();
    let orders = spec.orders.iter().filter_map(|order| recipe(spec, &order.recipe.value));
    let most = orders.map(|recipe| each[recipe]).sum::<i64>().max(1);
    match &mut spec.resources[number].units {
        Units::Counted(count) => count.value = count.value.max(most),
        Units::Named(all) => {
            let copies = |unit: &NamedUnit| {
                (1..=most)
                    .map(|k| {
                        let mut copy = unit.clone();
                        copy.name.value = format!("{}.{k}", unit.name.value);
                        copy
                    })
                    .collect::<Vec<_>>()
            };
            *all = all.iter().flat_map(copies).collect();
        }
    }
}
