//! What is probably a mistake: things that nobody uses, and things that do not go together.

use super::duration::names;
use crate::decode::Decoded;
use crate::language::ORDER;
use crate::{Expr, Initial, Layout, Objective, Order, Resource, Setup, Spec, Step};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Diagnostics, Span, nearest};

pub fn warn(decoded: &Decoded, found: &mut Diagnostics) {
    let (spec, objective) = (&decoded.spec, decoded.objective);
    if let Some(layout) = &spec.layout {
        unserved_locks(layout, found);
        return;
    }
    unused_names(decoded, found);
    unused_attributes(decoded, found);
    unknown_families(spec, found);
    for resource in &spec.resources {
        odd_resource(resource, found);
    }
    let timed = spec.resources.iter().filter(|resource| !calendars(resource).is_empty());
    let timed: BTreeSet<_> = timed.map(|resource| resource.name.value.as_str()).collect();
    for step in spec.recipes.iter().flat_map(|recipe| &recipe.steps) {
        never_interrupted(&timed, step, found);
    }
    if spec.objective != Objective::Cost {
        costs_without_effect(spec, found);
    } else if let Some(span) = objective.filter(|_| !has_costs(spec)) {
        let message = "nothing costs anything, so every schedule is as good as any other";
        let warning = Diagnostic::warning("no-costs", span, message);
        found.push(warning.hint("such as `delay-cost` of orders or `run-cost` of resources"));
    }
}

fn has_costs(spec: &Spec) -> bool {
    let of_order = |order: &Order| order.rates().next().is_some() || order.late_cost.is_some();
    let of_resource = |resource: &Resource| {
        let mut efforts = resource.setup.iter().flat_map(Setup::efforts);
        resource.rates().next().is_some() || efforts.any(|effort| effort.cost.is_some())
    };
    // Whoever stays near an earlier plan may ask for no more than that.
    let departs = spec.previous.is_some();
    departs || spec.orders.iter().any(of_order) || spec.resources.iter().any(of_resource)
}

fn unserved_locks(layout: &Layout, found: &mut Diagnostics) {
    let served = layout.robots.iter().flat_map(|robot| &robot.locks);
    let served: BTreeSet<_> = served.map(|lock| &lock.value).collect();
    for lock in layout.locks.ids.iter().filter(|lock| !served.contains(&lock.value)) {
        let message = format!("no robot serves the lock `{}`", lock.value);
        found.push(Diagnostic::warning("unused", lock.span, message));
    }
}

fn unused_names(decoded: &Decoded, found: &mut Diagnostics) {
    let spec = &decoded.spec;
    let mut warn = |span, message| found.push(Diagnostic::warning("unused", span, message));
    let steps = spec.recipes.iter().flat_map(|recipe| &recipe.steps);
    let taken = steps.flat_map(|s| &s.alternatives).flat_map(|a| &a.requirements);
    let held = spec.recipes.iter().flat_map(|recipe| &recipe.holds).map(|hold| &hold.resource);
    let setups = spec.resources.iter().filter_map(|resource| resource.setup.as_ref());
    let crews = setups.flat_map(|setup| setup.crews()).map(|need| &need.resource);
    let taken = taken.map(|need| &need.resource);
    let needed: BTreeSet<_> = taken.chain(held).chain(crews).map(|name| &name.value).collect();
    for resource in spec.resources.iter().filter(|r| !needed.contains(&r.name.value)) {
        let message = format!("no step needs the resource `{}`", resource.name.value);
        warn(resource.name.span, message);
    }
    let made: BTreeSet<_> = spec.orders.iter().map(|order| &order.recipe.value).collect();
    let unmade = spec.recipes.iter().filter(|recipe| !made.contains(&recipe.name.value));
    let (of_tables, written): (Vec<_>, Vec<_>) = unmade
        .map(|recipe| &recipe.name)
        .partition(|name| decoded.tables.iter().any(|table| table.file == name.span.file));
    for recipe in written {
        warn(recipe.span, format!("no order uses the recipe `{}`", recipe.value));
    }
    // Tables hold what may be made, orders what is to be made now.
    for table in &decoded.tables {
        let mut names = of_tables.iter().filter(|name| name.span.file == table.file);
        let Some(first) = names.next() else { continue };
        let message = match names.count() {
            0 => format!("no order uses the recipe `{}` of this table", first.value),
            more => format!(
                "no order uses {} recipes of this table, such as `{}`",
                more + 1,
                first.value
            ),
        };
        warn(table.named, message);
    }
    let bases = spec.calendars.iter().filter_map(|calendar| calendar.like.as_ref());
    let bases = bases.map(|name| name.value.as_str());
    let followed: BTreeSet<_> = spec.resources.iter().flat_map(calendars).chain(bases).collect();
    for calendar in spec.calendars.iter().filter(|c| !followed.contains(c.name.value.as_str())) {
        let message = format!("no resource follows the calendar `{}`", calendar.name.value);
        warn(calendar.name.span, message);
    }
}

/// The calendars that a resource and its units follow.
fn calendars(resource: &Resource) -> Vec<&str> {
    let own = resource.named_units().iter().filter_map(|unit| unit.calendar.as_ref());
    resource.calendar.iter().chain(own).map(|name| name.value.as_str()).collect()
}

