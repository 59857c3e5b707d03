//! Between runs of the compiled network and schedules of the plant, both ways.
//!
//! [`lift`] reads the starts out of a run, moves every step as early as it can be with all else
//! unchanged, and gives rows. [`to_run`] finds the moves that stand for a schedule, so that an
//! interpreter can replay it; whether the automata accept them at their times is for it to say.

mod earlier;
mod replay;

pub use replay::to_run;

use crate::lower::{Event, Lowered};
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::{Kind, Row, Schedule};
use crate::trace::Run;
use std::collections::BTreeMap;

/// When each step of each order starts: `[order][step]`.
type Starts = Vec<Vec<i64>>;

/// Says in words why a run is none of the plant: it does not start every step in its sequence.
pub fn lift(plan: &Plan, lowered: &Lowered, model: &Model, run: &Run) -> Result<Schedule, String> {
    let mut starts = starts(plan, lowered, model, run)?;
    earlier::move_earlier(plan, &mut starts);
    Ok(Schedule { rows: rows(plan, &starts) })
}

/// Constants are whole and comparisons closed, so a run stays one when its times are rounded
/// down to whole units.
fn starts(plan: &Plan, lowered: &Lowered, model: &Model, run: &Run) -> Result<Starts, String> {
    let orders = orders_of_processes(lowered, model);
    let id = |order: usize| &plan.orders[order].id;
    let mut starts: Starts = vec![Vec::new(); plan.orders.len()];
    for timed in &run.moves {
        for taken in &timed.action.edges {
            let process = &model.processes[taken.process as usize];
            let origin = process.edges[taken.edge as usize].origin;
            let event = origin.and_then(|origin| lowered.events.get(origin.0 as usize));
            if let (Some(Event::Start { step, .. }), Some(order)) =
                (event, orders[taken.process as usize])
            {
                let own = &mut starts[order];
                if own.len() != *step {
                    return Err(format!("`{}` starts its steps out of sequence", id(order)));
                }
                own.push(timed.time.floor().to_integer());
            }
        }
    }
    for (order, own) in starts.iter().enumerate() {
        if own.len() != plan.steps(order).len() {
            return Err(format!("`{}` is done before all its steps have started", id(order)));
        }
    }
    Ok(starts)
}

/// Which order each process of the model stands for.
fn orders_of_processes(lowered: &Lowered, model: &Model) -> Vec<Option<usize>> {
    let orders: BTreeMap<&str, usize> =
        lowered.processes.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
    model.processes.iter().map(|process| orders.get(process.name.as_str()).copied()).collect()
}

fn rows(plan: &Plan, starts: &Starts) -> Vec<Row> {
    let mut rows = Vec::new();
    for (order, own) in plan.orders.iter().zip(starts) {
        let recipe = &plan.recipes[order.recipe];
        for (step, &start) in recipe.steps.iter().zip(own) {
            let resource = step.machine().map(|r| plan.resources[r].name.clone());
            rows.push(Row {
                kind: Kind::Step,
                order: order.id.clone(),
                recipe: recipe.name.clone(),
                step: step.name.clone(),
                unit: resource.as_ref().map_or("", |_| "1").to_owned(),
                resource: resource.unwrap_or_default(),
                start,
                end: start + step.shortest(),
                work: Some(step.shortest()),
            });
        }
    }
    rows.sort_by_key(|row| row.start);
    rows
}
