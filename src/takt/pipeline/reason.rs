//! Why there is no schedule, in the plant's words, with the places in the spec that it is about.

use super::conflict::Conflict;
use super::relax::{self, Demand};
use std::collections::BTreeSet;
use takt_diagnostic::{Diagnostic, Label, Span};
use takt_plant::{Id, OrderId, Overload, Plan, ResourceId};
use takt_spec::{Hold, Instant, Resource, Spec};

/// Why there is no schedule, or none was found.
#[derive(Clone, Debug, Default)]
pub struct Reason {
    /// In a sentence.
    pub message: String,
    /// What to underline in the spec, the most telling place first.
    pub places: Vec<Label>,
    /// The demands that cannot be met together: what kind they are of, and whose they are.
    pub conflict: Vec<(&'static str, String)>,
    /// What may help.
    pub hint: Option<String>,
}

/// Names in a sentence, or places to underline; more do not help.
const MOST: usize = 6;

impl Reason {
    /// About the whole.
    pub fn new(message: String) -> Reason {
        Reason { message, ..Reason::default() }
    }

    /// What the plan alone tells: orders that cannot be made even if each were alone.
    pub fn of_plan(spec: &Spec, plan: &Plan) -> Reason {
        let all = takt_plant::conflicts(plan, spec);
        let ids: Vec<String> = all.iter().map(|one| plan.orders[one.order].id.clone()).collect();
        let conflict = ids.iter().map(|id| ("order", id.clone())).collect();
        let hint = all.iter().find_map(|one| one.hint.clone());
        let label = |message: &str, span| Label { span, message: message.to_owned() };
        if let [one] = &all[..] {
            let places = vec![label("", one.span)];
            return Reason { message: one.message.clone(), places, conflict, hint };
        }
        let quoted: Vec<String> = ids.iter().map(|id| quoted(id)).collect();
        let message = format!(
            "{} orders cannot be made in time, even each alone in the plant: {}",
            all.len(),
            listed(&quoted, "and")
        );
        let places = all.iter().map(|one| label(&one.message, one.span)).take(2 * MOST).collect();
        Reason { message, places, conflict, hint }
    }

    /// As a warning at its places; `None` if it has none.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let (first, others) = self.places.split_first()?;
        let found = Diagnostic::warning("infeasible", first.span, self.message.as_str());
        let found = found.label(first.message.as_str());
        let found = match &self.hint {
            Some(hint) => found.hint(hint.as_str()),
            None => found,
        };
        Some(others.iter().fold(found, |all, one| all.related(one.span, one.message.as_str())))
    }

    /// More to do than there is time for it.
    pub fn of_overload(spec: &Spec, plan: &Plan, overload: &Overload) -> Reason {
        let at = |instant: i64| instant_text(spec, instant);
        let resources =
            || overload.resources.iter().map(|&resource| &spec.resources[resource.index()]);
        let names: Vec<String> = resources().map(|resource| quoted(&resource.name.value)).collect();
        let ids: Vec<String> =
            overload.orders.iter().map(|&k| quoted(&plan.orders[k].id)).collect();
        let message = format!(
            "{}: between {} and {} {} {} for {}, and {} only {}",
            cannot_meet(&ids),
            at(overload.from),
            at(overload.until),
            if ids.len() == 1 { "it needs" } else { "they need" },
            listed(&names, "or"),
            spec.time.work(overload.needed),
            if names.len() == 1 { "it has" } else { "they have" },
            spec.time.work(overload.available.max(0)),
        );
        let mut places = deadline_places(spec, plan, &overload.orders);
        places.extend(resources().map(|resource| Label {
            span: resource.name.span,
            message: units_text(resource.capacity()),
        }));
        // Where the work can lie follows from releases and from the calendars of all it needs.
        let mut demands = relax::demands(spec, &overload.orders);
        demands.retain(|demand| match *demand {
            Demand::Order(_) | Demand::Deadline(_) | Demand::Release(_) => true,
            Demand::Calendar(_) => true,
            Demand::Capacity(resource) => overload.resources.contains(&resource),
            Demand::Hold(recipe, hold) => {
                let held = &spec.recipes[recipe].holds[hold].resource.value;
                resources().any(|resource| resource.name.value == *held)
            }
            Demand::Setup(_) | Demand::Lag(..) | Demand::Sequel(_) => false,
        });
        let teller = Teller { spec, plan, demands: demands.into_iter().collect() };
        let (places, conflict) = (distinct(places), teller.names());
        Reason { message, places, conflict, hint: None }
    }

