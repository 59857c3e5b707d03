//! What the spec language can say and the compiler cannot do yet, refused at its place.

use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::spec::{ExprKind, Objective, Order, Recipe, Resource, Spec, Step, Units};

pub fn refuse(spec: &Spec) -> Result<(), Diagnostics> {
    let mut found = Diagnostics::default();
    let mut refuse = |is_used: bool, span: Span, what: &str| {
        if is_used {
            let message = format!("{what} is not supported yet");
            found.push(Diagnostic::error("unsupported", span, message));
        }
    };
    for calendar in &spec.calendars {
        refuse(true, calendar.name.span, "a calendar");
    }
    for resource in &spec.resources {
        refuse(!is_plain_resource(resource), resource.name.span, "more than a single plain unit");
    }
    for recipe in &spec.recipes {
        refuse(!recipe.holds.is_empty(), recipe.name.span, "a hold");
        for step in &recipe.steps {
            refuse(!is_plain_step(recipe, step), step.name.span, "more than a plain step");
        }
    }
    for order in &spec.orders {
        refuse(!is_plain_order(order), order.id.span, "more than the recipe of an order");
    }
    for heuristic in &spec.heuristics {
        refuse(true, heuristic.span, "a heuristic");
    }
    let place = spec.name.as_ref().map(|name| name.span).unwrap_or_default();
    refuse(spec.objective == Objective::Cost, place, "the objective `cost`");
    let layout = spec.layout.as_ref().map(|layout| layout.span);
    refuse(layout.is_some(), layout.unwrap_or_default(), "a layout");
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn is_plain_resource(resource: &Resource) -> bool {
    matches!(&resource.units, Units::Counted(count) if count.value == 1)
        && resource.calendar.is_none()
        && resource.availability.is_none()
        && resource.performance.is_none()
        && resource.setup.is_none()
        && resource.run_cost.is_none()
}

fn is_plain_step(recipe: &Recipe, step: &Step) -> bool {
    let [alternative] = &step.alternatives[..] else { return false };
    let is_plain = match &alternative.requirements[..] {
        [] => true,
        [requirement] => requirement.amount.value == 1,
        _ => false,
    };
    let is_first = recipe.steps.first().is_some_and(|first| first.name == step.name);
    is_plain
        && matches!(alternative.duration.kind, ExprKind::Number(_))
        && (step.after.is_none() || (is_first && step.after == Some(Vec::new())))
        && step.interruptible.is_none()
}

fn is_plain_order(order: &Order) -> bool {
    order.release.is_none()
        && order.deadline.is_none()
        && order.shift.as_ref().is_none_or(|shift| shift.times == 0)
}
