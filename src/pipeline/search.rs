//! Looks for the best schedule of a compiled plan and for the proof that it is the best.
//!
//! Every schedule, wherever it comes from, runs through the automata, heuristics included, and
//! past the validator before it counts. Bounds come from the plan and, as long as no heuristic may
//! have cut better schedules, from the search.

use super::fault;
use super::project::Project;
use super::solve::{
    self, Compiled, Engine, Failed, Reason, Settings, Solution, Status, disagreement,
};
use crate::bound;
use crate::engine::{
    self, Answer, Control, Estimate, Extremum, Options, Order, Progress, Stop, Verdict,
};
use crate::improve;
use crate::lift::{self, Jobs};
use crate::lower::Templates;
use crate::model::{Objective, Query};
use crate::schedule::Schedule;
use crate::spec;
use std::ops::ControlFlow;

/// A schedule that passed, and what it is worth.
struct Incumbent {
    schedule: Schedule,
    value: Option<i64>,
}

pub fn best(
    project: &Project,
    templates: &Templates,
    compiled: &Compiled,
    settings: Settings,
    control: &dyn Control,
) -> Result<Solution, Failed> {
    let floor = bound::floor(&compiled.plan);
    let scale = match compiled.plan.objective {
        spec::Objective::Cost => compiled.plan.cost_scale,
        _ => 1,
    };
    let control = &Scaled { control, scale };
    let hunt = Hunt { project, templates, compiled, settings, control, floor };
    let is_restricted = compiled.plan.heuristics.iter().any(|heuristic| !heuristic.is_safe);
    let mut solution = hunt.search()?;
    if is_restricted {
        hunt.admit_restriction(&mut solution)?;
    }
    Ok(solution)
}

/// How many changes are tried on schedules before the automata are searched.
const ROUNDS: u64 = 20_000;

struct Hunt<'h> {
    project: &'h Project,
    templates: &'h Templates,
    compiled: &'h Compiled,
    settings: Settings,
    control: &'h dyn Control,
    /// No schedule is better than this, with heuristics or without, as the plan tells.
    floor: Option<i64>,
}

impl Hunt<'_> {
    /// The best that the automata as compiled allow.
    fn search(&self) -> Result<Solution, Failed> {
        // Automata of the user's own say themselves what they allow.
        let incumbent = match self.settings.engine {
            Engine::Auto if !self.templates.is_replaced() => self.guess(),
            _ => None,
        };
        if let Some(incumbent) = incumbent.as_ref().filter(|found| self.is_enough(found)) {
            let mut solution = Solution::without(Status::Optimal);
            (solution.value, solution.bound) = (incumbent.value, incumbent.value);
            solution.found = Some(self.present(incumbent, &solution));
            return Ok(solution);
        }
        let known = incumbent.as_ref().and_then(|incumbent| incumbent.value);
        let answer = self.ask(known)?;
        let better = match &answer.trace {
            Some(_) => Some(self.accept(&answer)?),
            None => None,
        };
        let best = better.or(incumbent);
        let mut solution = outcome(&answer, best.as_ref());
        solution.bound = solution.bound.max(self.floor);
        solution.found = best.map(|best| self.present(&best, &solution));
        Ok(solution)
    }

    /// A schedule made without the automata, if they accept it.
    fn guess(&self) -> Option<Incumbent> {
        let options =
            improve::Options { seed: self.settings.seed, floor: self.floor, rounds: ROUNDS };
        let mut keeper = Keeper { hunt: self, last: None, best: None };
        improve::search(&self.compiled.plan, &options, &mut keeper);
        keeper.settle();
        keeper.best
    }

    /// Nothing better is possible, as the plan alone tells.
    fn is_enough(&self, incumbent: &Incumbent) -> bool {
        match (incumbent.value, self.floor) {
            (None, _) => true,
            (Some(value), Some(floor)) => value <= floor,
            (Some(_), None) => false,
        }
    }

    fn ask(&self, known: Option<i64>) -> Result<Answer, Failed> {
        let Compiled { plan, lowered, model, goal } = self.compiled;
        let options = Options {
            order: Some(Order::Diving),
            seed: self.settings.seed,
            known,
            ..Options::default()
        };
        let answer = match goal {
            Query::Infimum { within, of: Objective::Clock(now, _) } => {
                let mut estimate = plan.is_plain().then(|| bound::estimate(plan, lowered, model));
                let estimate = estimate.as_mut().map(|estimate| estimate as &mut dyn Estimate);
                engine::earliest(model, within, *now, estimate, &options, self.control)
            }
            _ => {
                let options = match plan.objective {
                    spec::Objective::Feasible => Options { order: Some(Order::Dfs), ..options },
                    _ => options,
                };
                engine::check(model, std::slice::from_ref(goal), &options, self.control)
                    .map(|mut all| all.pop().expect("one query has one answer"))
            }
        };
        // A compiled model leaves no range; only replaced templates can.
        answer.map_err(|failure| Failed::Input(fault::diagnose(model, &failure).into()))
    }

    /// The schedule of a trace, replayed and validated.
    fn accept(&self, answer: &Answer) -> Result<Incumbent, Failed> {
        let wrong = |why: String| disagreement(self.templates, why);
        let schedule = solve::schedule(self.compiled, answer).map_err(wrong)?;
        let incumbent = self.examine(schedule).map_err(wrong)?;
        match (incumbent.value, answer.value) {
            // Steps may have moved to the left since.
            (Some(found), Some(Extremum::Finite { value, .. })) if found > value => {
                Err(wrong(format!("the automata give {found}, not {value}")))
            }
            _ => Ok(incumbent),
        }
    }

    fn examine(&self, schedule: Schedule) -> Result<Incumbent, String> {
        let value = solve::replay(self.compiled, &schedule)?;
        solve::check(self.project, &schedule, value, self.compiled.plan.cost_scale)?;
        Ok(Incumbent { schedule, value })
    }

    fn present(&self, best: &Incumbent, solution: &Solution) -> solve::Found {
        solve::present(self.project, self.compiled, best.schedule.clone(), solution)
    }

    /// Heuristics that may cut an optimum: the proof covers only what they keep, and where they
    /// keep nothing, the search is repeated without them.
    fn admit_restriction(&self, solution: &mut Solution) -> Result<(), Failed> {
        solution.bound = self.floor;
        let is_met = solution.value.is_some() && solution.value <= self.floor;
        match solution.status {
            Status::Optimal if solution.value.is_some() && !is_met => {
                solution.status = Status::Restricted;
            }
            Status::Infeasible => {
                let free = solve::unrestricted(&self.compiled.plan, self.templates);
                let free = free.map_err(Failed::Input)?;
                let answer = Hunt { compiled: &free, ..*self }.ask(None)?;
                solution.explored += answer.explored;
                solution.stored += answer.stored;
                solution.stopped = answer.stopped;
                if answer.verdict != Verdict::Violated {
                    solution.status = Status::Unknown;
                    solution.reason = Some(Reason::new(self.blame()));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn blame(&self) -> String {
        let unsafe_ones = self.compiled.plan.heuristics.iter().filter(|h| !h.is_safe);
        let names: Vec<String> = unsafe_ones.map(|h| format!("`{}`", h.rule.name())).collect();
        let (names, verb) = (names.join(", "), if names.len() == 1 { "keeps" } else { "keep" });
        format!("{names} {verb} no schedule; without that there may be some")
    }
}

/// Tells that values are prices in small coins.
struct Scaled<'c> {
    control: &'c dyn Control,
    scale: i64,
}

impl Control for Scaled<'_> {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        self.control.poll(&Progress { scale: self.scale, ..*progress })
    }

    fn improved(&self, progress: &Progress) {
        self.control.improved(&Progress { scale: self.scale, ..*progress });
    }

    fn answered(&self, queries: &[usize]) {
        self.control.answered(queries);
    }
}

