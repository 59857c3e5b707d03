//! Whether a schedule counts: the automata replay it, the validator accepts it, and both give the same
//! value.

use super::plant::Automata;
use super::problem::Problem;
use takt_automata::interpret::{self, Interpreter};
use takt_automata::model::Query;
use takt_plant::{Jobs, Plan};
use takt_spec as spec;
use takt_spec::schedule::Schedule;
use takt_validate as validate;

/// Runs a timetable through the compiled automata once more, step by step; gives its value.
pub(super) fn replay(plan: &Plan, automata: &Automata, jobs: &Jobs) -> Result<Option<i64>, String> {
    let Automata { lowered, model, goal } = automata;
    let run = takt_plant::to_run(plan, lowered, model, jobs)
        .map_err(|why| format!("the schedule does not fit the automata: {why}"))?;
    let end = interpret::replay_to_end(model, &run).map_err(|mismatch| {
        format!("step {} of the schedule does not replay ({:?})", mismatch.step, mismatch.kind)
    })?;
    let (Query::Possibly(done) | Query::Infimum { within: done, .. }) = goal else {
        return Err("the goal of the search is none that solve asks for".to_owned());
    };
    if Interpreter::new(model).holds(&end, done, false) != Ok(true) {
        return Err("the schedule does not finish all orders in the automata".to_owned());
    }
    let reached = match plan.objective {
        takt_plant::Objective::Feasible => return Ok(None),
        takt_plant::Objective::Cost => end.cost,
        takt_plant::Objective::Makespan => run.end,
    };
    match reached.is_integer() {
        true => Ok(Some(reached.to_integer())),
        false => Err(format!("the automata end at {reached}, which is not whole")),
    }
}

/// Asks the validator, which knows neither plan nor automata; `value` is `scale` times
/// the real one.
pub(super) fn check(
    problem: &Problem,
    schedule: &Schedule,
    value: Option<i64>,
    scale: i64,
) -> Result<(), String> {
    let report = validate::validate(&problem.spec, schedule);
    if let Some(error) = report.errors.first() {
        let (order, step) = (&error.order, &error.step);
        return Err(format!("the schedule is invalid: {order} {step}: {}", error.message));
    }
    let exact = |value| spec::Exact::new(i128::from(value), i128::from(scale));
    let (right, value) = (report.value, value.map(exact));
    if right != value {
        let show = |value: Option<spec::Exact>| {
            value.as_ref().map_or("no value".to_owned(), validate::decimal)
        };
        return Err(format!("the validator finds {}, not {}", show(right), show(value)));
    }
    Ok(())
}
