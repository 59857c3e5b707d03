//! What setups go by: every order that comes to a unit has the attributes that its setup asks for.

use super::Checker;
use crate::{At, Heuristic, Order, Recipe, Resource, SetupPart};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::Diagnostic;

impl<'a> Checker<'a> {
    pub fn setups(&mut self) {
        for resource in &self.spec.resources {
            self.one_initial(resource);
            self.distinct_parts(resource);
            self.crew(resource);
        }
        self.judged();
        let by_recipe: BTreeMap<&str, Vec<&'a At<String>>> =
            self.recipes.iter().map(|(&name, recipe)| (name, self.asked(recipe))).collect();
        for order in &self.spec.orders {
            for &by in by_recipe.get(order.recipe.value.as_str()).into_iter().flatten() {
                if order.attribute(&by.value).is_none() {
                    self.no_attribute(order, by);
                }
            }
        }
    }

    /// `initial` beside a list would not say which part it means.
    fn one_initial(&mut self, resource: &Resource) {
        let (Some(setup), Some(_)) = (&resource.setup, &resource.initial) else { return };
        let Some(part) = setup.parts.iter().find(|p| setup.parts.len() > 1 || p.initial.is_some())
        else {
            return;
        };
        let message = "`initial` of the resource does not say which part of the setup it means";
        let found = Diagnostic::error("bad-setup", resource.name.span, message);
        let found = found.related(part.span, "a part of the setup");
        self.found.push(found.hint("write `initial` into the parts: `{by: format, initial: ...}`"));
    }

    fn distinct_parts(&mut self, resource: &Resource) {
        let parts = resource.setup.as_ref().map_or(&[][..], |setup| &setup.parts);
        for (k, part) in parts.iter().enumerate() {
            let name = |part: &SetupPart| part.by.as_ref().map(|by| by.value.clone());
            let Some(first) = parts[..k].iter().find(|first| name(first) == name(part)) else {
                continue;
            };
            let message = match &part.by {
                Some(by) => format!("another part of this setup goes by `{}` already", by.value),
                None => "another part of this setup goes by the family already".to_owned(),
            };
            let found = Diagnostic::error("duplicate-name", part.span, message);
            let found = found.related(first.span, "the first one");
            self.found.push(found.hint("put both into one matrix, or name an attribute: `by`"));
        }
    }

    fn crew(&mut self, resource: &'a Resource) {
        let names: Vec<&str> = self.resources.keys().copied().collect();
        for need in resource.setup.iter().flat_map(|setup| setup.crews()) {
            self.exists(&need.resource, "resource", &names);
            let Some(&crew) = self.resources.get(need.resource.value.as_str()) else { continue };
            if crew.setup.is_none() {
                self.is_too_much(crew, &need.amount, need.resource.span);
                continue;
            }
            let message =
                format!("`{}` has a setup itself, so it sets nothing up", need.resource.value);
            let found = Diagnostic::error("bad-setup", need.resource.span, message);
            self.found.push(found.related(crew.name.span, "the resource"));
        }
    }

    /// Whether a step is eligible cannot depend on setups that somebody has still to begin.
    fn judged(&mut self) {
        let mut setups = self.spec.resources.iter().filter_map(|resource| resource.setup.as_ref());
        let Some(setup) = setups.find(|setup| setup.is_work()) else { return };
        for heuristic in &self.spec.heuristics {
            if matches!(heuristic.value, Heuristic::Greedy | Heuristic::NonLazy) {
                let message = "this heuristic does not go with setups that are work";
                let found = Diagnostic::error("bad-heuristic", heuristic.span, message);
                let found = found.related(setup.span, "a setup with `on` or `calendar`");
                self.found.push(found.hint(
                    "whether a step is eligible would depend on setups that nobody has begun",
                ));
            }
        }
    }

    /// What the setups go by of units that the steps of a recipe may take.
    fn asked(&self, recipe: &Recipe) -> Vec<&'a At<String>> {
        let ways = recipe.steps.iter().flat_map(|step| &step.alternatives);
        let names: BTreeSet<&str> =
            ways.flat_map(|way| &way.requirements).map(|n| n.resource.value.as_str()).collect();
        let resources = names.into_iter().filter_map(|name| self.resources.get(name));
        let parts = resources.flat_map(|resource| &resource.setup).flat_map(|setup| &setup.parts);
        parts.filter_map(|part: &'a SetupPart| part.by.as_ref()).collect()
    }

    /// Said once for each setup, at the first order.
    fn no_attribute(&mut self, order: &Order, by: &At<String>) {
        let place = (by.span.file.0, by.span.start, by.span.end);
        if !self.told.insert(("no-attribute", place.0, place.1, place.2)) {
            return;
        }
        let message = format!("the order `{}` has no attribute `{}`", order.id.value, by.value);
        let found = Diagnostic::error("unknown-name", order.id.span, message);
        let found = found.related(by.span, "the setup goes by it");
        let names = order.attributes.iter().map(|attribute| attribute.name.value.as_str());
        self.found.push(match by.value.as_str() {
            "family" => found.hint("leave `by` out where a setup goes by the family"),
            _ => found.did_you_mean(&by.value, names),
        });
    }
}
