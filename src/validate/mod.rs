//! Whether a schedule keeps a spec, whoever made it: every violation, and the value.
//!
//! Reads the spec by itself. Shares no code with compiler and engine, so that the two cannot
//! share a misreading.

mod capacity;

use crate::schedule::{Row, Schedule};
use crate::spec::{ExprKind, Objective, Order, Recipe, Spec, Step};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub valid: bool,
    /// The objective's value of the schedule as it stands; `None` if the spec asks for any.
    pub value: Option<i64>,
    pub errors: Vec<Violation>,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub order: String,
    pub step: String,
    /// A stable name such as `precedence`; scripts may rely on it.
    pub rule: &'static str,
    pub message: String,
}

/// Checks every rule of the spec against the step rows of the schedule.
pub fn validate(spec: &Spec, schedule: &Schedule) -> Report {
    let mut validator =
        Validator { recipes: recipes(spec), units: units(spec), errors: Vec::new() };
    let mut rows: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in schedule.steps() {
        rows.entry((&row.order, &row.step)).or_default().push(row);
    }
    for order in &spec.orders {
        validator.order(order, &mut rows);
    }
    for ((order, step), _) in rows {
        let message = format!("the spec has no step `{step}` of an order `{order}`");
        validator.violation(order, step, "unknown", message);
    }
    capacity::check(&validator.units, schedule, &mut validator.errors);
    Report {
        valid: validator.errors.is_empty(),
        value: (spec.objective == Objective::Makespan).then(|| schedule.end()),
        errors: validator.errors,
    }
}

fn recipes(spec: &Spec) -> BTreeMap<&str, &Recipe> {
    spec.recipes.iter().map(|recipe| (recipe.name.value.as_str(), recipe)).collect()
}

/// How many units each resource has.
fn units(spec: &Spec) -> BTreeMap<&str, usize> {
    spec.resources.iter().map(|resource| (resource.name.value.as_str(), 1)).collect()
}

/// Durations are whole numbers until expressions are part of specs.
fn duration(step: &Step) -> i64 {
    match step.alternatives[0].duration.kind {
        ExprKind::Number(amount) => amount.to_integer() as i64,
        _ => 0,
    }
}

struct Validator<'a> {
    recipes: BTreeMap<&'a str, &'a Recipe>,
    units: BTreeMap<&'a str, usize>,
    errors: Vec<Violation>,
}

impl<'a> Validator<'a> {
    /// Takes the order's rows out of `rows`.
    fn order(&mut self, order: &'a Order, rows: &mut BTreeMap<(&'a str, &'a str), Vec<&Row>>) {
        let id = order.id.value.as_str();
        let Some(recipe) = self.recipes.get(order.recipe.value.as_str()).copied() else { return };
        let mut before: Option<(&Step, i64)> = None;
        for step in &recipe.steps {
            let name = step.name.value.as_str();
            let own = rows.remove(&(id, name)).unwrap_or_default();
            let [row] = own[..] else {
                let message = match own.len() {
                    0 => "the step is missing".to_owned(),
                    n => format!("the step has {n} rows, not one"),
                };
                self.violation(id, name, if own.is_empty() { "missing" } else { "rows" }, message);
                before = own.iter().map(|row| (step, row.end)).max_by_key(|b| b.1);
                continue;
            };
            self.step(order, step, row);
            if let Some((earlier, end)) = before.filter(|(_, end)| row.start < *end) {
                let earlier = &earlier.name.value;
                let message = format!("starts at {}, but `{earlier}` ends at {end}", row.start);
                self.violation(id, name, "precedence", message);
            }
            before = Some((step, row.end));
        }
    }

    /// What can be said of one row alone.
    fn step(&mut self, order: &Order, step: &Step, row: &Row) {
        let (id, name) = (order.id.value.as_str(), step.name.value.as_str());
        let required = step.alternatives[0].requirements.first();
        let on = required.map_or("", |required| required.resource.value.as_str());
        if row.resource != on {
            let message = match (row.resource.as_str(), on) {
                (given, "") => format!("needs no resource, but takes `{given}`"),
                ("", on) => format!("takes no resource, but needs `{on}`"),
                (given, on) => format!("takes `{given}`, but needs `{on}`"),
            };
            self.violation(id, name, "resource", message);
        }
        if !row.recipe.is_empty() && row.recipe != order.recipe.value {
            let message = format!("the order's recipe is `{}`", order.recipe.value);
            self.violation(id, name, "recipe", message);
        }
        if row.start < 0 {
            let message = format!("starts at {}, before 0", row.start);
            self.violation(id, name, "release", message);
        }
        let duration = duration(step);
        let lasts = i128::from(row.end) - i128::from(row.start);
        if lasts != i128::from(duration) {
            let Row { start, end, .. } = row;
            let message = format!("lasts {lasts} (from {start} to {end}) instead of {duration}");
            self.violation(id, name, "duration", message);
        }
        if row.work.is_some_and(|work| work != duration) {
            self.violation(id, name, "work", format!("the work is {duration}"));
        }
    }

    fn violation(&mut self, order: &str, step: &str, rule: &'static str, message: String) {
        let (order, step) = (order.to_owned(), step.to_owned());
        self.errors.push(Violation { order, step, rule, message });
    }
}

#[cfg(test)]
mod tests;
