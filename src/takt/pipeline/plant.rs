//! From a spec with orders to a schedule that was replayed and validated.

use super::conflict;
use super::context::{Outcome, SearchContext};
use super::portfolio::{self, Floor};
use super::problem::Problem;
use super::reason::Reason;
use super::request::Request;
use super::restriction;
use super::shelf::Shelf;
use super::solution::{Engine, Failure, Solution, Status};
use std::sync::OnceLock;
use takt_automata::compose::Templates;
use takt_automata::engine::Control;
use takt_automata::model::{self, Model, Query};
use takt_automata::network::{self, Expr, Goal, Network};
use takt_diagnostic::{Diagnostic, Diagnostics};
use takt_plant::{Lowered, Plan};

/// A spec on its way through the stages. The automata of many orders take a while: they are made when they are asked
/// for, so that rules need not wait for them.
pub(super) struct Compiled<'t> {
    pub plan: Plan,
    templates: &'t Templates,
    automata: OnceLock<Result<Automata, Diagnostics>>,
}

/// A plan as automata, and what is asked of them.
pub(super) struct Automata {
    pub lowered: Lowered,
    pub model: Model,
    pub goal: Query,
}

impl<'t> Compiled<'t> {
    pub(super) fn new(plan: Plan, templates: &'t Templates) -> Compiled<'t> {
        Compiled { plan, templates, automata: OnceLock::new() }
    }

    /// Whoever comes first makes them; the others wait.
    pub(super) fn automata(&self) -> Result<&Automata, &Diagnostics> {
        let make = || build(&self.plan, takt_plant::lower(&self.plan, self.templates));
        self.automata.get_or_init(make).as_ref()
    }

    /// Whether they were made.
    pub(super) fn is_ready(&self) -> bool {
        self.automata.get().is_some()
    }

    /// The same plan with fewer heuristics. The horizon stays: with fewer it could only be less.
    pub(super) fn with_heuristics(&self, heuristics: Vec<takt_plant::Heuristic>) -> Compiled<'t> {
        Compiled::new(Plan { heuristics, ..self.plan.clone() }, self.templates)
    }
}

/// Compiles, searches, and says why if there is no schedule.
pub(super) fn solve(
    problem: &Problem,
    templates: &Templates,
    request: &Request,
    control: &(dyn Control + Sync),
    shelf: &Shelf,
) -> Result<Solution, Failure> {
    let mut plan = takt_plant::plan(&problem.spec).map_err(Failure::Input)?;
    if !request.from.is_empty() {
        plan.begin_at(request.from.iter().map(|row| &row.value));
    }
    let compiled = &Compiled::new(plan, templates);
    let floor = &Floor::new(&compiled.plan);
    let (shelf, is_any) = (Some(shelf), false);
    let context =
        SearchContext { problem, templates, compiled, request, control, floor, shelf, is_any };
    if let Some(reason) = seen_infeasible(problem, &compiled.plan) {
        let proved_by = Some(Engine::Floor);
        let outcome = Outcome {
            status: Status::Infeasible,
            reason: Some(reason),
            proved_by,
            ..Outcome::default()
        };
        return Ok(context.solution(outcome));
    }
    let (mut outcome, best) = portfolio::search(&context)?;
    if compiled.plan.heuristics.iter().any(|heuristic| !heuristic.is_safe) {
        restriction::admit(&context, &mut outcome)?;
    }
    // Automata of the user's own may have reasons that the spec does not know.
    if outcome.status == Status::Infeasible && !templates.is_replaced() {
        let found = conflict::find(&problem.spec, templates, outcome.states.explored, control);
        outcome.reason = Some(Reason::of_conflict(&problem.spec, &compiled.plan, &found));
    }
    let mut solution = context.solution(outcome);
    // Only now is it known what may be said of it.
    let kept = shelf.and_then(Shelf::look);
    let former = kept.as_ref().and_then(|kept| kept.found.as_ref());
    solution.found = best.map(|best| context.present(best.schedule, &solution, former));
    Ok(solution)
}

/// What tells without a search that there is no schedule.
fn seen_infeasible(problem: &Problem, plan: &Plan) -> Option<Reason> {
    if plan.conflict.is_some() {
        return Some(Reason::of_plan(&problem.spec, plan));
    }
    let overload = takt_plant::overload(plan)?;
    Some(Reason::of_overload(&problem.spec, plan, &overload))
}

/// A spec with orders as a network, and what is asked of it.
pub fn network(
    problem: &Problem,
    templates: &Templates,
) -> Result<(Network, network::Query), Diagnostics> {
    let plan = takt_plant::plan(&problem.spec)?;
    Ok((takt_plant::lower(&plan, templates).network, goal(plan.objective)))
}

/// From so many steps on the automata may be too large.
const MANY_STEPS: usize = 50_000;

/// Whether `solve` would refuse the plant for its size.
pub fn check_size(plan: &Plan) -> Result<(), Diagnostics> {
    match plan.step_count() < MANY_STEPS {
        true => Ok(()),
        false => {
            let lowered =
                takt_plant::lower(plan, &Templates::embedded(&takt_plant::TEMPLATE_FILES));
            build(plan, lowered).map(drop)
        }
    }
}

fn build(plan: &Plan, lowered: Lowered) -> Result<Automata, Diagnostics> {
    let built = model::build(&lowered.network);
    let (mut model, _) = built.map_err(|wrong| in_words_of_plants(plan, wrong))?;
    let goal = model.resolve_query(&goal(plan.objective))?;
    Ok(Automata { lowered, model, goal })
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
    let (orders, steps) = (plan.orders.len(), plan.step_count());
    let message = format!("{orders} orders with {steps} steps are more than takt can plan at once");
    let why = format!("their automata: {}, {}", first.message, first.label);
    Diagnostic::error("too-large", order.span, message).label("the last of them").hint(why).into()
}

/// What the search is asked; the same as for `takt check` on the compiled model.
fn goal(objective: takt_plant::Objective) -> network::Query {
    let done = Expr::name("done");
    let (goal, text) = match objective {
        takt_plant::Objective::Feasible => (Goal::Possibly(done), "E<> done"),
        takt_plant::Objective::Cost => {
            (Goal::Infimum { within: Some(done), of: Expr::name("cost") }, "inf{done}: cost")
        }
        takt_plant::Objective::Makespan => {
            (Goal::Infimum { within: Some(done), of: Expr::name("now") }, "inf{done}: now")
        }
    };
    network::Query { goal, text: text.to_owned(), span: Default::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_diagnostic::{FileId, Span};
    use takt_spec as spec;

    /// Five thousand orders with costs were refused for "1 more process" at the spec's first line.
    #[test]
    fn automata_that_are_too_large_are_told_at_the_orders() {
        let text = "takt: 1\nresources: {m: {}}\n\
            recipes: {r: {steps: [{name: s, on: m, duration: 2}]}}\n\
            orders: [{id: A, recipe: r, count: 3}, {id: B, recipe: r}]\n";
        let spec = spec::read(text, FileId(0)).unwrap().0;
        let plan = takt_plant::plan(&spec).unwrap();
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
