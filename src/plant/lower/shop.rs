//! Job shops, which have automata of their own: every recipe becomes a template, whose steps, copied from
//! `shop.xta`, follow each other; every order is a process of its recipe's template.
//!
//! Nothing happens in them when a step merely ends, and all clocks are compared from below. That makes
//! the states few and lets one dominate many, which the chains of `recipe.rs` do not.

use super::assembly::{empty, instance, number};
use super::{Event, Lowered};
use crate::plan::{Id, IdVec, Link, Objective, OrderId, Plan, Recipe, RecipeId, Step, StepId};
use std::collections::{BTreeMap, BTreeSet};
use takt_automata::compose::{
    Names, Stamp, Templates, declared, name_parameters, set_constants, woven,
};
use takt_automata::network::{
    Expr, Ident, Initial, Item, Location, Origin, System, Template, Urgency,
};
use takt_diagnostic::Span;

/// What an estimate must know of the automata of a job shop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shop {
    /// For each recipe: what the locations of its template stand for, in their sequence.
    pub places: IdVec<RecipeId, Vec<Place>>,
}

/// Where an order of a job shop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Waiting,
    /// This step is running, or has ended while nobody wanted its resource.
    On(StepId),
    /// This step has ended, and its resource is another order's.
    After(StepId),
    Finished,
    /// A location that only a replaced template knows.
    Between,
}

/// Orders are chains of steps that take one unit of one resource or none, and the end of the last one,
/// if anything, is what counts.
pub fn is_job_shop(plan: &Plan) -> bool {
    plan.objective != Objective::Cost
        && plan.heuristics.is_empty()
        && plan.groups.is_empty()
        && plan.pools.iter().all(|p| p.units.len() == 1 && p.setup.is_none())
        && plan.used_calendars().is_empty()
        && plan.orders.iter().all(|o| o.release == 0 && o.deadline.is_none())
        && plan.recipes.iter().all(is_chain_of_machines)
}

fn is_chain_of_machines(recipe: &Recipe) -> bool {
    let follows = |(k, step): (StepId, &Step)| match (k.before(), step.after.as_slice()) {
        (None, []) => true,
        (Some(before), [link]) => *link == Link { before, ..Link::default() },
        _ => false,
    };
    let takes_one = |step: &Step| matches!(&step.modes[..], [mode] if mode.needs.len() <= 1);
    recipe.holds.is_empty()
        && recipe.steps.entries().all(follows)
        && recipe.steps.iter().all(takes_one)
}

pub fn lower(plan: &Plan, templates: &Templates) -> Lowered {
    let mut lowered = Lowered::default();
    for file in ["plant.xta", "shop.xta"] {
        lowered.network.items.extend(templates.declarations(file));
    }
    let idle = Idle::of(plan);
    let value = |value: usize| Initial::Value(number(value));
    // No array may be empty, so there is at least one machine.
    let values = BTreeMap::from([
        ("horizon", Initial::Value(Expr::number(plan.horizon))),
        ("orders", value(plan.orders.len())),
        ("machines", value(idle.machines.max(1))),
    ]);
    set_constants(&mut lowered.network, &values);
    let globals = declared(&lowered.network.items);
    let mut names = Names::without(templates.globals());
    let recipe_names: IdVec<RecipeId, String> =
        plan.recipes.iter().map(|recipe| names.fresh("Recipe_", &recipe.name)).collect();
    let (mut told, mut shop) = (IdVec::<RecipeId, _>::default(), Shop::default());
    for (recipe, name) in recipe_names.entries() {
        let (mut template, places) = order(plan, recipe, name, templates, &mut lowered.events);
        told.push(name_parameters(&mut template, &["turn", "own"], &globals));
        lowered.network.items.push(Item::Template(template));
        shop.places.push(places);
    }
    for (turn, order) in plan.orders.entries() {
        let name = names.fresh("order_", &order.id);
        let value = |told: &&str| match *told {
            "turn" => number(turn),
            _ => number(idle.own[turn]),
        };
        let arguments = told[order.recipe].iter().map(value).collect();
        let instance = instance(&name, &recipe_names[order.recipe], arguments);
        lowered.network.items.push(Item::Instantiation(instance));
        lowered.chains.push((name.clone(), turn));
        lowered.processes.push(name);
    }
    let mut processes: Vec<Ident> = lowered.processes.iter().map(Ident::new).collect();
    if processes.is_empty() {
        lowered.network.items.push(Item::Template(nobody()));
        processes.push(Ident::new(NOBODY));
    }
    lowered.network.system = System { levels: vec![processes], span: Span::default() };
    lowered.shop = Some(shop);
    lowered
}

