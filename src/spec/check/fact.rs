//! Facts and pins: that they speak of what exists, and that what is fixed follows what is fixed.

use super::Checker;
use super::order::INSTANT;
use super::precedence::graph;
use crate::schedule::Kind;
use crate::{ExprKind, Fact, Instant, MAX_TIME, Order, Pin, Recipe, Step, orders_called};
use num_traits::ToPrimitive;
use petgraph::Direction;
use petgraph::graph::NodeIndex;
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Span};

/// What rows tell of one step: from when to when, and where that is said.
type Known<'a> = BTreeMap<(&'a str, &'a str), (i64, i64, Span)>;

impl<'a> Checker<'a> {
    pub fn facts(&mut self) {
        let spec = self.spec;
        let until = spec.fixed.until.as_ref().map(|until| self.moment(until));
        let _ = spec.now.as_ref().map(|now| self.moment(now));
        let orders: BTreeMap<&str, &Order> =
            spec.orders.iter().map(|order| (order.id.value.as_str(), order)).collect();
        let (mut known, mut strangers) = (Known::new(), Vec::new());
        for fact in &spec.fixed.facts {
            let (Some(start), Some(end)) = (self.moment(&fact.start), self.moment(&fact.end))
            else {
                continue;
            };
            if until.flatten().is_some_and(|until| start >= until) {
                continue;
            }
            match orders.get(fact.order.value.as_str()) {
                Some(order) => self.fact(fact, order, (start, end), &mut known),
                None => strangers.push(fact),
            }
        }
        for order in &spec.orders {
            self.follow_facts(order, &known);
            let shift = order.shift.as_ref();
            if shift.is_none_or(|shift| shift.times == 0) {
                order.pins.iter().for_each(|pin| self.pin(pin, order));
            }
        }
        self.begun_sequels(&known);
        self.strangers(&strangers);
    }

    /// An order that has begun waits for no order that is still open.
    fn begun_sequels(&mut self, known: &Known<'a>) {
        let spec = self.spec;
        if known.is_empty() || spec.orders.iter().all(|order| order.after.is_empty()) {
            return;
        }
        let open = |&number: &usize| {
            let order = &spec.orders[number];
            let recipe = self.recipes.get(order.recipe.value.as_str())?;
            let key = |step: &'a Step| (order.id.value.as_str(), step.name.value.as_str());
            recipe.steps.iter().any(|step| !known.contains_key(&key(step))).then_some(order)
        };
        let called = orders_called(&spec.orders).into_iter();
        let open: BTreeMap<&str, &Order> =
            called.filter_map(|(name, all)| Some((name, all.iter().find_map(open)?))).collect();
        for order in spec.orders.iter().filter(|order| !order.after.is_empty()) {
            let id = order.id.value.as_str();
            let first = known.range((id, "")..).next().filter(|((other, _), _)| *other == id);
            let Some(((_, step), (.., span))) = first else { continue };
            let before = order.after.iter().find_map(|b| open.get(b.order.value.as_str()));
            if let Some(before) = before {
                let before = &before.id.value;
                let message =
                    format!("`{step}` of `{id}` is fixed, but not all of `{before}` before it");
                let found = Diagnostic::error("bad-fact", *span, message);
                self.found
                    .push(found.hint(format!("fix all of `{before}`, or leave `{step}` out")));
            }
        }
    }

    /// Units from 0; negative before it.
    fn moment(&mut self, instant: &'a Instant) -> Option<i64> {
        let value = match instant {
            Instant::Civil(at) => return self.civil_instant(at),
            Instant::After(expr) => match &expr.kind {
                // Rows may tell of the time before 0.
                ExprKind::Number(n) if n.is_integer() => (n.to_integer().to_i64(), expr.span),
                _ => (Some(self.duration(expr, None, INSTANT)?), expr.span),
            },
        };
        let is_near = |value: &i64| value.abs() <= MAX_TIME;
        if value.0.as_ref().is_none_or(|value| !is_near(value)) {
            let message = format!("this lies more than {MAX_TIME} units from the start");
            self.error("out-of-range", value.1, message);
        }
        value.0.filter(is_near)
    }

