//! Looks for the best schedule of a compiled plan and for the proof that it is the best.
//!
//! Every schedule, wherever it comes from, runs through the automata, heuristics included, and
//! past the validator before it counts. Bounds come from the plan and, as long as no heuristic may
//! have cut better schedules, from the search. Schedules are improved beside the search through
//! the automata, and each learns what the other finds (`aside.rs`, `board.rs`).

use super::aside::{self, Aside};
use super::board::Board;
use super::project::Project;
use super::shelf::Shelf;
use super::solve::{
    self, Compiled, Engine, Failed, Found, Member, Settings, Solution, Status, disagreement,
};
use super::{fault, restriction};
use std::sync::{Arc, OnceLock};
use takt_automata::compose::Templates;
use takt_automata::engine::{
    self, Answer, Control, Estimate, Extremum, Options, Order, Stop, Verdict,
};
use takt_automata::model::{Objective, Query};
use takt_plant::bound;
use takt_plant::improve;
use takt_plant::lift;
use takt_plant::plan::Plan;
use takt_plant::timetable::Jobs;
use takt_spec as spec;
use takt_spec::schedule::Schedule;

/// A schedule that passed, and what it is worth.
#[derive(Clone)]
pub struct Incumbent {
    pub schedule: Arc<Schedule>,
    pub value: Option<i64>,
    pub by: Member,
}

pub fn best(
    project: &Project,
    templates: &Templates,
    compiled: &Compiled,
    settings: Settings,
    control: &(dyn Control + Sync),
    shelf: &Shelf,
) -> Result<Solution, Failed> {
    let floor = &Floor::new(&compiled.plan);
    let hunt = Hunt {
        project,
        templates,
        compiled,
        settings,
        control,
        floor,
        shelf: Some(shelf),
        is_any: false,
    };
    let (mut solution, best) = hunt.search()?;
    if compiled.plan.heuristics.iter().any(|heuristic| !heuristic.is_safe) {
        restriction::admit(&hunt, &mut solution)?;
    }
    // Only now is it known what may be said of it.
    let kept = shelf.look();
    let former = kept.as_ref().and_then(|kept| kept.found.as_ref());
    solution.found = best.map(|best| hunt.present(best.schedule, &solution, former));
    Ok(solution)
}

/// How many turns of changes are tried before the automata are searched.
const FIRST_TURNS: u64 = 25;

/// No schedule is better than this, with heuristics or without, as the plan tells: at once, and
/// after a while.
pub struct Floor {
    pub quick: Option<i64>,
    deep: OnceLock<Option<i64>>,
}

impl Floor {
    pub fn new(plan: &Plan) -> Floor {
        let quick = bound::quick_floor(plan);
        match plan.objective {
            // There is nothing that takes longer.
            spec::Objective::Feasible => Floor { quick, deep: OnceLock::from(quick) },
            _ => Floor { quick, deep: OnceLock::new() },
        }
    }

    /// The best that is known.
    pub fn known(&self) -> Option<i64> {
        self.deep.get().copied().unwrap_or(self.quick)
    }

    fn deepen(&self, plan: &Plan, is_over: &mut dyn FnMut() -> bool) -> Option<i64> {
        *self.deep.get_or_init(|| bound::floor_until(plan, is_over))
    }
}

#[derive(Clone, Copy)]
pub struct Hunt<'h> {
    pub project: &'h Project,
    pub templates: &'h Templates,
    pub compiled: &'h Compiled,
    pub settings: Settings,
    pub control: &'h (dyn Control + Sync),
    pub floor: &'h Floor,
    /// Where finished schedules go, where they are those that are looked for.
    pub shelf: Option<&'h Shelf>,
    /// Any schedule will do.
    pub is_any: bool,
}

