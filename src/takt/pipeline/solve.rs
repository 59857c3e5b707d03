//! From a spec to a schedule that was replayed and validated.

use super::conflict;
use super::portfolio::{self, Floor};
use super::project::{self, Project};
use super::restriction;
use super::shelf::Shelf;
use super::task::Task;
use takt_automata::compose::Templates;
use takt_automata::engine::{Control, Progress, Stop};
use takt_automata::interpret::{self, Interpreter};
use takt_automata::model::{self, Model, Query};
use takt_automata::network::{self, Expr, Goal};
use takt_automata::xta;
use takt_diagnostic::{Diagnostic, Diagnostics};
use takt_plant::bound;
use takt_plant::lift;
use takt_plant::lower::{self, Lowered};
use takt_plant::plan::{self, Plan};
use takt_plant::timetable::Jobs;
use takt_report::account::{self, Account};
use takt_report::render::{self, Headline, Sheet, View};
use takt_spec as spec;
use takt_spec::schedule::{Decimal, Schedule};
use takt_validate as validate;

use std::sync::Arc;

pub use super::reason::Reason;

/// How sure the result is; the names are promised to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A best schedule, proved.
    Optimal,
    /// The best of those that a heuristic keeps, which may have cut better ones.
    Restricted,
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
            Status::Restricted => "restricted",
            Status::Feasible => "feasible",
            Status::Infeasible => "infeasible",
            Status::Unknown => "unknown",
        }
    }
}

/// Who found a schedule, or proved a bound; the names are promised to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Dispatching rules.
    Rules,
    /// Changes of known schedules.
    LocalSearch,
    /// Cost-optimal reachability on the automata.
    Zones,
    /// What the plan alone proves of all its schedules.
    Floor,
    /// A machine of which parts are left out.
    Relaxation,
    /// All states of a machine that matter.
    Closure,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Engine::Rules => "rules",
            Engine::LocalSearch => "local-search",
            Engine::Zones => "zones",
            Engine::Floor => "floor",
            Engine::Relaxation => "relaxation",
            Engine::Closure => "closure",
        }
    }
}

/// What came out of a search.
#[derive(Clone, Debug)]
pub struct Solution {
    pub status: Status,
    /// In parts of one: a cost of 3 is `3 * scale`. Times have a scale of 1.
    pub value: Option<i64>,
    /// Proved: no schedule is better than this, with heuristics or without.
    pub bound: Option<i64>,
    pub scale: i64,
    /// Who found the schedule, and who proved the bound or that there is none.
    pub found_by: Option<Engine>,
    pub proved_by: Option<Engine>,
    pub heuristics: Vec<plan::Heuristic>,
    pub explored: u64,
    pub stored: u64,
    /// Which limit ended the search.
    pub stopped: Option<Stop>,
    /// Why there is no schedule, or none was found.
    pub reason: Option<Reason>,
    /// The schedule, if one was found.
    pub found: Option<Found>,
}

impl Solution {
    /// Nothing is known, because a limit came first.
    pub fn unknown(stop: Stop, progress: Progress) -> Solution {
        Solution {
            explored: progress.explored,
            stored: progress.stored,
            stopped: Some(stop),
            ..Solution::without(Status::Unknown)
        }
    }

    /// The same, if a limit ends the run now.
    pub fn ended_by(&self, stop: Stop, progress: Progress) -> Solution {
        let stopped = (self.status == Status::Feasible).then_some(stop);
        Solution { explored: progress.explored, stored: progress.stored, stopped, ..self.clone() }
    }

    /// A value or bound in ones.
    pub fn amount(&self, value: i64) -> Decimal {
        Decimal::scaled(value, self.scale)
    }

    pub(super) fn without(status: Status) -> Solution {
        Solution {
            status,
            value: None,
            bound: None,
            scale: 1,
            found_by: None,
            proved_by: None,
            heuristics: Vec::new(),
            explored: 0,
            stored: 0,
            stopped: None,
            reason: None,
            found: None,
        }
    }
}

/// Which engines take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// From wherever they are found soonest; the automata accept them, or they do not count.
    #[default]
    Auto,
    /// From the search through the automata alone.
    Zones,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub selection: Selection,
    pub seed: u64,
    /// How many may search side by side. With one, equal inputs give equal schedules.
    pub threads: usize,
    /// The charts that are wanted.
    pub views: &'static [View],
}

/// A schedule that was replayed and validated, and everything made from it.
#[derive(Clone, Debug)]
pub struct Found {
    pub schedule: Arc<Schedule>,
    pub account: Account,
    pub headline: Headline,
    /// As SVG, one for each view that is wanted.
    pub charts: Vec<String>,
    pub csv: String,
    pub orders: String,
    /// The network that was searched.
    pub model: String,
    /// A few lines for the terminal.
    pub words: String,
}

