//! The search: propagate, decide, learn, jump back, start anew.

use crate::activity::Activity;
use crate::agenda::Agenda;
use crate::analysis::{Analysis, Reasons};
use crate::clauses::Clauses;
use crate::difference::Differences;
use crate::domains::{Cause, Conflict, Domains, EventId};
use crate::literal::{Lit, Var};
use crate::proof::Log;
use crate::propagator::{Propagator, View};

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every variable has a value, and every rule is kept: see [`Solver::min`].
    Solution,
    /// There is no solution at all.
    Infeasible,
    /// There is none in which all of these assumptions hold.
    Refuted(Vec<Lit>),
    /// The budget is spent. The search may be continued.
    Spent,
}

/// How a variable is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Early, by its activity in conflicts.
    Active,
    /// Only when no active one is left: to its least value. Those of a lower rank come first, and among
    /// equals those that were made first.
    Least(u8),
}

/// What the search has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Conflicts, each of which taught a clause.
    pub conflicts: u64,
    /// Choices.
    pub decisions: u64,
    /// Bounds that were set.
    pub propagations: u64,
    /// Starts.
    pub restarts: u64,
    /// All of that by what it takes: events, and the sizes of rules that were looked at.
    pub effort: u64,
}

/// When the search starts anew and when it forgets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Conflicts between two starts are this many times a term of Luby's sequence.
    pub(crate) restart: u64,
    /// Learned clauses before the next clearance.
    pub(crate) learned: usize,
    /// How many more before each further one.
    pub(crate) more: usize,
}

const LIMITS: Limits = Limits { restart: 100, learned: 4000, more: 500 };

/// Whole numbers, rules between them, and the search for values that keep all rules.
#[derive(Debug)]
pub struct Solver {
    pub(crate) domains: Domains,
    pub(crate) clauses: Clauses,
    pub(crate) differences: Differences,
    pub(crate) propagators: Vec<Box<dyn Propagator>>,
    /// For each side, the propagators that depend on it.
    pub(crate) wakes: Vec<Vec<u32>>,
    pub(crate) agenda: Agenda,
    pub(crate) activity: Activity,
    /// Variables that are decided last, by rank and in this sequence.
    pub(crate) passive: Vec<(u8, Var)>,
    /// Passive variables before this one have their values.
    pub(crate) decided: usize,
    /// The value that each variable is tried with first.
    pub(crate) phases: Vec<i64>,
    pub(crate) analysis: Analysis,
    /// How far the trail was propagated.
    head: usize,
    pub(crate) is_infeasible: bool,
    limits: Limits,
    counts: Counts,
    until_restart: u64,
    /// The assumptions of the last search.
    assumed: Vec<Lit>,
    pub(crate) truth: Option<Lit>,
    /// So many bounds of the trail are in the log.
    noted: usize,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// Nothing to solve yet.
    pub fn new() -> Solver {
        Solver {
            domains: Domains::default(),
            clauses: Clauses::default(),
            differences: Differences::default(),
            propagators: Vec::new(),
            wakes: Vec::new(),
            agenda: Agenda::default(),
            activity: Activity::new(),
            passive: Vec::new(),
            decided: 0,
            phases: Vec::new(),
            analysis: Analysis::default(),
            head: 0,
            is_infeasible: false,
            limits: LIMITS,
            counts: Counts::default(),
            until_restart: LIMITS.restart,
            assumed: Vec::new(),
            truth: None,
            noted: 0,
        }
    }

    /// From here on everything is written down. The log is complete if no rule was told before.
    pub fn log(&mut self, log: Box<dyn Log>) {
        self.analysis.log = Some(log);
    }

    /// The least value that is left of a variable; after a solution, its value.
    pub fn min(&self, var: Var) -> i64 {
        self.domains.min(var)
    }

    /// The largest value that is left.
    pub fn max(&self, var: Var) -> i64 {
        self.domains.max(var)
    }

    /// Whether the literal is true by now; after a solution, in it.
    pub fn is_true(&self, lit: Lit) -> bool {
        self.domains.is_true(lit)
    }

    /// What the search has done so far.
    pub fn counts(&self) -> Counts {
        let propagations = self.counts.propagations + self.domains.events.len() as u64;
        Counts { propagations, effort: self.counts.effort + propagations, ..self.counts }
    }

    /// What clauses take, in bytes.
    pub fn bytes(&self) -> usize {
        self.clauses.bytes()
    }

    /// The value that a variable is tried with first.
    pub fn suggest(&mut self, var: Var, value: i64) {
        self.phases[var.index()] = value;
    }