impl Hunt<'_> {
    /// The best that the automata as compiled allow.
    pub fn search(&self) -> Result<(Solution, Option<Incumbent>), Failed> {
        let plan = &self.compiled.plan;
        let scale = match plan.objective {
            spec::Objective::Cost => plan.cost_scale,
            _ => 1,
        };
        let is_any = self.is_any || plan.objective == spec::Objective::Feasible;
        let board = Board::new(self.control, scale, self.floor.quick, is_any);
        let plant = improve::Plant::new(plan);
        let more = |number: u64| Aside::new(self, &board, &plant, number);
        let aside = self.improves().then(|| {
            let mut aside = more(0);
            aside.begin(FIRST_TURNS);
            aside
        });
        if board.poll().is_continue() {
            board.raise(self.floor.deepen(plan, &mut || board.poll().is_break()));
        }
        let answer = match board.poll().break_value() {
            Some(stop) => unanswered(stop),
            None => {
                let zones = |control: &dyn Control| self.ask(control);
                aside::beside(aside, self.settings.threads, more, zones, (self, &board))?
            }
        };
        let best = self.better(&answer, &board)?;
        let mut solution = outcome(&answer, best.as_ref(), board.bound(), board.stopped());
        solution.proved_by = prover(&solution, self.floor.known());
        Ok((solution, best))
    }

    /// Automata of the user's own say themselves what they allow.
    fn improves(&self) -> bool {
        self.settings.engine == Engine::Auto && !self.templates.is_replaced() || self.is_any
    }

    /// Of the schedule on the board and that of the answer the better one.
    fn better(&self, answer: &Answer, board: &Board) -> Result<Option<Incumbent>, Failed> {
        let wrong = |why| disagreement(self.templates, why);
        let Some(known) = board.best() else {
            return answer.trace.as_ref().map(|_| self.accept(answer)).transpose();
        };
        match answer.value {
            Some(Extremum::Finite { value, .. }) if value < known.value => {
                self.accept(answer).map(Some)
            }
            _ => match known.passed {
                Some(passed) => Ok(Some(passed)),
                None => self.settle(known.jobs, known.by).map(Some).map_err(wrong),
            },
        }
    }

    pub fn ask(&self, control: &dyn Control) -> Result<Answer, Failed> {
        let Compiled { plan, lowered, model, goal } = self.compiled;
        let options =
            Options { order: Some(Order::Diving), seed: self.settings.seed, ..Options::default() };
        let answer = match goal {
            Query::Infimum { within, of: Objective::Clock(now, _) } => {
                let mut estimate = plan.is_plain().then(|| bound::estimate(plan, lowered, model));
                let estimate = estimate.as_mut().map(|estimate| estimate as &mut dyn Estimate);
                engine::earliest(model, within, *now, estimate, &options, control)
            }
            _ => {
                let options = match plan.objective {
                    spec::Objective::Feasible => Options { order: Some(Order::Dfs), ..options },
                    _ => options,
                };
                engine::check(model, std::slice::from_ref(goal), &options, control)
                    .map(|mut all| all.pop().expect("one query has one answer"))
            }
        };
        // A compiled model leaves no range; only replaced templates can.
        answer.map_err(|failure| Failed::Input(fault::diagnose(model, &failure).into()))
    }

    /// The schedule of a trace, replayed and validated.
    fn accept(&self, answer: &Answer) -> Result<Incumbent, Failed> {
        let wrong = |why: String| disagreement(self.templates, why);
        let jobs = solve::jobs(self.compiled, answer).map_err(wrong)?;
        let incumbent = self.examine(&jobs, Member::Zones).map_err(wrong)?;
        match (incumbent.value, answer.value) {
            // Steps may have moved to the left since.
            (Some(found), Some(Extremum::Finite { value, .. })) if found > value => {
                Err(wrong(format!("the automata give {found}, not {value}")))
            }
            _ => Ok(incumbent),
        }
    }

    /// The schedule that jobs stand for, replayed and validated.
    pub fn settle(&self, jobs: Jobs, by: Member) -> Result<Incumbent, String> {
        let Compiled { plan, lowered, model, .. } = self.compiled;
        self.examine(&lift::settle(plan, lowered, model, jobs), by)
    }

    /// Does with a schedule all that is done with the last one, and keeps what comes out.
    pub fn finish(&self, jobs: &Jobs, by: Member) -> Option<Incumbent> {
        let best = self.settle(jobs.clone(), by).ok()?;
        let Some(shelf) = self.shelf else { return Some(best) };
        // A bound of the search may be one of what heuristics keep.
        let stop = unanswered(Stop::Time);
        let floor = self.floor.known();
        let mut solution = outcome(&stop, Some(&best), floor, None);
        solution.proved_by = solution.bound.map(|_| Member::Floor);
        solution.found = Some(self.present(best.schedule.clone(), &solution, None));
        solve::complete(&mut solution, &self.compiled.plan);
        shelf.put(solution);
        Some(best)
    }

    /// What was made of the same schedule before is made use of.
    fn present(
        &self,
        schedule: Arc<Schedule>,
        solution: &Solution,
        former: Option<&Found>,
    ) -> Found {
        let Hunt { project, compiled, settings, .. } = *self;
        solve::present(project, compiled, settings.views, schedule, solution, former)
    }

    fn examine(&self, jobs: &Jobs, by: Member) -> Result<Incumbent, String> {
        let value = solve::replay(self.compiled, jobs)?;
        let schedule = lift::schedule(&self.compiled.plan, jobs);
        solve::check(self.project, &schedule, value, self.compiled.plan.cost_scale)?;
        Ok(Incumbent { schedule: Arc::new(schedule), value, by })
    }
}

