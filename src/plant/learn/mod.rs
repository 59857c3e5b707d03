//! From a plan to schedules and bounds, by a search that learns from its conflicts.
//!
//! Takes a plan; gives jobs, better and better ones, and a bound that rises until it meets the best of them.
//! Every construct of plans is encoded exactly (`steps.rs`, `pools.rs`, `setups.rs`, `objective.rs`): the
//! solutions of the encoding are the schedules of the plan up to its horizon, and the objective's variable is
//! at least what the schedule is worth, with equality for some solution of every schedule. So a value that is
//! refuted is no schedule's. Heuristics play no part: they only take schedules away.

mod cores;
mod crews;
mod encoding;
mod neighbourhood;
mod objective;
mod pools;
mod segments;
mod sequel;
mod setups;
mod steps;
mod symmetry;

use crate::plan::Plan;
use crate::timetable::{self, Jobs};
use cores::{Cores, Step};
use encoding::{Encoding, Paid};
use neighbourhood::Neighbourhoods;
use takt_learn::{Counts, Lit, Outcome};

/// What a turn of the search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A schedule that is better than all known ones, and its value.
    Schedule(i64, Jobs),
    /// No schedule is better than this.
    Bound(i64),
    /// No schedule is better than the best that is known; or none is known, and there is none.
    Complete,
    /// The budget is spent.
    Spent,
}

/// What a search is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Schedules that are better than what is known, until there are none.
    Better,
    /// A bound that rises.
    Bound,
    /// Both, in turns.
    Both,
}

/// For how many conflicts a better schedule is looked for before the bound is raised again, and the other way
/// round.
const IMPROVING: u64 = 3000;
const REFUTING: u64 = 1000;

/// For how many conflicts neighbourhoods of the best schedule are searched in between: as long as they bring something, and half as
/// long after each time that they do not, but no less than so, near a proof and far from it; and for how many each of them.
const REPAIRING: u64 = 6000;
const LEAST_NEAR: u64 = 100;
const LEAST_FAR: u64 = 3000;
const EACH: u64 = 200;

/// What is done by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Improving,
    Repairing,
    Refuting,
}

/// A neighbourhood that is being searched.
#[derive(Debug)]
struct Repair {
    fixed: Vec<Lit>,
    /// For so many more conflicts.
    left: u64,
}

/// A search that can be continued.
#[derive(Debug)]
pub struct Learner<'p> {
    plan: &'p Plan,
    aim: Aim,
    encoding: Encoding,
    /// The value of the best schedule that is known.
    known: Option<i64>,
    /// No schedule is better.
    bound: i64,
    /// How far above the bound the next refutation is tried.
    reach: i64,
    /// Where the objective is a sum, the bound is raised by cores as well. Who does not bring anything gives way to
    /// the other.
    cores: Option<Cores>,
    is_by_cores: bool,
    /// Whether the bound has risen since the last change.
    has_risen: bool,
    /// Phases take turns: which of them it is by now, and for how many more conflicts.
    phase: Phase,
    left: u64,
    /// The best schedule that is known, and its neighbourhoods.
    best: Option<Jobs>,
    neighbourhoods: Neighbourhoods,
    repair: Option<Repair>,
    repairing: u64,
    is_complete: bool,
}

