//! What can only be said of the spec as a whole: names that do not exist, names that clash,
//! and what is probably a mistake.

use super::{At, Requirement, Spec, Step};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use std::collections::{BTreeMap, BTreeSet};

pub fn check(spec: &Spec, found: &mut Diagnostics) {
    references(spec, found);
    unique(spec.orders.iter().map(|order| &order.id), "an order", found);
    for recipe in &spec.recipes {
        unique(recipe.steps.iter().map(|step| &step.name), "a step of this recipe", found);
    }
    if !found.has_errors() {
        unused(spec, found);
    }
}

fn references(spec: &Spec, found: &mut Diagnostics) {
    let resources: BTreeSet<_> = spec.resources.iter().map(|r| r.name.value.as_str()).collect();
    let recipes: BTreeSet<_> = spec.recipes.iter().map(|r| r.name.value.as_str()).collect();
    let steps = spec.recipes.iter().flat_map(|recipe| &recipe.steps);
    for on in steps.flat_map(requirements) {
        exists(&on.resource, "resource", &resources, found);
    }
    for order in &spec.orders {
        exists(&order.recipe, "recipe", &recipes, found);
    }
}

fn requirements(step: &Step) -> impl Iterator<Item = &Requirement> {
    step.alternatives.iter().flat_map(|alternative| &alternative.requirements)
}

fn exists(name: &At<String>, what: &str, names: &BTreeSet<&str>, found: &mut Diagnostics) {
    if !names.contains(name.value.as_str()) {
        let message = format!("there is no {what} `{}`", name.value);
        let error = Diagnostic::error("unknown-name", name.span, message);
        found.push(error.did_you_mean(&name.value, names.iter().copied()));
    }
}

fn unique<'a>(names: impl Iterator<Item = &'a At<String>>, what: &str, found: &mut Diagnostics) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names {
        if let Some(&place) = first.get(name.value.as_str()) {
            let message = format!("{what} with the name `{}` exists already", name.value);
            let error = Diagnostic::error("duplicate-name", name.span, message);
            found.push(error.related(place, "the first one"));
        } else {
            first.insert(&name.value, name.span);
        }
    }
}

fn unused(spec: &Spec, found: &mut Diagnostics) {
    let steps = spec.recipes.iter().flat_map(|recipe| &recipe.steps);
    let needed: BTreeSet<_> = steps.flat_map(requirements).map(|r| &r.resource.value).collect();
    for resource in spec.resources.iter().filter(|r| !needed.contains(&r.name.value)) {
        let message = format!("no step needs the resource `{}`", resource.name.value);
        found.push(Diagnostic::warning("unused", resource.name.span, message));
    }
    let made: BTreeSet<_> = spec.orders.iter().map(|order| &order.recipe.value).collect();
    for recipe in spec.recipes.iter().filter(|r| !made.contains(&r.name.value)) {
        let message = format!("no order uses the recipe `{}`", recipe.name.value);
        found.push(Diagnostic::warning("unused", recipe.name.span, message));
    }
}