/// Why there is no result at all.
#[derive(Clone, Debug)]
pub enum Failure {
    Input(Diagnostics),
    /// A bug of ours.
    Bug(String),
}

/// A spec on its way through the stages.
pub(super) struct Compiled {
    pub plan: Plan,
    pub lowered: Lowered,
    pub model: Model,
    pub goal: Query,
}

/// Compiles, searches, lifts, replays and validates. No schedule is given that did not pass. What is
/// finished on the way stands on the shelf.
pub fn run(
    project: &Project,
    templates: &Templates,
    settings: Settings,
    control: &(dyn Control + Sync),
    shelf: &Shelf,
) -> Result<Solution, Failure> {
    let compiled = compile(project, templates).map_err(Failure::Input)?;
    let mut solution = match seen_infeasible(project, &compiled.plan) {
        Some(reason) => Solution {
            reason: Some(reason),
            proved_by: Some(Engine::Floor),
            ..Solution::without(Status::Infeasible)
        },
        None => best(project, templates, &compiled, settings, control, shelf)?,
    };
    // Automata of the user's own may have reasons that the spec does not know.
    let is_unexplained = solution.status == Status::Infeasible && solution.reason.is_none();
    if is_unexplained && !templates.is_replaced() {
        let found = conflict::find(&project.spec, templates, solution.explored, control);
        solution.reason = Some(Reason::of_conflict(&project.spec, &compiled.plan, &found));
    }
    complete(&mut solution, &compiled.plan);
    Ok(solution)
}

fn best(
    project: &Project,
    templates: &Templates,
    compiled: &Compiled,
    settings: Settings,
    control: &(dyn Control + Sync),
    shelf: &Shelf,
) -> Result<Solution, Failure> {
    let floor = &Floor::new(&compiled.plan);
    let (shelf, is_any) = (Some(shelf), false);
    let task = Task { project, templates, compiled, settings, control, floor, shelf, is_any };
    let (mut solution, best) = portfolio::search(&task)?;
    if compiled.plan.heuristics.iter().any(|heuristic| !heuristic.is_safe) {
        restriction::admit(&task, &mut solution)?;
    }
    // Only now is it known what may be said of it.
    let kept = shelf.and_then(Shelf::look);
    let former = kept.as_ref().and_then(|kept| kept.found.as_ref());
    solution.found = best.map(|best| task.present(best.schedule, &solution, former));
    Ok(solution)
}

/// Adds what a solution says of its plan.
pub(super) fn complete(solution: &mut Solution, plan: &Plan) {
    solution.scale = match plan.objective {
        plan::Objective::Cost => plan.cost_scale,
        _ => 1,
    };
    solution.heuristics.clone_from(&plan.heuristics);
}

/// What tells without a search that there is no schedule.
fn seen_infeasible(project: &Project, plan: &Plan) -> Option<Reason> {
    if let Some(conflict) = &plan.conflict {
        return Some(Reason::of_plan(plan, conflict));
    }
    let overload = bound::overload(plan)?;
    Some(Reason::of_overload(&project.spec, plan, &overload))
}

/// Automata and spec do not say the same: our own bug, unless the automata are the user's.
pub(super) fn disagreement(templates: &Templates, why: String) -> Failure {
    if templates.is_replaced() {
        let message = format!("the replaced templates do not behave as the spec says: {why}");
        Failure::Input(Diagnostic::without_place("bad-template", message).into())
    } else {
        Failure::Bug(why)
    }
}

pub(super) fn compile(project: &Project, templates: &Templates) -> Result<Compiled, Diagnostics> {
    let (plan, lowered) = project::compile(project, templates)?;
    build(plan, lowered)
}

/// The same plan with fewer heuristics. The horizon stays: with fewer it could only be less.
pub(super) fn with_heuristics(
    plan: &Plan,
    heuristics: Vec<plan::Heuristic>,
    templates: &Templates,
) -> Result<Compiled, Diagnostics> {
    let plan = Plan { heuristics, ..plan.clone() };
    let lowered = lower::lower(&plan, templates);
    build(plan, lowered)
}

pub(super) fn build(plan: Plan, lowered: Lowered) -> Result<Compiled, Diagnostics> {
    let built = model::build(&lowered.network);
    let (mut model, _) = built.map_err(|wrong| in_words_of_plants(&plan, wrong))?;
    let goal = model.resolve_query(&goal(plan.objective))?;
    Ok(Compiled { plan, lowered, model, goal })
}

/// Automata that are too large come of too many orders, and are told there. Those of the user's own
/// have a place of their own.
fn in_words_of_plants(plan: &Plan, wrong: Diagnostics) -> Diagnostics {
    let is_ours = |found: &&Diagnostic| {
        found.code == "too-large" && found.span.is_none_or(|span| span.end == 0)
    };
    let (Some(first), Some(order)) = (wrong.iter().find(is_ours), plan.orders.last()) else {
        return wrong;
    };
    let steps: usize = (0..plan.orders.len()).map(|order| plan.steps(order).len()).sum();
    let orders = plan.orders.len();
    let message = format!("{orders} orders with {steps} steps are more than takt can plan at once");
    let why = format!("their automata: {}, {}", first.message, first.label);
    Diagnostic::error("too-large", order.span, message).label("the last of them").hint(why).into()
}