/// What is known of the automata before they were searched: nothing.
fn unanswered(stop: Stop) -> Answer {
    Answer {
        verdict: Verdict::Unknown,
        value: None,
        bound: None,
        explored: 0,
        stored: 0,
        trace: None,
        reduced: Vec::new(),
        accelerated: Vec::new(),
        assumes_remaining: false,
        stopped: Some(stop),
    }
}

/// Who proved what is said of a bound: the plan alone, as far as it can.
pub fn prover(solution: &Solution, floor: Option<i64>) -> Option<Member> {
    match solution.bound {
        Some(bound) if floor.is_some_and(|floor| floor >= bound) => Some(Member::Floor),
        Some(_) => Some(Member::Zones),
        None => (solution.status == Status::Infeasible).then_some(Member::Zones),
    }
}

/// What an answer and a proved bound say, beside the best schedule.
fn outcome(
    answer: &Answer,
    best: Option<&Incumbent>,
    bound: Option<i64>,
    stopped: Option<Stop>,
) -> Solution {
    let bound = answer.bound.max(bound);
    let value = best.and_then(|best| best.value);
    let is_met = best.is_some() && value <= bound;
    let status = match (answer.verdict, best) {
        (Verdict::Satisfied, _) | (Verdict::Violated, Some(_)) => Status::Optimal,
        (Verdict::Violated, None) => Status::Infeasible,
        (Verdict::Unknown, Some(_)) if is_met => Status::Optimal,
        (Verdict::Unknown, Some(_)) => Status::Feasible,
        (Verdict::Unknown, None) => Status::Unknown,
    };
    let bound = bound.filter(|_| status != Status::Infeasible);
    let is_open = matches!(status, Status::Feasible | Status::Unknown);
    Solution {
        value,
        // What was shown of all others cannot be above what there is.
        bound: value.map_or(bound, |value| bound.map(|bound| bound.min(value))),
        found_by: best.map(|best| best.by),
        explored: answer.explored,
        stored: answer.stored,
        stopped: stopped.or(answer.stopped).filter(|_| is_open),
        ..Solution::without(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(answer: &Answer, best: Option<&Incumbent>) -> Solution {
        super::outcome(answer, best, None, None)
    }

    fn answer(verdict: Verdict, bound: Option<i64>) -> Answer {
        Answer { verdict, bound, stopped: None, ..unanswered(Stop::Time) }
    }

    #[test]
    fn a_limit_keeps_the_best_schedule_so_far() {
        let best = Incumbent { schedule: Arc::default(), value: Some(60), by: Member::Rules };
        let solution = outcome(&answer(Verdict::Unknown, Some(50)), Some(&best));
        assert_eq!(solution.status, Status::Feasible);
        assert_eq!((solution.value, solution.bound), (Some(60), Some(50)));
        let solution = outcome(&answer(Verdict::Unknown, Some(50)), None);
        assert_eq!(solution.status, Status::Unknown);
        assert_eq!((solution.value, solution.bound), (None, Some(50)));
    }

    #[test]
    fn nothing_better_is_a_proof_for_what_is_known() {
        let best = Incumbent { schedule: Arc::default(), value: Some(60), by: Member::Rules };
        let solution = outcome(&answer(Verdict::Violated, Some(60)), Some(&best));
        assert_eq!((solution.status, solution.bound), (Status::Optimal, Some(60)));
        assert_eq!(outcome(&answer(Verdict::Violated, None), None).status, Status::Infeasible);
    }
}
