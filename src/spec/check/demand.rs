//! What steps and holds take against what there is.

use super::Checker;
use super::precedence;
use crate::{Alternative, At, Recipe, Resource, Step, Units};
use petgraph::algo::has_path_connecting;
use petgraph::graph::NodeIndex;
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Span};

/// Warnings end after so many pairs of steps and holds.
const MAX_PAIRS: usize = 20_000;

impl<'a> Checker<'a> {
    pub fn demand(&mut self) {
        for resource in &self.spec.resources {
            self.setup(resource);
        }
        for recipe in &self.spec.recipes {
            for step in &recipe.steps {
                self.step_demand(step);
            }
            self.holds(recipe);
        }
    }

    fn step_demand(&mut self, step: &Step) {
        let mut seen = BTreeSet::new();
        for way in &step.alternatives {
            for need in &way.requirements {
                let place = need.resource.span;
                // What other steps took is told where they take it.
                let is_taken_again =
                    way.same.iter().any(|same| same.step.span.start == place.start);
                let resource = self.resources.get(need.resource.value.as_str()).copied();
                if let Some(resource) = resource.filter(|_| !is_taken_again)
                    && seen.insert((place.start, need.amount.value))
                {
                    self.is_too_much(resource, &need.amount, place);
                }
            }
        }
    }

    /// Only units that can be told apart know what they did last.
    fn setup(&mut self, resource: &Resource) {
        let Some(setup) = &resource.setup else { return };
        if let Units::Counted(count) = &resource.units
            && count.value > 1
        {
            let message = "a setup needs `units` or a single unit";
            let found = Diagnostic::error("bad-setup", setup.span, message);
            let found = found.related(count.span, "interchangeable units have no state");
            self.found.push(found.hint("name the units, such as `units: [A, B]`"));
        }
    }

    pub fn is_too_much(&mut self, resource: &Resource, amount: &At<i64>, place: Span) {
        let name = &resource.name.value;
        let (code, message) = if amount.value > resource.capacity() {
            let (amount, capacity) = (amount.value, resource.capacity());
            ("above-capacity", format!("this takes {amount} of `{name}`, which has {capacity}"))
        } else if amount.value > 1 && resource.setup.is_some() {
            ("bad-setup", format!("`{name}` has a setup, so only one unit can be taken at once"))
        } else {
            return;
        };
        let found = Diagnostic::error(code, place, message);
        self.found.push(found.related(resource.name.span, "the resource"));
    }

    fn holds(&mut self, recipe: &'a Recipe) {
        for hold in &recipe.holds {
            let Some(&resource) = self.resources.get(hold.resource.value.as_str()) else {
                continue;
            };
            if resource.setup.is_some() {
                let message =
                    format!("`{}` has a setup, so it cannot be held", resource.name.value);
                let found = Diagnostic::error("bad-setup", hold.resource.span, message);
                self.found.push(found.related(resource.name.span, "the resource"));
            } else {
                self.is_too_much(resource, &hold.amount, hold.resource.span);
            }
        }
        if recipe.holds.len() * recipe.steps.len() <= MAX_PAIRS && !self.found.has_errors() {
            self.holds_and_steps(recipe);
        }
    }

    /// An order that holds so much that its own step finds nothing left cannot be made. That is
    /// no error of the spec, but worth saying.
    fn holds_and_steps(&mut self, recipe: &'a Recipe) {
        let (steps, nodes) = precedence::graph(recipe);
        for (i, step) in recipe.steps.iter().enumerate() {
            let node = NodeIndex::new(i);
            let mut held: BTreeMap<&str, (i64, Span)> = BTreeMap::new();
            for hold in &recipe.holds {
                let (from, until) =
                    (nodes[hold.from.value.as_str()], nodes[hold.until.value.as_str()]);
                if has_path_connecting(&steps, from, node, None)
                    && has_path_connecting(&steps, node, until, None)
                {
                    let entry = held.entry(&hold.resource.value).or_insert((0, hold.span));
                    entry.0 += hold.amount.value;
                }
            }
            let blocking = |alternative: &Alternative| {
                held.iter().find_map(|(&name, &(amount, span))| {
                    let need = alternative.requirements.iter().find(|r| r.resource.value == name);
                    let own = need.map_or(0, |need| need.amount.value);
                    (amount + own > self.resources[name].capacity()).then_some((name, span))
                })
            };
            let blocked: Vec<_> = step.alternatives.iter().map(blocking).collect();
            if let Some(Some((name, span))) = blocked.iter().find(|b| b.is_some())
                && blocked.iter().all(Option::is_some)
            {
                let message = format!("the order itself holds too much of `{name}` for this step");
                let found = Diagnostic::warning("own-hold", step.name.span, message);
                self.found.push(found.related(*span, "held here"));
            }
        }
    }
}
