//! What is looked for: a schedule of a compiled plan. Whoever finds one, it is settled here: moved to
//! the left, replayed on the automata, validated, and made ready to be written.

use super::check::timed;
use super::plant::{Automata, Compiled};
use super::portfolio::{Board, Floor, Incumbent};
use super::problem::Problem;
use super::reason::Reason;
use super::request::Request;
use super::shelf::Shelf;
use super::solution::{Engine, Failure, Found, Heuristic, Solution, States, Status, disagreement};
use super::{fault, judge};
use std::sync::Arc;
use takt_automata::compose::Templates;
use takt_automata::engine::{self, Answer, Control, Estimate, Extremum, Options, Order, Stop};
use takt_automata::model::{Objective, Query};
use takt_diagnostic::Diagnostics;
use takt_plant::Jobs;
use takt_report::Headline;
use takt_report::account;
use takt_spec::Exact;
use takt_spec::schedule::Schedule;

/// A schedule that was replayed and validated, and what it is worth.
#[derive(Clone)]
pub(super) struct Checked {
    pub schedule: Arc<Schedule>,
    pub value: Option<i64>,
    pub by: Engine,
}

#[derive(Clone, Copy)]
pub(super) struct SearchContext<'t> {
    pub problem: &'t Problem,
    pub templates: &'t Templates,
    pub compiled: &'t Compiled<'t>,
    pub request: &'t Request,
    pub control: &'t (dyn Control + Sync),
    pub floor: &'t Floor,
    /// Where finished schedules go, where they are those that are looked for.
    pub shelf: Option<&'t Shelf>,
    /// Any schedule will do.
    pub is_any: bool,
}