impl<'p> Learner<'p> {
    /// `None` where the plan is too large to be written out; for the bound alone, which is the second
    /// time mostly, it has to be smaller.
    pub fn new(plan: &'p Plan, aim: Aim) -> Option<Learner<'p>> {
        if aim == Aim::Bound && encoding::size(plan) > encoding::MOST_PAIRS / 4 {
            return None;
        }
        let mut encoding = Encoding::of(plan)?;
        let is_complete = plan.conflict.is_some() || !encoding.solver.settle();
        let bound = encoding.objective.map_or(0, |objective| encoding.solver.min(objective));
        let Paid { terms, fixed } = &encoding.paid;
        let neighbourhoods = Neighbourhoods::new(&encoding);
        let cores = (terms.len() > 1 && aim != Aim::Better)
            .then(|| Cores::new(&encoding.solver, terms, *fixed));
        Some(Learner {
            plan,
            aim,
            encoding,
            known: None,
            bound,
            reach: 0,
            is_by_cores: cores.is_some(),
            cores,
            has_risen: false,
            phase: Phase::Improving,
            left: 0,
            best: None,
            neighbourhoods,
            repair: None,
            repairing: LEAST_NEAR,
            is_complete,
        })
    }

    /// No schedule is better than this.
    pub fn bound(&self) -> i64 {
        self.bound
    }

    /// What the search has done so far.
    pub fn counts(&self) -> Counts {
        self.encoding.solver.counts()
    }

    /// Somebody has found a schedule: only better ones count from here on, and those like it are tried first.
    pub fn adopt(&mut self, value: i64, jobs: &Jobs) {
        if self.known.is_none_or(|known| value < known) {
            let jobs = self.encoding.in_sequence(self.plan, jobs);
            self.encoding.suggest(&jobs);
            self.encoding.suggest_setups(self.plan, &jobs);
            self.keep(value, jobs);
        }
    }

    /// Somebody has proved that no schedule is better than this.
    pub fn raise(&mut self, bound: i64) {
        if let Some(objective) = self.encoding.objective.filter(|_| bound > self.bound) {
            self.bound = bound;
            self.has_risen = true;
            self.encoding.solver.clause([objective.at_least(bound)]);
        }
    }

    /// What was done so far, as about so many microseconds.
    pub fn effort(&self) -> u64 {
        self.counts().effort / 4
    }

    /// Searches until something is found or about so much effort was spent.
    pub fn advance(&mut self, effort: u64, is_over: &mut dyn FnMut() -> bool) -> Turn {
        if self.is_complete {
            return Turn::Complete;
        }
        if self.left == 0 {
            self.change();
        }
        let before = self.counts().conflicts;
        let conflicts = (before + 1).saturating_mul(effort) / (self.effort() + 1);
        let turn = self.search(conflicts.clamp(1, self.left), is_over);
        self.left = self.left.saturating_sub((self.counts().conflicts - before).max(1));
        turn
    }

    /// The next phase.
    fn change(&mut self) {
        self.phase = match (self.phase, self.aim) {
            (_, Aim::Bound) => Phase::Refuting,
            (Phase::Improving, _) => Phase::Repairing,
            (Phase::Repairing, Aim::Both) => Phase::Refuting,
            _ => Phase::Improving,
        };
        self.left = match self.phase {
            Phase::Improving => IMPROVING,
            Phase::Refuting => REFUTING,
            Phase::Repairing => {
                let left = self.repairing;
                let least = if self.is_near() { LEAST_NEAR } else { LEAST_FAR };
                self.repairing = (left / 2).max(least);
                left
            }
        };
        if self.phase == Phase::Refuting && !std::mem::take(&mut self.has_risen) {
            self.is_by_cores = !self.is_by_cores && self.cores.is_some();
        }
    }

    /// Whether the bound is within a tenth of the best value: then a proof is near, and takes all there is.
    fn is_near(&self) -> bool {
        self.known.is_none_or(|known| known - self.bound <= known / 10)
    }

    fn search(&mut self, conflicts: u64, is_over: &mut dyn FnMut() -> bool) -> Turn {
        if self.phase == Phase::Repairing
            && let Some(best) = self.best.as_ref().filter(|_| self.plan.step_count() > 0)
        {
            let repair = self.repair.take().unwrap_or_else(|| {
                let fixed = self.neighbourhoods.next(self.plan, &self.encoding, best);
                Repair { fixed, left: EACH }
            });
            return self.mend(repair, conflicts, is_over);
        }
        if self.phase == Phase::Refuting
            && self.is_by_cores
            && let Some(cores) = &mut self.cores
        {
            let step = cores.advance(&mut self.encoding.solver, conflicts, is_over);
            let bound = cores.bound();
            return self.take_step(step, bound);
        }
        let target = self.target();
        let assumed: Vec<_> = target
            .zip(self.encoding.objective)
            .map(|(target, objective)| objective.at_most(target))
            .or_else(|| self.cut())
            .into_iter()
            .collect();
        match self.encoding.solver.search(&assumed, conflicts, is_over) {
            Outcome::Solution => self.take_solution(),
            Outcome::Infeasible => self.complete(),
            Outcome::Refuted(_) => match target {
                Some(refuted) => {
                    self.reach = (self.reach * 2).max(1);
                    self.raise(refuted + 1);
                    Turn::Bound(self.bound)
                }
                None => self.complete(),
            },
            Outcome::Spent => {
                if target.is_some() && conflicts >= self.left {
                    self.reach /= 2;
                }
                Turn::Spent
            }
        }
    }

    /// Searches a neighbourhood of the best schedule.
    fn mend(&mut self, repair: Repair, conflicts: u64, is_over: &mut dyn FnMut() -> bool) -> Turn {
        let before = self.counts().conflicts;
        let assumed: Vec<Lit> = self.cut().into_iter().chain(repair.fixed.clone()).collect();
        let solver = &mut self.encoding.solver;
        let outcome = solver.search(&assumed, conflicts.min(repair.left), is_over);
        let left = repair.left.saturating_sub(self.counts().conflicts - before);
        match outcome {
            Outcome::Solution => {
                self.repairing = REPAIRING;
                self.take_solution()
            }
            Outcome::Infeasible => self.complete(),
            Outcome::Refuted(_) => {
                self.neighbourhoods.grow();
                Turn::Spent
            }
            Outcome::Spent if left == 0 => {
                self.neighbourhoods.shrink();
                Turn::Spent
            }
            Outcome::Spent => {
                self.repair = Some(Repair { left, ..repair });
                Turn::Spent
            }
        }
    }

    fn take_step(&mut self, step: Step, bound: i64) -> Turn {
        let is_met = self.known.is_some_and(|known| bound >= known);
        match step {
            Step::Infeasible => self.complete(),
            Step::Solution | Step::Next if is_met => self.complete(),
            // Cores know nothing of what is known.
            Step::Solution => self.take_solution(),
            Step::Next if bound > self.bound => {
                self.raise(bound);
                Turn::Bound(bound)
            }
            Step::Next | Step::Spent => Turn::Spent,
        }
    }

    fn complete(&mut self) -> Turn {
        self.is_complete = true;
        Turn::Complete
    }

    /// Only schedules that are better than what is known count. Who looks for cores assumes that, as cores would say
    /// little otherwise.
    fn cut(&self) -> Option<Lit> {
        self.cores.as_ref()?;
        let objective = self.encoding.objective?;
        self.known.map(|known| objective.at_most(known - 1))
    }

    /// The value just above the bound that is to be refuted, so that the bound rises.
    fn target(&self) -> Option<i64> {
        let known = self.known?;
        let target = self.bound.saturating_add(self.reach);
        (self.phase == Phase::Refuting && target < known - 1).then_some(target)
    }

    fn take_solution(&mut self) -> Turn {
        let jobs = self.encoding.jobs(self.plan);
        debug_assert_eq!(timetable::check(self.plan, &jobs), Ok(()));
        let value = timetable::value(self.plan, &jobs);
        debug_assert!(
            self.encoding.objective.is_none_or(|o| self.encoding.solver.min(o) >= value),
            "a schedule is worth no more than its encoding says"
        );
        if self.known.is_some_and(|known| value >= known) {
            return Turn::Spent;
        }
        self.encoding.solver.suggest_all();
        self.keep(value, jobs.clone());
        Turn::Schedule(value, jobs)
    }

    /// Only better ones count from here on.
    fn keep(&mut self, value: i64, jobs: Jobs) {
        self.known = Some(value);
        self.best = Some(jobs);
        self.repair = None;
        match self.encoding.objective {
            Some(_) if self.cores.is_some() => {}
            Some(objective) => self.encoding.solver.clause([objective.at_most(value - 1)]),
            // Any schedule will do.
            None => self.is_complete = true,
        }
    }
}
