//! Whether a schedule keeps a spec, whoever made it: every violation, and the value.
//!
//! Layouts have rules of their own, in `layout`. Reads the spec by itself: open time, rounding,
//! factors, setups, holds and costs are decided here once more. Shares no code with compiler and
//! engine, so that the two cannot share a misreading.
//! Heuristics cut the search for schedules and play no part in what is valid.

mod amount;
mod assign;
mod capacity;
mod civil;
mod crew;
mod fact;
mod family;
mod hold;
mod layout;
mod open;
mod order;
mod place;
mod plant;
mod previous;
mod same;
mod sequel;
mod setup;
mod timing;
mod value;

pub use amount::{decimal, exact};
pub use layout::{recurs, unloads};

use plant::Plant;
use takt_spec::schedule::{Kind, Schedule};
use takt_spec::{Exact, Order, Spec, Step};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub valid: bool,
    /// The objective's value of the schedule as it stands, also if it is invalid; `None` if the spec
    /// asks for any schedule, or if it cannot be told.
    pub value: Option<Exact>,
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

/// Checks every rule of the spec. Steps decide; rows of holds and setups may be missing.
pub fn validate(spec: &Spec, schedule: &Schedule) -> Report {
    if let Some(layout) = &spec.layout {
        let mut errors = Errors::default();
        civil_times(&Plant::new(spec, 0), schedule, &mut errors);
        return layout::validate(spec, layout, schedule, errors);
    }
    let plant = Plant::new(spec, schedule.end());
    let mut errors = Errors::default();
    let jobs = place::place(&plant, schedule, &mut errors);
    let mut work = Vec::new();
    for job in &jobs {
        order::check(&plant, job, &mut errors);
        fact::check(&plant, job, &mut errors);
        family::check(&plant, job, &mut errors);
        same::check(&plant, job, &mut errors);
        let timing = job.steps.iter().map(|placed| {
            placed.as_ref().and_then(|placed| timing::check(&plant, placed, &mut errors))
        });
        work.push(timing.collect());
    }
    sequel::check(&plant, &jobs, &mut errors);
    let holds = hold::derive(&plant, &jobs, schedule, &mut errors);
    holds.iter().for_each(|held| family::check_hold(&plant, held, &mut errors));
    let mut rows = setup::Rows::new(schedule);
    let worked = crew::derive(&plant, &jobs, &holds, &mut rows, &mut errors);
    capacity::check(&plant, &jobs, &holds, &worked, &mut errors);
    let setups = setup::check(&plant, &jobs, rows, &mut errors);
    operations(schedule, &mut errors);
    civil_times(&plant, schedule, &mut errors);
    let value = value::value(&plant, &jobs, &work, setups);
    Report { valid: errors.0.is_empty(), value, errors: errors.0 }
}

/// Only layouts have operations.
fn operations(schedule: &Schedule, errors: &mut Errors) {
    for row in schedule.rows.iter().filter(|row| row.kind == Kind::Op) {
        let message = "is an operation, but the spec has no layout".to_owned();
        errors.tell(&row.order, &row.step, "operation", message);
    }
}

/// What stands beside model time must be the same instant; it may be left out.
fn civil_times(plant: &Plant, schedule: &Schedule, errors: &mut Errors) {
    for row in &schedule.rows {
        let pairs = [("start", row.start, &row.start_time), ("end", row.end, &row.end_time)];
        for (name, at, text) in pairs {
            if text.is_empty() || plant.clock.is_at(at, text) {
                continue;
            }
            let message = match plant.clock.start() {
                Some(_) => format!("has {name}_time {text}, but {name} {}", plant.clock.show(at)),
                None => format!("has {name}_time {text}, but the spec knows no civil time"),
            };
            errors.tell(&row.order, &row.step, "civil-time", message);
        }
    }
}

/// Everything found so far.
#[derive(Default)]
struct Errors(Vec<Violation>);

impl Errors {
    fn push(&mut self, order: &Order, step: &Step, rule: &'static str, message: String) {
        self.tell(&order.id.value, &step.name.value, rule, message);
    }

    fn tell(&mut self, order: &str, step: &str, rule: &'static str, message: String) {
        let (order, step) = (order.to_owned(), step.to_owned());
        self.0.push(Violation { order, step, rule, message });
    }
}

#[cfg(test)]
mod tests;