    /// Every variable is tried with its present value first: after a solution, near it.
    pub fn suggest_all(&mut self) {
        for number in 0..self.phases.len() {
            self.phases[number] = self.domains.min(Var::new(number));
        }
    }

    /// Takes all choices back.
    pub fn reset(&mut self) {
        if self.domains.level() > 0 {
            self.backtrack(0);
        }
    }

    /// Sets what follows without any choice. False if there is no solution.
    pub fn settle(&mut self) -> bool {
        self.reset();
        if !self.is_infeasible
            && let Err(conflict) = self.propagate()
        {
            self.give_up(Some(&conflict));
        }
        if self.is_infeasible {
            return false;
        }
        self.note_root();
        self.noted = 0;
        self.counts.propagations += self.domains.events.len() as u64;
        self.domains.forget_root();
        self.differences.forget_root();
        self.head = 0;
        true
    }

    /// Looks for a solution in which the assumptions hold, until `conflicts` more were met or `is_over` says
    /// so, which is asked now and then.
    pub fn search(
        &mut self,
        assumptions: &[Lit],
        conflicts: u64,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Outcome {
        // What was left at a spent budget is taken up where it was, if the same is asked again.
        let is_same = self.assumed == assumptions && !self.is_infeasible;
        let is_continued = is_same && self.domains.level() > 0;
        if !is_continued && !self.settle() {
            return Outcome::Infeasible;
        }
        assumptions.clone_into(&mut self.assumed);
        let last = self.counts.conflicts.saturating_add(conflicts);
        let mut rounds = 0_u32;
        loop {
            if let Err(conflict) = self.propagate() {
                // Not every rule sees a contradiction as soon as there is one.
                self.backtrack(self.level_of(&conflict));
                if self.domains.level() == 0 {
                    self.give_up(Some(&conflict));
                    return Outcome::Infeasible;
                }
                self.learn(&conflict);
                continue;
            }
            rounds = rounds.wrapping_add(1);
            if self.counts.conflicts >= last || rounds.is_multiple_of(256) && is_over() {
                return Outcome::Spent;
            }
            if self.is_restarting() {
                self.restart();
                if self.is_infeasible {
                    return Outcome::Infeasible;
                }
                continue;
            }
            let level = self.domains.level() as usize;
            if let Some(&assumed) = assumptions.get(level) {
                if self.domains.is_false(assumed) {
                    let core = self.core(assumed);
                    self.reset();
                    return Outcome::Refuted(core);
                }
                self.domains.begin_level();
                self.assume(assumed);
                continue;
            }
            match self.next() {
                None => return Outcome::Solution,
                Some(lit) => {
                    self.counts.decisions += 1;
                    self.domains.begin_level();
                    self.assume(lit);
                }
            }
        }
    }

    /// There is no solution.
    pub(crate) fn give_up(&mut self, conflict: Option<&Conflict>) {
        self.note_root();
        self.is_infeasible = true;
        let Solver { domains, clauses, differences, analysis, .. } = self;
        analysis.note_end(conflict, Reasons { domains, clauses, differences });
    }

    /// Writes down what follows without any choice: nobody explains it later.
    fn note_root(&mut self) {
        let Solver { domains, clauses, differences, analysis, .. } = self;
        if analysis.log.is_none() {
            return;
        }
        let reasons = Reasons { domains, clauses, differences };
        let mut reason = Vec::new();
        for (at, event) in domains.events.iter().enumerate().skip(self.noted) {
            if event.level > 0 {
                break;
            }
            let lit = event.side.at_most(event.bound);
            reason.clear();
            reasons.explain(lit, event.cause, Some(EventId::at(at)), &mut reason);
            analysis.note(lit, event.cause, &reason);
            self.noted = at + 1;
        }
    }

    fn assume(&mut self, lit: Lit) {
        let set = self.domains.set(lit, Cause::Decision);
        debug_assert!(set.is_ok(), "nobody decides what is false");
    }

    /// The assumptions that the assumption, which is false, contradicts.
    fn core(&mut self, assumed: Lit) -> Vec<Lit> {
        self.note_root();
        let Solver { domains, clauses, differences, analysis, .. } = self;
        let reasons = Reasons { domains, clauses, differences };
        let mut core = analysis.core(&Conflict::All(vec![!assumed]), reasons);
        core.push(assumed);
        if let Some(log) = &mut analysis.log {
            log.learned(&core.iter().map(|&lit| !lit).collect::<Vec<_>>());
        }
        core
    }

    fn is_restarting(&self) -> bool {
        self.until_restart == 0
    }

    fn restart(&mut self) {
        self.reset();
        self.counts.restarts += 1;
        self.until_restart = self.limits.restart * luby(self.counts.restarts + 1);
        if self.clauses.learned() > self.limits.learned && self.settle() {
            self.clauses.reduce(&self.domains);
            self.limits.learned += self.limits.more;
        }
    }

    /// The last level that the conflict depends on.
    fn level_of(&self, conflict: &Conflict) -> u32 {
        match conflict {
            Conflict::All(all) => {
                all.iter().map(|&lit| self.domains.level_of(lit)).max().unwrap_or(0)
            }
            Conflict::Clash(..) => self.domains.level(),
        }
    }

    fn learn(&mut self, conflict: &Conflict) {
        self.counts.conflicts += 1;
        self.until_restart = self.until_restart.saturating_sub(1);
        self.note_root();
        let Solver { domains, clauses, differences, analysis, .. } = self;
        let mut used = Vec::new();
        let lesson = analysis.learn(conflict, Reasons { domains, clauses, differences }, |cause| {
            if let Cause::Clause(clause) = cause {
                used.push(clause);
            }
        });
        used.into_iter().for_each(|clause| clauses.bump(clause));
        for k in 0..analysis.seen.len() {
            self.activity.bump(self.analysis.seen[k]);
        }
        self.activity.decay();
        self.clauses.decay();
        self.backtrack(lesson.level);
        let cause = match lesson.clause.as_slice() {
            [_] => Cause::Decision,
            all => Cause::Clause(self.clauses.add(all, lesson.glue.max(1))),
        };
        let set = self.domains.set(lesson.clause[0], cause);
        debug_assert!(set.is_ok(), "a learned clause becomes true where it is added");
    }

    fn backtrack(&mut self, level: u32) {
        let Solver { domains, activity, differences, counts, .. } = self;
        let mut first = domains.events.len();
        domains.backtrack(level, |event| {
            first -= 1;
            counts.propagations += 1;
            activity.put_back(event.side.var());
        });
        differences.undo(EventId::at(first));
        self.head = self.head.min(first);
        self.decided = 0;
        while self.agenda.pop().is_some() {}
    }

    fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            self.differences.propagate(&mut self.domains)?;
            if self.head < self.domains.events.len() {
                let at = self.head;
                self.differences.notice(at, &mut self.domains)?;
                let event = self.domains.events[at];
                self.clauses.propagate(&event, &mut self.domains)?;
                for &number in &self.wakes[event.side.index()] {
                    self.agenda.wake(number);
                }
                self.head += 1;
            } else if let Some(number) = self.agenda.pop() {
                self.counts.effort += self.propagators[number as usize].effort();
                let mut view = View { domains: &mut self.domains };
                self.propagators[number as usize].propagate(&mut view)?;
            } else {
                return Ok(());
            }
        }
    }

    /// The next choice; `None` if every variable has its value.
    fn next(&mut self) -> Option<Lit> {
        while let Some(var) = self.activity.pop() {
            if !self.domains.is_fixed(var) {
                return Some(self.choose(var, self.phases[var.index()]));
            }
        }
        while let Some(&(_, var)) = self.passive.get(self.decided) {
            if !self.domains.is_fixed(var) {
                return Some(var.at_most(self.domains.min(var)));
            }
            self.decided += 1;
        }
        None
    }

    fn choose(&mut self, var: Var, value: i64) -> Lit {
        let (min, max) = (self.domains.min(var), self.domains.max(var));
        let value = value.clamp(min, max);
        if value < max {
            if value > min {
                // It takes a second choice to fix it.
                self.activity.put_back(var);
            }
            var.at_most(value)
        } else {
            var.at_least(value)
        }
    }
}

/// What tests see and set.
#[cfg(test)]
impl Solver {
    pub(crate) fn limit(&mut self, limits: Limits) {
        self.limits = limits;
        self.until_restart = limits.restart;
    }

    /// Clauses of the problem and learned ones.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses.all()
    }
}

/// 1 1 2 1 1 2 4 … (Luby, Sinclair, Zuckerman 1993), from 1 on.
fn luby(mut at: u64) -> u64 {
    loop {
        let size = u64::BITS - at.leading_zeros();
        if at == (1 << size) - 1 {
            return 1 << (size - 1);
        }
        at -= (1 << (size - 1)) - 1;
    }
}
