//! Between runs of the compiled network and timetables, both ways, and from timetables to rows.
//!
//! [`jobs`] reads the starts out of a run, [`settle`] moves every step as early as it can be with all
//! else unchanged, and [`schedule`] writes rows. [`to_run`] finds the moves that stand for a timetable,
//! so that an interpreter can replay it; whether the automata accept them at their times is for it to say.

mod replay;
mod rows;

pub use replay::to_run;

use crate::lower::{Event, Lowered};
use crate::plan::{IdVec, OrderId, Plan, StepId};
use crate::timetable::{Job, Jobs, shift_left};
use std::collections::BTreeMap;
use takt_automata::model::Model;
use takt_automata::trace::{Run, TimedMove};
use takt_spec::schedule::Schedule;

/// Timetables of so many steps can be walked through many times over.
const MOST_STEPS: usize = 300;

/// Says in words why a run is none of the plant: it does not start every step once.
pub fn lift(plan: &Plan, lowered: &Lowered, model: &Model, run: &Run) -> Result<Jobs, String> {
    let jobs = jobs(plan, lowered, model, run)?;
    Ok(settle(plan, lowered, model, jobs))
}

/// Every step as early as it can be with all else unchanged, heuristics included.
pub fn settle(plan: &Plan, lowered: &Lowered, model: &Model, mut jobs: Jobs) -> Jobs {
    let is_kept = |jobs: &Jobs| to_run(plan, lowered, model, jobs).is_ok();
    if !plan.is_judged() {
        let mut moved = jobs.clone();
        shift_left(plan, &mut moved, &|_| true);
        if plan.heuristics.is_empty() || is_kept(&moved) {
            return moved;
        }
    }
    // Some heuristic minds: steps that are moved may be eligible for too long, or make others so. The
    // automata are asked at every move.
    if plan.step_count() <= MOST_STEPS {
        shift_left(plan, &mut jobs, &is_kept);
    }
    jobs
}

/// The rows of a timetable.
pub fn schedule(plan: &Plan, jobs: &Jobs) -> Schedule {
    Schedule { rows: rows::rows(plan, jobs) }
}

/// The steps that a run starts, where they are.
///
/// Constants are whole and comparisons closed, so a run stays one when its times are rounded
/// down to whole units.
pub fn jobs(plan: &Plan, lowered: &Lowered, model: &Model, run: &Run) -> Result<Jobs, String> {
    let orders = orders_of_processes(lowered, model);
    let id = |order: OrderId| &plan.orders[order].id;
    let mut jobs: IdVec<OrderId, IdVec<StepId, Option<Job>>> =
        plan.orders.ids().map(|order| plan.steps(order).filled(None)).collect();
    for timed in &run.moves {
        let Some((order, step, mode, holds)) = started(lowered, model, &orders, timed) else {
            continue;
        };
        let start = timed.time.floor().to_integer();
        let part = &plan.steps(order)[step];
        let end = plan.end(part, &part.modes[mode], start);
        let end =
            end.ok_or_else(|| format!("`{}` of `{}` fits no window", part.name, id(order)))?;
        // What is held for no time at all can be held as well as not.
        let known = &plan.recipe(order).holds;
        let is_empty = |hold: usize, choice: usize| choice >= known[hold].choices.len();
        let chosen = |&(hold, choice)| (hold, if is_empty(hold, choice) { 0 } else { choice });
        let job = Job { start, end, mode, holds: holds.iter().map(chosen).collect() };
        if jobs[order][step].replace(job).is_some() {
            return Err(format!("`{}` of `{}` starts twice", part.name, id(order)));
        }
    }
    let whole = |(order, own): (OrderId, IdVec<StepId, Option<Job>>)| {
        let all: Option<IdVec<StepId, Job>> = own.into_iter().collect();
        all.ok_or_else(|| format!("`{}` is done before all its steps have started", id(order)))
    };
    plan.orders.ids().zip(jobs).map(whole).collect()
}

/// The step that a move starts: order, step, mode, choices of holds.
type Started<'l> = (OrderId, StepId, usize, &'l [(usize, usize)]);

fn started<'l>(
    lowered: &'l Lowered,
    model: &Model,
    orders: &[Option<OrderId>],
    timed: &TimedMove,
) -> Option<Started<'l>> {
    timed.action.edges.iter().find_map(|taken| {
        let origin = taken.of(model).origin?;
        match lowered.events.get(origin.0 as usize)? {
            Event::Start { step, mode, holds, .. } => {
                Some((orders[taken.process.index()]?, *step, *mode, holds.as_slice()))
            }
            _ => None,
        }
    })
}

/// Which order each process of the model stands for.
fn orders_of_processes(lowered: &Lowered, model: &Model) -> Vec<Option<OrderId>> {
    let orders: BTreeMap<&str, OrderId> =
        lowered.chains.iter().map(|(name, order)| (name.as_str(), *order)).collect();
    model.processes.iter().map(|process| orders.get(process.name.as_str()).copied()).collect()
}