    pub(super) fn of_conflict(spec: &Spec, plan: &Plan, conflict: &Conflict) -> Reason {
        let teller = Teller { spec, plan, demands: conflict.demands.iter().copied().collect() };
        let causes = teller.causes();
        let mut message = teller.claim();
        if !causes.is_empty() {
            message = format!("{message}: {}", listed(&causes, "and"));
        }
        if !conflict.is_minimal {
            message.push_str(" (not shown to be minimal)");
        }
        let (places, conflict) = (distinct(teller.places()), teller.names());
        Reason { message, places, conflict, hint: None }
    }
}

struct Teller<'t> {
    spec: &'t Spec,
    plan: &'t Plan,
    demands: Vec<Demand>,
}

impl Teller<'_> {
    fn orders(&self) -> Vec<OrderId> {
        self.demands.iter().filter_map(Demand::order).collect()
    }

    fn names(&self) -> Vec<(&'static str, String)> {
        self.demands.iter().map(|&demand| self.told(demand).name).collect()
    }

    fn late(&self) -> Vec<OrderId> {
        let order = |demand: &Demand| match demand {
            Demand::Deadline(order) => Some(*order),
            _ => None,
        };
        self.demands.iter().filter_map(order).collect()
    }

    fn ids(&self, orders: &[OrderId]) -> Vec<String> {
        orders.iter().map(|&order| quoted(&self.plan.orders[order].id)).collect()
    }

    fn deadlines(&self, orders: &[OrderId]) -> String {
        let mut instants: Vec<i64> =
            orders.iter().filter_map(|&order| self.plan.orders[order].deadline).collect();
        instants.dedup();
        let all: Vec<String> =
            instants.into_iter().map(|instant| instant_text(self.spec, instant)).collect();
        listed(&all, "and")
    }

    /// Who cannot do what.
    fn claim(&self) -> String {
        let (orders, late) = (self.orders(), self.late());
        let ids = self.ids(&orders);
        let both = if ids.len() == 2 { "both" } else { "all" };
        let subject = subject(&ids);
        let when = self.deadlines(&late);
        if late.is_empty() {
            return match ids.len() {
                1 => format!("{subject} cannot be made"),
                _ => format!("{subject} cannot {both} be made"),
            };
        }
        match ids.len() {
            1 => format!("{subject} cannot meet its deadline {when}"),
            _ if late == orders => {
                let noun = if when.contains(' ') { "deadlines" } else { "deadline" };
                format!("{subject} cannot {both} meet their {noun} {when}")
            }
            _ => {
                let ids = listed(&self.ids(&late), "and");
                format!("{subject} cannot {both} be made with {ids} over by {when}")
            }
        }
    }

    /// What stands in the way, in words.
    fn causes(&self) -> Vec<String> {
        let shared = self.demands.iter().filter_map(|demand| match *demand {
            Demand::Capacity(k) => {
                let resource = self.resource(k);
                let units = units_text(resource.capacity());
                Some(format!("{} ({units})", quoted(&resource.name.value)))
            }
            _ => None,
        });
        let shared: Vec<String> = shared.collect();
        let mut causes = Vec::new();
        if !shared.is_empty() {
            let verb = if self.orders().len() == 1 { "it needs" } else { "they share" };
            causes.push(format!("{verb} {}", listed(&shared, "and")));
        }
        causes.extend(self.demands.iter().filter_map(|&demand| self.told(demand).cause));
        causes
    }

    fn resource(&self, k: ResourceId) -> &Resource {
        &self.spec.resources[k.index()]
    }

    /// All that is told of a demand. Who is late, and who shares what, is told of all together.
    fn told(&self, demand: Demand) -> Told {
        let order = |k: OrderId| self.plan.orders[k].id.clone();
        match demand {
            Demand::Order(k) => Told::new("order", order(k)),
            Demand::Deadline(k) => Told::new("deadline", order(k)),
            Demand::Release(k) => {
                let at = instant_text(self.spec, self.plan.orders[k].release);
                let place = self.spec.orders[k.index()].release.as_ref().map(Instant::span);
                Told::new("release", order(k))
                    .because(format!("{} is not released before {at}", quoted(&order(k))))
                    .at(place, "not before this")
            }
            Demand::Setup(k) => {
                let (name, setup) = (&self.resource(k).name.value, &self.resource(k).setup);
                let crews = setup.iter().flat_map(|setup| setup.crews());
                let crews: BTreeSet<String> =
                    crews.map(|need| quoted(&need.resource.value)).collect();
                let crews: Vec<String> = crews.into_iter().collect();
                let by = if crews.is_empty() { "" } else { " by " };
                let why = format!("{} has to be set up{by}{}", quoted(name), crews.join(" and "));
                Told::new("setup", name.clone())
                    .because(why)
                    .at(setup.as_ref().map(|setup| setup.span), "setups")
            }
            Demand::Capacity(k) => {
                let resource = self.resource(k);
                Told::new("capacity", resource.name.value.clone())
                    .at(Some(resource.name.span), units_text(resource.capacity()))
            }
            Demand::Calendar(k) => {
                let Resource { name, calendar, .. } = self.resource(k);
                Told::new("calendar", name.value.clone())
                    .because(format!("{} keeps its calendar", quoted(&name.value)))
                    .at(Some(calendar.as_ref().unwrap_or(name).span), "open only at times")
            }
            Demand::Lag(recipe, step, link) => {
                let recipe = &self.spec.recipes[recipe];
                let step = &recipe.steps[step];
                let name = &step.name.value;
                let link = step.after.as_ref().map(|links| &links[link]);
                let before = link.map_or(String::new(), |link| quoted(&link.step.value));
                Told::new("lag", format!("{}.{name}", recipe.name.value))
                    .because(format!("{} may wait only so long after {before}", quoted(name)))
                    .at(link.and_then(|link| Some(link.max.as_ref()?.span)), "no longer than this")
            }
            Demand::Sequel(k) => {
                let after = &self.spec.orders[k.index()].after;
                let names: Vec<String> = after.iter().map(|b| quoted(&b.order.value)).collect();
                let place = after.first().map(|before| before.order.span);
                Told::new("after", order(k))
                    .because(format!("{} comes after {}", quoted(&order(k)), listed(&names, "and")))
                    .at(place, "not before this one")
            }
            Demand::Hold(recipe, hold) => {
                let recipe = &self.spec.recipes[recipe];
                let Hold { resource, from, until, .. } = &recipe.holds[hold];
                let [held, from, until] = [resource, from, until].map(|at| quoted(&at.value));
                Told::new("hold", format!("{}.{}", recipe.name.value, resource.value))
                    .because(format!("{held} is held from {from} until {until}"))
                    .at(Some(resource.span), "held")
            }
        }
    }

    fn places(&self) -> Vec<Label> {
        let (orders, late) = (self.orders(), self.late());
        let mut places = deadline_places(self.spec, self.plan, &late);
        for &order in orders.iter().filter(|order| !late.contains(order)) {
            places.push(Label { span: self.plan.orders[order].span, message: "this order".into() });
        }
        for &demand in &self.demands {
            places.extend(self.told(demand).place);
        }
        places
    }
}

