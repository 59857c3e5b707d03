//! What is looked for: a schedule of a compiled plan. Whoever finds one, it is settled here: moved to
//! the left, replayed on the automata, validated, and made ready to be written.

use super::check::timed;
use super::fault;
use super::portfolio::{self, Board, Floor, Incumbent};
use super::project::Project;
use super::shelf::Shelf;
use super::solve::{self, Compiled, Engine, Failure, Found, Settings, Solution, disagreement};
use std::sync::Arc;
use takt_automata::compose::Templates;
use takt_automata::engine::{self, Answer, Control, Estimate, Extremum, Options, Order};
use takt_automata::model::{Objective, Query};
use takt_plant::bound;
use takt_plant::lift;
use takt_plant::plan;
use takt_plant::timetable::Jobs;
use takt_spec::schedule::Schedule;

/// A schedule that was replayed and validated, and what it is worth.
#[derive(Clone)]
pub struct Checked {
    pub schedule: Arc<Schedule>,
    pub value: Option<i64>,
    pub by: Engine,
}

#[derive(Clone, Copy)]
pub struct Task<'t> {
    pub project: &'t Project,
    pub templates: &'t Templates,
    pub compiled: &'t Compiled,
    pub settings: Settings,
    pub control: &'t (dyn Control + Sync),
    pub floor: &'t Floor,
    /// Where finished schedules go, where they are those that are looked for.
    pub shelf: Option<&'t Shelf>,
    /// Any schedule will do.
    pub is_any: bool,
}

impl Task<'_> {
    /// Values are prices in parts of one.
    pub fn scale(&self) -> i64 {
        let plan = &self.compiled.plan;
        if plan.objective == plan::Objective::Cost { plan.cost_scale } else { 1 }
    }

    /// The goal of the search, asked of the automata.
    pub fn ask(&self, control: &dyn Control) -> Result<Answer, Failure> {
        let Compiled { plan, lowered, model, goal } = self.compiled;
        let options =
            Options { order: Some(Order::Diving), seed: self.settings.seed, ..Options::default() };
        let answer = match goal {
            Query::Infimum { within, of: Objective::Clock(now, _) } => {
                let mut estimate = bound::estimate(plan, lowered, model);
                let estimate = estimate.as_mut().map(|estimate| estimate as &mut dyn Estimate);
                engine::earliest(model, within, *now, estimate, &options, control)
            }
            _ => {
                let options = match plan.objective {
                    plan::Objective::Feasible => Options { order: Some(Order::Dfs), ..options },
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
    pub fn propose(&self, board: &Board, value: i64, jobs: &Jobs, by: Engine) -> bool {
        let mut checked = None;
        if !self.compiled.plan.heuristics.is_empty() {
            checked = self.settle(jobs.clone(), by).ok();
            if checked.as_ref().is_none_or(|one| one.value.is_some_and(|real| real > value)) {
                return false;
            }
        }
        if board.value().is_none_or(|known| value < known) {
            self.offer(board, value, jobs, by, checked);
            board.announce(value);
        }
        true
    }

    /// The same for a schedule that the automata have made.
    pub fn offer(
        &self,
        board: &Board,
        value: i64,
        jobs: &Jobs,
        by: Engine,
        mut checked: Option<Checked>,
    ) {
        board.rehearse(&mut || checked = self.finish(jobs, by).or(checked.take()));
        board.offer(Incumbent { value, jobs: jobs.clone(), by, checked });
    }

    /// The schedule of a trace, replayed and validated.
    pub fn accept(&self, answer: &Answer) -> Result<Checked, Failure> {
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
        let Compiled { plan, lowered, model, goal } = self.compiled;
        let trace = answer.trace.as_ref().ok_or("an answer has no trace")?;
        let run = timed(model, goal, trace).ok_or("a trace has no times that fit it")?;
        lift::lift(plan, lowered, model, &run)
    }

    /// The schedule that jobs stand for, replayed and validated.
    pub fn settle(&self, jobs: Jobs, by: Engine) -> Result<Checked, String> {
        let Compiled { plan, lowered, model, .. } = self.compiled;
        self.examine(&lift::settle(plan, lowered, model, jobs), by)
    }

    fn examine(&self, jobs: &Jobs, by: Engine) -> Result<Checked, String> {
        let value = solve::replay(self.compiled, jobs)?;
        let schedule = lift::schedule(&self.compiled.plan, jobs);
        solve::check(self.project, &schedule, value, self.compiled.plan.cost_scale)?;
        Ok(Checked { schedule: Arc::new(schedule), value, by })
    }

    /// Does with a schedule all that is done with the last one, and keeps what comes out.
    pub fn finish(&self, jobs: &Jobs, by: Engine) -> Option<Checked> {
        let best = self.settle(jobs.clone(), by).ok()?;
        let Some(shelf) = self.shelf else { return Some(best) };
        // A bound of the search may be one of what heuristics keep.
        let mut solution = portfolio::so_far(&best, self.floor.known());
        solution.found = Some(self.present(best.schedule.clone(), &solution, None));
        solve::complete(&mut solution, &self.compiled.plan);
        shelf.put(solution);
        Some(best)
    }

    /// What was made of the same schedule before is made use of.
    pub fn present(
        &self,
        schedule: Arc<Schedule>,
        solution: &Solution,
        former: Option<&Found>,
    ) -> Found {
        let Task { project, compiled, settings, .. } = *self;
        solve::present(project, compiled, settings.views, schedule, solution, former)
    }
}