/// Takes schedules as they are found. Without heuristics the automata accept all that the plan
/// does, so only the last one has to be replayed; with them each has.
struct Keeper<'k, 'h> {
    hunt: &'k Hunt<'h>,
    last: Option<Jobs>,
    best: Option<Incumbent>,
}

impl Keeper<'_, '_> {
    fn settle(&mut self) {
        let Some(jobs) = self.last.take() else { return };
        let Compiled { plan, lowered, model, .. } = self.hunt.compiled;
        let examined = self.hunt.examine(lift::settle(plan, lowered, model, jobs));
        debug_assert!(
            examined.is_ok() || !plan.heuristics.is_empty(),
            "the plan's own schedule is refused: {:?}",
            examined.err()
        );
        self.best = examined.ok().or(self.best.take());
    }
}

impl improve::Watch for Keeper<'_, '_> {
    fn is_over(&mut self) -> bool {
        self.hunt.control.poll(&Progress::default()).is_break()
    }

    fn found(&mut self, value: i64, jobs: &Jobs) -> bool {
        self.last = Some(jobs.clone());
        if !self.hunt.compiled.plan.heuristics.is_empty() {
            self.settle();
            if self.best.as_ref().is_none_or(|best| best.value.is_some_and(|v| v > value)) {
                return false;
            }
        }
        let (best, bound) = (Some(value), self.hunt.floor);
        self.hunt.control.improved(&Progress { best, bound, ..Progress::default() });
        true
    }
}

fn outcome(answer: &Answer, best: Option<&Incumbent>) -> Solution {
    let status = match (answer.verdict, best) {
        (Verdict::Satisfied, _) | (Verdict::Violated, Some(_)) => Status::Optimal,
        (Verdict::Violated, None) => Status::Infeasible,
        (Verdict::Unknown, Some(_)) => Status::Feasible,
        (Verdict::Unknown, None) => Status::Unknown,
    };
    Solution {
        value: best.and_then(|best| best.value),
        bound: answer.bound,
        explored: answer.explored,
        stored: answer.stored,
        stopped: answer.stopped,
        ..Solution::without(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(verdict: Verdict, bound: Option<i64>) -> Answer {
        Answer {
            verdict,
            value: None,
            bound,
            explored: 0,
            stored: 0,
            trace: None,
            assumes_remaining: false,
            stopped: None,
        }
    }

    #[test]
    fn a_limit_keeps_the_best_schedule_so_far() {
        let best = Incumbent { schedule: Schedule::default(), value: Some(60) };
        let solution = outcome(&answer(Verdict::Unknown, Some(50)), Some(&best));
        assert_eq!(solution.status, Status::Feasible);
        assert_eq!((solution.value, solution.bound), (Some(60), Some(50)));
        let solution = outcome(&answer(Verdict::Unknown, Some(50)), None);
        assert_eq!(solution.status, Status::Unknown);
        assert_eq!((solution.value, solution.bound), (None, Some(50)));
    }

    #[test]
    fn nothing_better_is_a_proof_for_what_is_known() {
        let best = Incumbent { schedule: Schedule::default(), value: Some(60) };
        let solution = outcome(&answer(Verdict::Violated, Some(60)), Some(&best));
        assert_eq!((solution.status, solution.bound), (Status::Optimal, Some(60)));
        assert_eq!(outcome(&answer(Verdict::Violated, None), None).status, Status::Infeasible);
    }
}