    fn fact(&mut self, fact: &'a Fact, order: &'a Order, at: (i64, i64), known: &mut Known<'a>) {
        let Some(recipe) = self.recipes.get(order.recipe.value.as_str()).copied() else { return };
        let names: Vec<_> = recipe.steps.iter().map(|step| step.name.value.as_str()).collect();
        self.unit_of(fact);
        if fact.kind == Kind::Hold && fact.step.value.is_empty() {
            return;
        }
        if !names.contains(&fact.step.value.as_str()) {
            let message = format!("`{}` has no step `{}`", order.id.value, fact.step.value);
            let found = Diagnostic::error("unknown-name", fact.step.span, message);
            self.found.push(found.did_you_mean(&fact.step.value, names));
            return;
        }
        if at.1 < at.0 {
            let message = format!("it ends at {}, before it starts at {}", at.1, at.0);
            self.error("bad-value", fact.span, message);
        }
        if fact.kind == Kind::Hold {
            return;
        }
        let key = (order.id.value.as_str(), fact.step.value.as_str());
        let (start, end, span) = *known.entry(key).or_insert((at.0, at.1, fact.span));
        if (start, end) != at {
            let step = &fact.step.value;
            let message = format!("`{step}` is fixed here from {} to {}", at.0, at.1);
            let found = Diagnostic::error("bad-value", fact.span, message);
            self.found.push(found.related(span, format!("and here from {start} to {end}")));
        }
    }

    fn unit_of(&mut self, fact: &'a Fact) {
        let Some(name) = &fact.resource else { return };
        let Some(resource) = self.resources.get(name.value.as_str()).copied() else {
            let names: Vec<_> = self.resources.keys().copied().collect();
            self.exists(name, "resource", &names);
            return;
        };
        if let Some(unit) = &fact.unit {
            let mut names = resource.unit_names();
            names.sort_unstable();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.exists(unit, "unit", &names);
        } else if matches!(resource.units, crate::Units::Named(_)) && resource.capacity() > 1 {
            let message = format!("it does not say which unit of `{}` it takes", name.value);
            self.error("missing-key", fact.span, message);
        }
    }

    /// A step that is fixed has no predecessor that is not.
    fn follow_facts(&mut self, order: &'a Order, known: &Known<'a>) {
        let id = order.id.value.as_str();
        let Some(recipe) = self.recipes.get(order.recipe.value.as_str()).copied() else { return };
        if known.range((id, "")..).next().is_none_or(|((other, _), _)| *other != id) {
            return;
        }
        let (steps, _) = graph(recipe);
        let name = |node: NodeIndex| recipe.steps[node.index()].name.value.as_str();
        for node in steps.node_indices() {
            let Some((_, _, span)) = known.get(&(id, name(node))) else { continue };
            let mut before = steps.neighbors_directed(node, Direction::Incoming);
            if let Some(open) = before.find(|&before| !known.contains_key(&(id, name(before)))) {
                let (step, open) = (name(node), name(open));
                let message = format!("`{step}` of `{id}` is fixed, but not `{open}` before it");
                let found = Diagnostic::error("bad-fact", *span, message);
                self.found.push(found.hint(format!("fix `{open}` too, or leave `{step}` out")));
            }
        }
    }

    fn pin(&mut self, pin: &'a Pin, order: &'a Order) {
        let _ = pin.start.as_ref().map(|start| self.moment(start));
        let Some(recipe) = self.recipes.get(order.recipe.value.as_str()).copied() else { return };
        let Some(step) = recipe.step(&pin.step.value) else {
            let mut names: Vec<_> = names_of(recipe).collect();
            names.sort_unstable();
            self.exists(&pin.step, "step", &names);
            return;
        };
        if let Some(unit) = &pin.unit {
            let names = self.units_of(step);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.exists(unit, "unit", &names);
        }
    }

    /// The names of all units that a step may take.
    fn units_of(&self, step: &Step) -> BTreeSet<String> {
        let needs = step.alternatives.iter().flat_map(|way| &way.requirements);
        let resources = needs.filter_map(|need| self.resources.get(need.resource.value.as_str()));
        resources.flat_map(|resource| resource.unit_names()).collect()
    }

    /// Rows of orders that the spec does not have are no mistake: orders come and go.
    fn strangers(&mut self, rows: &[&Fact]) {
        let Some(first) = rows.first() else { return };
        let orders: BTreeSet<&str> = rows.iter().map(|fact| fact.order.value.as_str()).collect();
        let (count, many) = (orders.len(), if orders.len() == 1 { "order" } else { "orders" });
        let are = if rows.len() == 1 { "row is" } else { "rows are" };
        let message = format!("{} fixed {are} left out, of {count} {many}", rows.len());
        let label = format!("the spec has no order `{}`", first.order.value);
        self.found.push(Diagnostic::warning("unused", first.order.span, message).label(label));
    }
}

fn names_of(recipe: &Recipe) -> impl Iterator<Item = &str> {
    recipe.steps.iter().map(|step| step.name.value.as_str())
}
