//! Names that do not exist, and names that clash.

use super::Checker;
use crate::{At, Initial, LagFrom, Recipe, Resource, Units};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Span};

/// Looking for the nearest name is not worth more than so many comparisons.
const MAX_COMPARISONS: usize = 200_000;

impl<'a> Checker<'a> {
    pub fn names(&mut self) {
        let spec = self.spec;
        let calendars: Vec<_> = self.calendars.keys().copied().collect();
        for like in spec.calendars.iter().filter_map(|calendar| calendar.like.as_ref()) {
            self.exists(like, "calendar", &calendars);
        }
        for resource in &spec.resources {
            self.resource_names(resource, &calendars);
        }
        let resources: Vec<_> = self.resources.keys().copied().collect();
        for recipe in &spec.recipes {
            self.recipe_names(recipe, &resources);
        }
        let recipes: Vec<_> = self.recipes.keys().copied().collect();
        for order in &spec.orders {
            // Copies say the same.
            let is_first = order.shift.as_ref().is_none_or(|shift| shift.times == 0);
            if is_first && self.are_steps_known {
                self.exists(&order.recipe, "recipe", &recipes);
            }
        }
        self.order_ids();
    }

    fn resource_names(&mut self, resource: &'a Resource, calendars: &[&str]) {
        if let Some(calendar) = &resource.calendar {
            self.exists(calendar, "calendar", calendars);
        }
        if let Units::Named(units) = &resource.units {
            for calendar in units.iter().filter_map(|unit| unit.calendar.as_ref()) {
                self.exists(calendar, "calendar", calendars);
            }
        }
        for initial in resource.initials() {
            let Initial::PerUnit(all) = initial else { continue };
            let mut names: Vec<_> = match &resource.units {
                Units::Named(units) => units.iter().map(|unit| unit.name.value.as_str()).collect(),
                Units::Counted(_) => Vec::new(),
            };
            names.sort_unstable();
            for (unit, _) in all {
                self.exists(unit, "unit", &names);
            }
        }
    }

    fn recipe_names(&mut self, recipe: &'a Recipe, resources: &[&str]) {
        let mut steps: Vec<_> = recipe.steps.iter().map(|s| s.name.value.as_str()).collect();
        steps.sort_unstable();
        let places = recipe.steps.iter().map(|step| (step.name.value.as_str(), step.name.span));
        self.unique(places, "a step of this recipe");
        for step in &recipe.steps {
            let mut named = BTreeSet::new();
            for way in &step.alternatives {
                for same in way.same.iter().filter(|same| named.insert(same.step.span.start)) {
                    self.exists(&same.step, "step", &steps);
                }
                for need in &way.requirements {
                    // One place may stand in several alternatives.
                    if named.insert(need.resource.span.start) {
                        self.exists(&need.resource, "resource", resources);
                    }
                }
            }
            let mut before = BTreeMap::new();
            for earlier in step.after.iter().flatten() {
                self.exists(&earlier.step, "step", &steps);
                let key = (&earlier.step.value, earlier.from == LagFrom::Start);
                if let Some(&place) = before.get(&key) {
                    let message = format!("`{}` is a predecessor already", earlier.step.value);
                    let found = Diagnostic::error("duplicate-name", earlier.step.span, message);
                    self.found.push(found.related(place, "the first one"));
                } else {
                    before.insert(key, earlier.step.span);
                }
            }
        }
        for hold in &recipe.holds {
            self.exists(&hold.resource, "resource", resources);
            self.exists(&hold.from, "step", &steps);
            self.exists(&hold.until, "step", &steps);
        }
    }

    fn order_ids(&mut self) {
        let ids = self.spec.orders.iter().map(|order| (order.id.value.as_str(), order.id.span));
        self.unique(ids, "an order");
    }

    /// The names are sorted.
    pub fn exists(&mut self, name: &At<String>, what: &str, names: &[&str]) {
        if names.binary_search(&name.value.as_str()).is_ok() {
            return;
        }
        let message = format!("there is no {what} `{}`", name.value);
        let error = Diagnostic::error("unknown-name", name.span, message);
        let is_affordable = names.len() * (self.found.iter().count() + 1) < MAX_COMPARISONS;
        let names = if is_affordable { names } else { &[] };
        self.found.push(error.did_you_mean(&name.value, names.iter().copied()));
    }

    /// Reports each clash once, also where all copies of two orders clash.
    pub fn unique<'n>(&mut self, names: impl Iterator<Item = (&'n str, Span)>, what: &str) {
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        let mut last = None;
        for (name, span) in names {
            let Some(&place) = first.get(name) else {
                first.insert(name, span);
                continue;
            };
            let pair = (place.file, place.start, span.file, span.start);
            if last != Some(pair) {
                let message = format!("{what} with the name `{name}` exists already");
                let error = Diagnostic::error("duplicate-name", span, message);
                self.found.push(error.related(place, "the first one"));
            }
            last = Some(pair);
        }
    }
}
