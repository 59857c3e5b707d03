//! From a spec to a schedule that was replayed and validated.

use super::fault;
use super::kpi::{self, Kpis};
use super::project::{self, Project};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::engine::{
    self, Answer, Control, Estimate, Extremum, Options, Order, Progress, Stop, Verdict,
};
use crate::interpret::{self, Interpreter};
use crate::lower::{Lowered, Templates};
use crate::model::{self, Model, Objective, Query};
use crate::network::{self, Expr, Goal};
use crate::plan::Plan;
use crate::render::{self, Headline};
use crate::schedule::Schedule;
use crate::spec;
use crate::trace::{self, Time};
use crate::{bound, lift, validate, xta};

/// How sure the result is; the names are promised to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A best schedule, proved.
    Optimal,
    /// A schedule; a limit came before the proof that it is best.
    Feasible,
    /// Proved: there is none.
    Infeasible,
    Unknown,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Optimal => "optimal",
            Status::Feasible => "feasible",
            Status::Infeasible => "infeasible",
            Status::Unknown => "unknown",
        }
    }
}

/// What came out of a search.
#[derive(Clone, Debug)]
pub struct Solution {
    pub status: Status,
    pub value: Option<i64>,
    /// Proved: no schedule is better than this.
    pub bound: Option<i64>,
    pub explored: u64,
    pub stored: u64,
    /// Which limit ended the search.
    pub stopped: Option<Stop>,
    /// The schedule, if one was found.
    pub found: Option<Found>,
}

impl Solution {
    /// Nothing is known, because a limit came first.
    pub fn unknown(stop: Stop, progress: Progress) -> Solution {
        Solution {
            status: Status::Unknown,
            value: None,
            bound: None,
            explored: progress.explored,
            stored: progress.stored,
            stopped: Some(stop),
            found: None,
        }
    }
}

/// A schedule that was replayed and validated, and everything made from it.
#[derive(Clone, Debug)]
pub struct Found {
    pub schedule: Schedule,
    pub kpis: Kpis,
    pub csv: String,
    pub svg: String,
    pub orders: String,
    /// The network that was searched.
    pub model: String,
    /// A few lines for the terminal.
    pub words: String,
}

/// Why there is no result at all.
#[derive(Clone, Debug)]
pub enum Failed {
    Input(Diagnostics),
    /// A bug of ours.
    Bug(String),
}

/// A spec on its way through the stages.
struct Compiled {
    plan: Plan,
    lowered: Lowered,
    model: Model,
    goal: Query,
}

/// Compiles, searches, lifts, replays and validates. No schedule is given that did not pass.
pub fn run(
    project: &Project,
    templates: &Templates,
    seed: u64,
    control: &dyn Control,
) -> Result<Solution, Failed> {
    let compiled = compile(project, templates).map_err(Failed::Input)?;
    let answer = search(&compiled, seed, control)?;
    let mut solution = outcome(&answer);
    if let Status::Optimal | Status::Feasible = solution.status {
        let wrong = |why: String| disagreement(templates, why);
        let schedule = schedule(&compiled, &answer).map_err(wrong)?;
        if solution.status == Status::Feasible {
            // Steps may have moved to the left since the search stopped.
            solution.value = solution.value.map(|value| value.min(schedule.end()));
        }
        replay(&compiled, &schedule, solution.value).map_err(wrong)?;
        check(project, &schedule, solution.value).map_err(wrong)?;
        solution.found = Some(present(project, &compiled, schedule, &solution));
    }
    Ok(solution)
}

/// Automata and spec do not say the same: our own bug, unless the automata are the user's.
fn disagreement(templates: &Templates, why: String) -> Failed {
    if templates.is_replaced() {
        let message = format!("the replaced templates do not behave as the spec says: {why}");
        Failed::Input(Diagnostic::without_place("bad-template", message).into())
    } else {
        Failed::Bug(why)
    }
}

/// The schedule that the search found, as a trace.
fn schedule(compiled: &Compiled, answer: &Answer) -> Result<Schedule, String> {
    let Compiled { plan, lowered, model, .. } = compiled;
    let trace = answer.trace.as_ref().ok_or("an answer has no trace")?;
    let run = match plan.objective {
        spec::Objective::Cost => trace::cheapest(model, trace),
        _ => trace::concretise(model, trace),
    };
    let run = run.ok_or("a trace has no times that fit it")?;
    lift::lift(plan, lowered, model, &run)
}

fn compile(project: &Project, templates: &Templates) -> Result<Compiled, Diagnostics> {
    let (plan, lowered) = project::compile(project, templates)?;
    let (mut model, _) = model::build(&lowered.network)?;
    let goal = model.resolve_query(&goal(project.spec.objective))?;
    Ok(Compiled { plan, lowered, model, goal })
}

/// What the search is asked; the same as for `takt check` on the compiled model.
fn goal(objective: spec::Objective) -> network::Query {
    let done = Expr::name("done");
    let (goal, text) = match objective {
        spec::Objective::Feasible => (Goal::Possibly(done), "E<> done"),
        spec::Objective::Cost | spec::Objective::Throughput => {
            (Goal::Infimum { within: Some(done), of: Expr::name("cost") }, "inf{done}: cost")
        }
        spec::Objective::Makespan => {
            (Goal::Infimum { within: Some(done), of: Expr::name("now") }, "inf{done}: now")
        }
    };
    network::Query { goal, text: text.to_owned(), span: Default::default() }
}