/// Each name once, however many orders have it.
fn unused_attributes(decoded: &Decoded, found: &mut Diagnostics) {
    let spec = &decoded.spec;
    // What else stands in a table that was made for others is nobody's mistake.
    let foreign = decoded.tables.iter().filter(|table| table.is_mapped);
    let foreign: BTreeSet<_> = foreign.map(|table| table.file).collect();
    let mut used = BTreeSet::new();
    for expr in spec.recipes.iter().flat_map(|r| &r.steps).flat_map(of_step) {
        names(expr, &mut |name| _ = used.insert(name));
    }
    let parts = spec.resources.iter().flat_map(|r| &r.setup).flat_map(|setup| &setup.parts);
    used.extend(parts.filter_map(|part| part.by.as_ref()).map(|by| by.value.as_str()));
    let mut unused: BTreeMap<&str, Span> = BTreeMap::new();
    for order in &spec.orders {
        for expr in of_order(order) {
            names(expr, &mut |name| _ = used.insert(name));
        }
        for attribute in &order.attributes {
            unused.entry(&attribute.name.value).or_insert(attribute.name.span);
        }
    }
    let is_unused =
        |(name, span): &(&str, Span)| !used.contains(name) && !foreign.contains(&span.file);
    for (name, span) in unused.into_iter().filter(is_unused) {
        let message = format!("no expression and no setup uses the attribute `{name}`");
        let warning = Diagnostic::warning("unused", span, message);
        let keys = ORDER.entries.iter().map(|entry| entry.name);
        found.push(match nearest(name, keys) {
            Some(key) => warning.hint(format!("the key of orders is `{key}`")),
            None => warning,
        });
    }
}

fn of_step(step: &Step) -> Vec<&Expr> {
    let durations = step.alternatives.iter().map(|alternative| &alternative.duration);
    let pause = step.interruptible.iter().filter_map(|i| i.max.as_ref());
    let lags = step.after.iter().flatten().flat_map(|p| p.min.iter().chain(&p.max));
    durations.chain(pause).chain(lags).collect()
}

fn of_order(order: &Order) -> Vec<&Expr> {
    use crate::Instant;
    let prices = order.rates().map(|rate| &rate.amount).chain(&order.late_cost);
    let instants = [&order.release, &order.due, &order.deadline].into_iter().flatten();
    let instants = instants.filter_map(|instant| match instant {
        Instant::After(expr) => Some(expr),
        Instant::Civil(_) => None,
    });
    let lags = order.after.iter().flat_map(|before| before.min.iter().chain(&before.max));
    prices.chain(instants).chain(lags).chain(order.shift.iter().map(|shift| &shift.every)).collect()
}

/// Families that units are to take and nobody has.
fn unknown_families(spec: &Spec, found: &mut Diagnostics) {
    let units = spec.resources.iter().flat_map(Resource::named_units);
    let mut limits = units.flat_map(|unit| &unit.families).flatten().peekable();
    if limits.peek().is_none() {
        return;
    }
    let steps = spec.recipes.iter().flat_map(|recipe| &recipe.steps);
    let mut known: BTreeSet<&str> = spec.orders.iter().map(Order::family).collect();
    known.extend(steps.filter_map(|step| step.family.as_ref()).map(|f| f.value.as_str()));
    let mut told = BTreeSet::new();
    for family in limits.filter(|family| !known.contains(family.value.as_str())) {
        if told.insert(&family.value) {
            let message = format!("no order or step has the family `{}`", family.value);
            let warning = Diagnostic::warning("unused", family.span, message);
            found.push(warning.did_you_mean(&family.value, known.iter().copied()));
        }
    }
}

fn odd_resource(resource: &Resource, found: &mut Diagnostics) {
    let own = resource.named_units().iter().map(|unit| {
        let calendar = unit.calendar.as_ref().or(resource.calendar.as_ref());
        let is_own = unit.calendar.is_some() || unit.availability.is_some();
        let availability = unit.availability.as_ref().or(resource.availability.as_ref());
        availability.zip(calendar).filter(|_| is_own)
    });
    let common = resource.availability.as_ref().zip(resource.calendar.as_ref());
    for (availability, calendar) in own.chain([common]).flatten() {
        let message = "working hours are counted twice: by the calendar and by `availability`";
        let warning = Diagnostic::warning("counted-twice", availability.span, message);
        found.push(warning.related(calendar.span, "the calendar"));
    }
    if let (Some(initial), None) = (&resource.initial, &resource.setup) {
        let span = match initial {
            Initial::All(family) => family.span,
            Initial::PerUnit(all) => all.first().map_or(resource.name.span, |(unit, _)| unit.span),
        };
        let message = "`initial` has no effect without a setup";
        found.push(Diagnostic::warning("unused", span, message));
    }
}

fn never_interrupted(timed: &BTreeSet<&str>, step: &Step, found: &mut Diagnostics) {
    let Some(interruptible) = &step.interruptible else { return };
    let mut needs = step.alternatives.iter().flat_map(|alternative| &alternative.requirements);
    if !needs.any(|need| timed.contains(need.resource.value.as_str())) {
        let message = "no resource of this step has a calendar, so nothing interrupts it";
        found.push(Diagnostic::warning("unused", interruptible.span, message));
    }
}

/// Said once, at the first of them.
fn costs_without_effect(spec: &Spec, found: &mut Diagnostics) {
    let of_orders = spec.orders.iter().flat_map(Order::rates);
    let rates = of_orders.chain(spec.resources.iter().flat_map(Resource::rates));
    let once = spec.orders.iter().filter_map(|order| order.late_cost.as_ref());
    let places = rates.map(|rate| rate.span).chain(once.map(|cost| cost.span));
    if let Some(first) = places.min_by_key(|span| (span.file, span.start)) {
        let objective = spec.objective.name();
        let message = format!("costs have no effect on the objective `{objective}`");
        let warning = Diagnostic::warning("unused", first, message);
        found.push(warning.hint("did you mean `objective: cost`?"));
    }
}