/// A demand in words.
struct Told {
    /// For those who do not read sentences: what kind it is of, and whose it is.
    name: (&'static str, String),
    cause: Option<String>,
    place: Option<Label>,
}

impl Told {
    fn new(kind: &'static str, whose: String) -> Told {
        Told { name: (kind, whose), cause: None, place: None }
    }

    fn because(self, cause: String) -> Told {
        Told { cause: Some(cause), ..self }
    }

    fn at(self, place: Option<Span>, message: impl Into<String>) -> Told {
        Told { place: place.map(|span| Label { span, message: message.into() }), ..self }
    }
}

fn deadline_places(spec: &Spec, plan: &Plan, orders: &[OrderId]) -> Vec<Label> {
    let place = |&order: &OrderId| {
        let at = plan.orders[order].deadline.map(|instant| instant_text(spec, instant));
        let deadline = spec.orders[order.index()].deadline.as_ref();
        Label {
            span: deadline.map_or(plan.orders[order].span, Instant::span),
            message: format!("{} by {}", quoted(&plan.orders[order].id), at.unwrap_or_default()),
        }
    };
    orders.iter().map(place).collect()
}

/// Each place once, and not too many.
fn distinct(places: Vec<Label>) -> Vec<Label> {
    let mut known = Vec::new();
    let mut kept: Vec<Label> = Vec::new();
    for label in places {
        let Span { file, start, end } = label.span;
        if !known.contains(&(file, start, end)) {
            known.push((file, start, end));
            kept.push(label);
        }
    }
    kept.truncate(2 * MOST);
    kept
}

fn subject(ids: &[String]) -> String {
    format!("{} {}", if ids.len() == 1 { "order" } else { "orders" }, listed(ids, "and"))
}

fn cannot_meet(ids: &[String]) -> String {
    let subject = subject(ids);
    match ids.len() {
        1 => format!("{subject} cannot meet its deadline"),
        2 => format!("{subject} cannot both meet their deadlines"),
        _ => format!("{subject} cannot all meet their deadlines"),
    }
}

/// `a`, `b` and `c`; of many, the first few.
fn listed(words: &[String], and: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        many if many.len() > MOST + 1 => {
            format!("{} {and} {} more", many[..MOST].join(", "), many.len() - MOST)
        }
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

fn units_text(capacity: i64) -> String {
    format!("{capacity} {}", if capacity == 1 { "unit" } else { "units" })
}

/// In civil time where that is known.
fn instant_text(spec: &Spec, instant: i64) -> String {
    spec.time.told_end(instant)
}