impl SearchContext<'_> {
    /// Values are prices in parts of one.
    pub(super) fn scale(&self) -> i64 {
        let plan = &self.compiled.plan;
        if plan.objective == takt_plant::Objective::Cost { plan.cost_scale } else { 1 }
    }

    pub(super) fn automata(&self) -> Result<&Automata, Failure> {
        self.compiled.automata().map_err(|wrong| Failure::Input(wrong.clone()))
    }

    /// The goal of the search, asked of the automata.
    pub(super) fn ask(&self, control: &dyn Control) -> Result<Answer, Failure> {
        let plan = &self.compiled.plan;
        let Automata { lowered, model, goal } = self.automata()?;
        let options =
            Options { order: Some(Order::Diving), seed: self.request.seed, ..Options::default() };
        let answer = match goal {
            Query::Infimum { within, of: Objective::Clock(now, _) } => {
                let mut estimate = takt_plant::estimate(plan, lowered, model);
                let estimate = estimate.as_mut().map(|estimate| estimate as &mut dyn Estimate);
                engine::earliest(model, within, *now, estimate, &options, control)
            }
            _ => {
                let options = match plan.objective {
                    takt_plant::Objective::Feasible => {
                        Options { order: Some(Order::Dfs), ..options }
                    }
                    _ => options,
                };
                engine::check(model, std::slice::from_ref(goal), &options, control)
                    .map(|mut all| all.pop().expect("one query has one answer"))
            }
        };
        // A compiled model leaves no range; only replaced templates can.
        answer.map_err(|failure| Failure::Input(fault::diagnose(model, &failure).into()))
    }

    /// Takes a schedule to the board if it is the best so far; whether it counts. Without heuristics
    /// the automata accept all that the plan does, so only the last one has to be replayed; with them
    /// each has.
    pub(super) fn propose(&self, board: &Board, value: i64, jobs: &Jobs, by: Engine) -> bool {
        let mut checked = None;
        if !self.compiled.plan.heuristics.is_empty() {
            checked = self.settle(jobs.clone(), by).ok();
            if checked.as_ref().is_none_or(|one| one.value.is_some_and(|real| real > value)) {
                return false;
            }
        }
        if board.value().is_none_or(|known| value < known) {
            board.announce(value);
            self.offer(board, value, jobs, by, checked);
        }
        true
    }

    /// The same for a schedule that the automata have made.
    pub(super) fn offer(
        &self,
        board: &Board,
        value: i64,
        jobs: &Jobs,
        by: Engine,
        mut checked: Option<Checked>,
    ) {
        // Other threads go on while one makes the automata.
        if self.compiled.is_ready() || self.request.threads < 2 && self.automata().is_ok() {
            board.rehearse(&mut || checked = self.finish(jobs, by).or(checked.take()));
        }
        board.offer(Incumbent { value, jobs: jobs.clone(), by, checked });
    }

    /// The schedule of a trace, replayed and validated.
    pub(super) fn accept(&self, answer: &Answer) -> Result<Checked, Failure> {
        let wrong = |why: String| disagreement(self.templates, why);
        let jobs = self.jobs(answer).map_err(wrong)?;
        let checked = self.examine(&jobs, Engine::Zones).map_err(wrong)?;
        match (checked.value, answer.value) {
            // Steps may have moved to the left since.
            (Some(found), Some(Extremum::Finite { value, .. })) if found > value => {
                Err(wrong(format!("the automata give {found}, not {value}")))
            }
            _ => Ok(checked),
        }
    }

    /// The timetable of a trace.
    fn jobs(&self, answer: &Answer) -> Result<Jobs, String> {
        let Automata { lowered, model, goal } = self.compiled.automata().map_err(told)?;
        let trace = answer.trace.as_ref().ok_or("an answer has no trace")?;
        let run = timed(model, goal, trace).ok_or("a trace has no times that fit it")?;
        takt_plant::lift(&self.compiled.plan, lowered, model, &run)
    }

    /// The schedule that jobs stand for, replayed and validated.
    pub(super) fn settle(&self, jobs: Jobs, by: Engine) -> Result<Checked, String> {
        let Automata { lowered, model, .. } = self.compiled.automata().map_err(told)?;
        self.examine(&takt_plant::settle(&self.compiled.plan, lowered, model, jobs), by)
    }

    fn examine(&self, jobs: &Jobs, by: Engine) -> Result<Checked, String> {
        let plan = &self.compiled.plan;
        let value = judge::replay(plan, self.compiled.automata().map_err(told)?, jobs)?;
        let schedule = takt_plant::schedule(plan, jobs);
        judge::check(self.problem, &schedule, value, plan.cost_scale)?;
        Ok(Checked { schedule: Arc::new(schedule), value, by })
    }

    /// Does with a schedule all that is done with the last one, and keeps what comes out.
    pub(super) fn finish(&self, jobs: &Jobs, by: Engine) -> Option<Checked> {
        let best = self.settle(jobs.clone(), by).ok()?;
        let Some(shelf) = self.shelf else { return Some(best) };
        // A bound of the search may be one of what heuristics keep.
        let mut solution = self.solution(Outcome::so_far(&best, self.floor));
        solution.found = Some(self.present(best.schedule.clone(), &solution, None));
        shelf.put(solution);
        Some(best)
    }

    /// An outcome in the plant's words.
    pub(super) fn solution(&self, outcome: Outcome) -> Solution {
        let amount = |value: i64| Exact::new(i128::from(value), i128::from(self.scale()));
        let heuristics = self.compiled.plan.heuristics.iter();
        let heuristics =
            heuristics.map(|one| Heuristic { name: one.rule.name(), is_safe: one.is_safe });
        Solution {
            value: outcome.value.map(amount),
            bound: outcome.bound.map(amount),
            found_by: outcome.found_by,
            rule: outcome.rule.map(amount),
            proved_by: outcome.proved_by,
            heuristics: heuristics.collect(),
            states: outcome.states,
            stopped: outcome.stopped,
            reason: outcome.reason,
            status: outcome.status,
            ..Solution::default()
        }
    }

    /// All that is made of a schedule. What was made of the same one before is made use of.
    pub(super) fn present(
        &self,
        schedule: Arc<Schedule>,
        solution: &Solution,
        former: Option<&Found>,
    ) -> Found {
        let plan = &self.compiled.plan;
        let former = former.filter(|former| Arc::ptr_eq(&former.schedule, &schedule));
        let found = former.cloned().unwrap_or_else(|| {
            let account = Arc::new(account(&self.problem.spec, plan, &schedule));
            let (headline, artifacts) = (Headline::default(), Vec::new());
            Found { schedule, account, headline, rhythm: None, artifacts }
        });
        let headline = solution.headline(self.problem);
        let automata = self.compiled.automata().expect("a schedule was replayed on them");
        found.present(self.problem, self.request, headline, &automata.lowered.network)
    }
}

/// What is wrong with automata, where only a word is wanted.
fn told(wrong: &Diagnostics) -> String {
    wrong.iter().next().map_or_else(String::new, |first| first.message.clone())
}

/// What is known at the end of a search, in whole numbers of the plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub status: Status,
    pub value: Option<i64>,
    /// Proved of all schedules.
    pub bound: Option<i64>,
    pub found_by: Option<Engine>,
    /// The best value of dispatching rules alone.
    pub rule: Option<i64>,
    pub proved_by: Option<Engine>,
    pub states: States,
    pub stopped: Option<Stop>,
    pub reason: Option<Reason>,
}

impl Outcome {
    /// What is said of a schedule if the search ends now.
    fn so_far(best: &Checked, floor: &Floor) -> Outcome {
        let (prover, floor) = (floor.prover(), floor.known());
        let is_met = best.value <= floor;
        Outcome {
            value: best.value,
            bound: floor,
            found_by: Some(best.by),
            rule: best.value.filter(|_| best.by == Engine::Rules),
            proved_by: floor.map(|_| prover),
            stopped: (!is_met).then_some(Stop::Time),
            status: if is_met { Status::Optimal } else { Status::Feasible },
            ..Outcome::default()
        }
    }
}
