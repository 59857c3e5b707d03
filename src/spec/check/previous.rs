//! The earlier plan: that departing from it may cost at all, and which of its rows speak of nobody.

use super::Checker;
use crate::schedule::Row;
use crate::{At, MAX_TIME, Objective, Spec};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Diagnostics};

impl Checker<'_> {
    pub fn previous(&mut self) {
        let Some(previous) = &self.spec.previous else { return };
        if self.spec.objective != Objective::Cost {
            let objective = self.spec.objective.name();
            let message = format!(
                "to stay near an earlier plan is paid for, and the objective is {objective}"
            );
            let found = Diagnostic::error("not-cost", previous.span, message);
            let hint = "set `objective: cost`, or only begin there: `takt solve --from PLAN.csv`";
            self.found.push(found.label("only with `objective: cost`").hint(hint));
        }
        previous.move_cost.iter().for_each(|rate| self.rate(rate, None));
        previous.unit_cost.iter().for_each(|cost| self.cost(cost, None));
        let is_far = |row: &&At<Row>| row.value.start.unsigned_abs() > MAX_TIME.unsigned_abs();
        for row in previous.rows.iter().filter(is_far) {
            let message = format!("this lies more than {MAX_TIME} units from the start");
            self.error("out-of-range", row.span, message);
        }
        strange_rows(self.spec, &previous.rows, self.found);
    }
}

/// Warns of rows of what the spec does not have. That is no mistake: orders and their steps come and go.
pub fn strange_rows(spec: &Spec, rows: &[At<Row>], found: &mut Diagnostics) {
    let steps: BTreeMap<&str, BTreeSet<&str>> = (spec.recipes.iter())
        .map(|recipe| {
            let names = recipe.steps.iter().map(|step| step.name.value.as_str());
            (recipe.name.value.as_str(), names.collect())
        })
        .collect();
    let recipes: BTreeMap<&str, &str> = (spec.orders.iter())
        .map(|order| (order.id.value.as_str(), order.recipe.value.as_str()))
        .collect();
    let (mut strangers, mut gone) = (Vec::new(), Vec::new());
    for row in rows {
        match recipes.get(row.value.order.as_str()).and_then(|recipe| steps.get(recipe)) {
            None => strangers.push(row),
            Some(steps) if !steps.contains(row.value.step.as_str()) => gone.push(row),
            Some(_) => {}
        }
    }
    if let Some(first) = strangers.first() {
        let ids: BTreeSet<&str> = strangers.iter().map(|row| row.value.order.as_str()).collect();
        let many = if ids.len() == 1 { "order" } else { "orders" };
        let message = format!("{} left out, of {} {many}", are(strangers.len()), ids.len());
        let label = format!("the spec has no order `{}`", first.value.order);
        found.push(Diagnostic::warning("unused", first.span, message).label(label));
    }
    if let Some(first) = gone.first() {
        let message = format!("{} left out, as there are no such steps", are(gone.len()));
        let label = format!("`{}` has no step `{}`", first.value.order, first.value.step);
        found.push(Diagnostic::warning("unused", first.span, message).label(label));
    }
}

fn are(rows: usize) -> String {
    format!("{rows} former {}", if rows == 1 { "row is" } else { "rows are" })
}