/// What the search is asked; the same as for `takt check` on the compiled model.
fn goal(objective: plan::Objective) -> network::Query {
    let done = Expr::name("done");
    let (goal, text) = match objective {
        plan::Objective::Feasible => (Goal::Possibly(done), "E<> done"),
        plan::Objective::Cost => {
            (Goal::Infimum { within: Some(done), of: Expr::name("cost") }, "inf{done}: cost")
        }
        plan::Objective::Makespan => {
            (Goal::Infimum { within: Some(done), of: Expr::name("now") }, "inf{done}: now")
        }
    };
    network::Query { goal, text: text.to_owned(), span: Default::default() }
}

/// Runs a timetable through the compiled automata once more, step by step; gives its value.
pub(super) fn replay(compiled: &Compiled, jobs: &Jobs) -> Result<Option<i64>, String> {
    let Compiled { plan, lowered, model, goal } = compiled;
    let run = lift::to_run(plan, lowered, model, jobs)
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
        plan::Objective::Feasible => return Ok(None),
        plan::Objective::Cost => end.cost,
        plan::Objective::Makespan => run.end,
    };
    match reached.is_integer() {
        true => Ok(Some(reached.to_integer())),
        false => Err(format!("the automata end at {reached}, which is not whole")),
    }
}

/// Asks the validator, which knows neither plan nor automata; `value` is `scale` times
/// the real one.
pub(super) fn check(
    project: &Project,
    schedule: &Schedule,
    value: Option<i64>,
    scale: i64,
) -> Result<(), String> {
    let report = validate::validate(&project.spec, schedule);
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

/// Everything that is made of a schedule. What was made of the same one before is taken over.
pub(super) fn present(
    project: &Project,
    compiled: &Compiled,
    views: &[View],
    schedule: Arc<Schedule>,
    solution: &Solution,
    former: Option<&Found>,
) -> Found {
    let amount = |value: i64| Decimal::scaled(value, compiled.plan.cost_scale);
    let headline = Headline {
        name: project.name.clone(),
        objective: project.spec.objective.name().to_owned(),
        status: solution.status.name().to_owned(),
        value: solution.value.map(amount),
        bound: solution.bound.map(amount),
    };
    let former = former.filter(|former| Arc::ptr_eq(&former.schedule, &schedule));
    let mut found = former.cloned().unwrap_or_else(|| write_out(project, compiled, schedule));
    if found.headline != headline {
        let Found { schedule, account, .. } = &found;
        let sheet = Sheet { spec: &project.spec, schedule, account };
        let charts = views.iter().map(|&view| render::svg(&sheet, &headline, view)).collect();
        (found.words, found.charts) = (render::text(&sheet, &headline), charts);
        found.headline = headline;
    }
    found
}

/// What does not depend on what is proved of the schedule; the rest is empty.
fn write_out(project: &Project, compiled: &Compiled, schedule: Arc<Schedule>) -> Found {
    let account = account::account(&project.spec, &compiled.plan, &schedule);
    let sheet = Sheet { spec: &project.spec, schedule: &schedule, account: &account };
    Found {
        csv: render::csv(&sheet),
        orders: render::orders_csv(&sheet),
        model: xta::print(&compiled.lowered.network),
        words: String::new(),
        charts: Vec::new(),
        headline: Headline::default(),
        account,
        schedule,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_diagnostic::{FileId, Span};

    /// Five thousand orders with costs were refused for "1 more process" at the spec's first line.
    #[test]
    fn automata_that_are_too_large_are_told_at_the_orders() {
        let text = "takt: 1\nresources: {m: {}}\n\
            recipes: {r: {steps: [{name: s, on: m, duration: 2}]}}\n\
            orders: [{id: A, recipe: r, count: 3}, {id: B, recipe: r}]\n";
        let spec = spec::read(text, FileId(0)).unwrap().0;
        let plan = plan::plan(&spec).unwrap();
        let nowhere = Diagnostic::error("too-large", Span::default(), "1 more process");
        let told = in_words_of_plants(&plan, nowhere.label("at most 10").into());
        let told = told.iter().next().unwrap();
        assert_eq!(told.message, "4 orders with 4 steps are more than takt can plan at once");
        let span = told.span.unwrap();
        assert_eq!(&text[span.start as usize..span.end as usize], "B");
        let own = Diagnostic::error("too-large", Span::new(FileId(1), 3, 9), "1 more process");
        let kept = in_words_of_plants(&plan, own.into());
        assert_eq!(kept.iter().next().unwrap().message, "1 more process");
    }
}