fn search(compiled: &Compiled, seed: u64, control: &dyn Control) -> Result<Answer, Failed> {
    let Compiled { plan, lowered, model, goal } = compiled;
    let options = Options { order: Some(Order::Best), abstraction: None, seed };
    let answer = match goal {
        Query::Infimum { within, of: Objective::Clock(now, _) } => {
            let mut estimate = plan.is_plain().then(|| bound::estimate(plan, lowered, model));
            let estimate = estimate.as_mut().map(|estimate| estimate as &mut dyn Estimate);
            engine::earliest(model, within, *now, estimate, &options, control)
        }
        _ => engine::check(model, std::slice::from_ref(goal), &options, control)
            .map(|mut all| all.pop().expect("one query has one answer")),
    };
    // A compiled model leaves no range; only replaced templates can.
    answer.map_err(|failure| Failed::Input(fault::diagnose(model, &failure).into()))
}

fn outcome(answer: &Answer) -> Solution {
    let status = match answer.verdict {
        Verdict::Satisfied => Status::Optimal,
        Verdict::Violated => Status::Infeasible,
        Verdict::Unknown if answer.trace.is_some() => Status::Feasible,
        Verdict::Unknown => Status::Unknown,
    };
    let value = match answer.value {
        Some(Extremum::Finite { value, .. }) => Some(value),
        _ => None,
    };
    Solution {
        status,
        value,
        bound: answer.bound,
        explored: answer.explored,
        stored: answer.stored,
        stopped: answer.stopped,
        found: None,
    }
}

/// Runs the schedule through the compiled automata once more, step by step.
fn replay(compiled: &Compiled, schedule: &Schedule, value: Option<i64>) -> Result<(), String> {
    let Compiled { plan, lowered, model, goal } = compiled;
    let run = lift::to_run(plan, lowered, model, schedule)
        .map_err(|why| format!("the schedule does not fit the automata: {why}"))?;
    let replay = interpret::replay(model, &run).map_err(|mismatch| {
        format!("step {} of the schedule does not replay ({:?})", mismatch.step, mismatch.kind)
    })?;
    let (Query::Possibly(done) | Query::Infimum { within: done, .. }) = goal else {
        return Err("the goal of the search is none that solve asks for".to_owned());
    };
    if Interpreter::new(model).holds(&replay.end, done, false) != Ok(true) {
        return Err("the schedule does not finish all orders in the automata".to_owned());
    }
    let (reached, word) = match plan.objective {
        spec::Objective::Cost => (replay.end.cost, "pay"),
        _ => (run.end, "finish at"),
    };
    match value {
        Some(value) if reached != Time::from_integer(value) => {
            Err(format!("the automata {word} {reached}, not {value}"))
        }
        _ => Ok(()),
    }
}

/// Asks the validator, which knows neither plan nor automata.
fn check(project: &Project, schedule: &Schedule, value: Option<i64>) -> Result<(), String> {
    let report = validate::validate(&project.spec, schedule);
    if let Some(error) = report.errors.first() {
        let (order, step) = (&error.order, &error.step);
        return Err(format!("the schedule is invalid: {order} {step}: {}", error.message));
    }
    if report.value != value {
        return Err(format!("the validator finds {:?}, not {value:?}", report.value));
    }
    Ok(())
}

fn present(
    project: &Project,
    compiled: &Compiled,
    schedule: Schedule,
    solution: &Solution,
) -> Found {
    let headline = Headline {
        name: project.name.clone(),
        objective: project.spec.objective.name().to_owned(),
        status: solution.status.name().to_owned(),
        value: solution.value,
        bound: solution.bound,
    };
    let spec = &project.spec;
    Found {
        kpis: kpi::kpis(spec, &schedule),
        csv: render::csv(spec, &schedule),
        svg: render::svg(spec, &schedule, &headline),
        orders: render::orders_csv(spec, &schedule),
        model: xta::print(&compiled.lowered.network),
        words: render::text(spec, &schedule, &headline),
        schedule,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Trace;

    fn answer(verdict: Verdict, value: Option<i64>, bound: Option<i64>) -> Answer {
        Answer {
            verdict,
            value: value.map(|value| Extremum::Finite { value, attained: true }),
            bound,
            explored: 0,
            stored: 0,
            trace: value.map(|_| Trace::default()),
            assumes_remaining: false,
            stopped: None,
        }
    }

    #[test]
    fn a_limit_keeps_the_best_schedule_so_far() {
        let solution = outcome(&answer(Verdict::Unknown, Some(60), Some(50)));
        assert_eq!(solution.status, Status::Feasible);
        assert_eq!((solution.value, solution.bound), (Some(60), Some(50)));
        let solution = outcome(&answer(Verdict::Unknown, None, Some(50)));
        assert_eq!(solution.status, Status::Unknown);
        assert_eq!((solution.value, solution.bound), (None, Some(50)));
        let solution = outcome(&answer(Verdict::Violated, None, None));
        assert_eq!(solution.status, Status::Infeasible);
    }
}