pub const NOBODY: &str = "Nobody";

/// Stands in a plant without orders, since a system has at least one process.
pub fn nobody() -> Template {
    let location = Location { name: Ident::new("idle"), invariant: None, urgency: Urgency::Normal };
    Template { locations: vec![location], ..empty(NOBODY, "idle") }
}

/// A step without a resource takes a machine that only its order uses.
struct Idle {
    /// For each order: the number of that machine (0 where none is needed).
    own: IdVec<OrderId, usize>,
    machines: usize,
}

impl Idle {
    fn of(plan: &Plan) -> Idle {
        let mut machines = plan.resources.len();
        let mut own = IdVec::default();
        for order in plan.orders.ids() {
            let needs_one = plan.steps(order).iter().any(|step| step.machine().is_none());
            own.push(if needs_one { machines } else { 0 });
            machines += usize::from(needs_one);
        }
        Idle { own, machines }
    }
}

/// The template of a recipe, and what its locations stand for.
fn order(
    plan: &Plan,
    recipe: RecipeId,
    name: &str,
    templates: &Templates,
    events: &mut Vec<Event>,
) -> (Template, Vec<Place>) {
    let steps = &plan.recipes[recipe].steps;
    let mut names = Names::default();
    let on: IdVec<StepId, String> =
        steps.iter().map(|step| names.fresh("on_", &step.name)).collect();
    let after: IdVec<StepId, String> =
        steps.iter().map(|step| names.fresh("after_", &step.name)).collect();
    let mut target = empty(name, "waiting");
    let mut known = BTreeSet::new();
    let end = StepId(steps.len() - 1);
    for (k, step) in steps.entries() {
        let last = Expr::number(i64::from(k == end));
        let mut arguments = vec![("machine", machine(step)), ("last", last)];
        let mut locations = vec![("running", on[k].as_str())];
        let before = k.before().map(|b| (&steps[b], on[b].as_str(), after[b].as_str()));
        if let Some((before, ending, parted)) = before {
            arguments.extend(leaving(before));
            locations.extend([("ending", ending), ("parted", parted)]);
        }
        let origin = Some(("running", Origin(events.len() as u32)));
        events.push(Event::Start { recipe, step: k, mode: 0, holds: Vec::new() });
        let template = templates.get("shop.xta", if before.is_some() { "Next" } else { "First" });
        let stamp = Stamp { arguments: &arguments, locations: &locations, origin };
        stamp.onto(&mut target, &mut known, template);
    }
    let [before, duration] = leaving(&steps[end]);
    Stamp {
        arguments: &[before, duration, ("turn", woven("turn"))],
        locations: &[("ending", &on[end]), ("parted", &after[end])],
        origin: None,
    }
    .onto(&mut target, &mut known, templates.get("shop.xta", "Finish"));
    let meaning: BTreeMap<&str, Place> = (on.entries())
        .map(|(step, name)| (name.as_str(), Place::On(step)))
        .chain(after.entries().map(|(step, name)| (name.as_str(), Place::After(step))))
        .chain([("waiting", Place::Waiting), ("finished", Place::Finished)])
        .collect();
    let places = target.locations.iter().map(|l| meaning.get(l.name.text.as_str()).copied());
    let places = places.map(|place| place.unwrap_or(Place::Between)).collect();
    (target, places)
}

fn machine(step: &Step) -> Expr {
    step.machine().map_or_else(|| woven("own"), number)
}

fn leaving(step: &Step) -> [(&'static str, Expr); 2] {
    [("before", machine(step)), ("duration", Expr::number(step.shortest()))]
}
