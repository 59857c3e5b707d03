//! One rule by itself, with bounds that are set and taken back at random. After every step:
//!
//! - No values that keep the rule are lost.
//! - What was set follows from its reason and the rule alone, and the reason was true before.
//! - A conflict's literals are true and contradict each other under the rule.
//! - Unless what it says is said by other rules too: one of a conflict's literals is of the last choice, and where
//!   every variable has its value, the rule is kept.

use super::judge::{Ranges, Rule, holds, solutions};
use crate::analysis::Reasons;
use crate::clauses::Clauses;
use crate::difference::{Differences, Edge};
use crate::domains::{Cause, Conflict, Domains, EdgeId, EventId};
use crate::literal::{Lit, Var};
use crate::propagator::{Propagator, View};
use takt_testing::Random;

/// What is tried.
pub(super) enum Subject {
    Propagator(Box<dyn Propagator>),
    /// What it says is said by other rules too.
    Redundant(Box<dyn Propagator>),
    Differences(Box<Differences>),
}

pub(super) struct Bench {
    ranges: Ranges,
    rules: Vec<Rule>,
    /// All values that keep the rules.
    solutions: Vec<Vec<i64>>,
    subject: Subject,
    domains: Domains,
    differences: Differences,
    /// How far the subject has looked at the trail.
    head: usize,
    is_new: bool,
    /// Broken before any choice.
    is_broken: bool,
    pub(super) tally: Tally,
}

/// What was looked at: bounds that were set for a reason, and conflicts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) events: usize,
    pub(super) conflicts: usize,
}

impl Bench {
    pub(super) fn new(ranges: &Ranges, rules: Vec<Rule>, subject: Subject) -> Bench {
        let mut domains = Domains::default();
        for &(least, most) in ranges {
            domains.add(least, most);
        }
        let solutions = solutions(ranges, &rules);
        let ranges = ranges.clone();
        let differences = Differences::default();
        let (head, is_new, is_broken, tally) = (0, true, false, Tally::default());
        Bench {
            ranges,
            rules,
            solutions,
            subject,
            domains,
            differences,
            head,
            is_new,
            is_broken,
            tally,
        }
    }

    /// How many values keep the rules.
    pub(super) fn solutions(&self) -> usize {
        self.solutions.len()
    }

    /// Sets bounds that follow of the rules without any choice.
    pub(super) fn begin(&mut self, bounds: &[Lit]) {
        let is_lost = |values: &Vec<i64>| bounds.iter().any(|&lit| !holds(lit, values));
        assert!(!self.solutions.iter().any(is_lost), "{bounds:?} do not follow");
        self.is_broken = !bounds.iter().all(|&lit| self.domains.set(lit, Cause::Decision).is_ok());
    }

    /// Sets bounds at random and takes them back, so many times.
    pub(super) fn walk(&mut self, r: &mut Random, steps: usize) {
        if self.is_broken || self.step(None).is_err() {
            return;
        }
        for _ in 0..steps {
            let open: Vec<Var> = (0..self.ranges.len())
                .map(Var::new)
                .filter(|&var| !self.domains.is_fixed(var))
                .collect();
            let is_stuck = open.is_empty() || {
                let choice = self.choice(*r.pick(&open), r);
                self.domains.begin_level();
                self.step(Some(choice)).is_err()
            };
            if is_stuck {
                let level = self.domains.level();
                if level == 0 {
                    return;
                }
                self.take_back(r.within(0, i64::from(level) - 1) as u32);
            }
        }
    }

    fn choice(&self, var: Var, r: &mut Random) -> Lit {
        let (min, max) = (self.domains.min(var), self.domains.max(var));
        match r.percent(50) {
            true => var.at_most(r.within(min, max - 1)),
            false => var.at_least(r.within(min + 1, max)),
        }
    }

    fn take_back(&mut self, level: u32) {
        let mut first = self.domains.events.len();
        self.domains.backtrack(level, |_| first -= 1);
        if let Subject::Differences(differences) = &mut self.subject {
            differences.undo(EventId::at(first));
        }
        self.head = self.head.min(first);
    }

    /// Sets the choice and what follows, and looks at all of it.
    fn step(&mut self, choice: Option<Lit>) -> Result<(), ()> {
        if let Some(choice) = choice {
            self.domains.set(choice, Cause::Decision).expect("the choice is open");
        }
        let former: Vec<_> = self.bounds();
        let from = self.domains.events.len();
        let result = self.propagate();
        (from..self.domains.events.len()).for_each(|at| self.check_event(at));
        self.tally.events += self.domains.events.len() - from;
        self.tally.conflicts += usize::from(result.is_err());
        let is_within = |values: &[i64], bounds: &[(i64, i64)]| {
            values.iter().zip(bounds).all(|(value, bound)| (bound.0..=bound.1).contains(value))
        };
        let now = self.bounds();
        for values in self.solutions.iter().filter(|values| is_within(values, &former)) {
            assert!(result.is_ok(), "{values:?} keep {:?}, yet {result:?}", self.rules);
            assert!(is_within(values, &now), "{values:?} keep {:?} and are lost", self.rules);
        }
        match result {
            Err(conflict) => {
                self.check_conflict(&conflict);
                Err(())
            }
            Ok(()) => {
                let is_redundant = matches!(self.subject, Subject::Redundant(_));
                if !is_redundant && now.iter().all(|bound| bound.0 == bound.1) {
                    let values: Vec<_> = now.iter().map(|bound| bound.0).collect();
                    assert!(self.solutions.contains(&values), "{values:?} break {:?}", self.rules);
                }
                Ok(())
            }
        }
    }

    fn bounds(&self) -> Vec<(i64, i64)> {
        let vars = (0..self.ranges.len()).map(Var::new);
        vars.map(|var| (self.domains.min(var), self.domains.max(var))).collect()
    }

    /// Wakes the subject as the solver does, until nothing changes.
    fn propagate(&mut self) -> Result<(), Conflict> {
        let Bench { subject, domains, head, is_new, .. } = self;
        match subject {
            Subject::Propagator(propagator) | Subject::Redundant(propagator) => loop {
                let is_woken = |side| propagator.sides().contains(&side);
                let is_due = domains.events[*head..].iter().any(|event| is_woken(event.side));
                *head = domains.events.len();
                if !std::mem::take(is_new) && !is_due {
                    return Ok(());
                }
                propagator.propagate(&mut View { domains })?;
            },
            Subject::Differences(differences) => loop {
                differences.propagate(domains)?;
                if *head == domains.events.len() {
                    return Ok(());
                }
                differences.notice(*head, domains)?;
                *head += 1;
            },
        }
    }

    /// Why the literal was set, and the values that keep the rule which set it.
    fn explain(&self, lit: Lit, cause: Cause, at: Option<EventId>) -> (Vec<Lit>, Vec<Vec<i64>>) {
        let differences = match &self.subject {
            Subject::Differences(differences) => differences,
            _ => &self.differences,
        };
        let clauses = &Clauses::default();
        let mut reason = Vec::new();
        let reasons = Reasons { domains: &self.domains, clauses, differences };
        reasons.explain(lit, cause, at, &mut reason);
        let edge = |id: EdgeId| {
            let &Edge { source, target, weight, active } = differences.edge(id);
            let rule = Rule::Below { target, source, weight, condition: active };
            solutions(&self.ranges, &[rule])
        };
        let kept = match cause {
            Cause::Edge(id) | Cause::Unfit(id) => edge(id),
            _ => self.solutions.clone(),
        };
        (reason, kept)
    }

    fn check_event(&self, at: usize) {
        let (id, event) = (EventId::at(at), self.domains.events[at]);
        assert_ne!(event.cause, Cause::Decision, "a rule decides nothing");
        // Whoever asks may ask for less than was set.
        for bound in event.bound..event.before.min(event.bound + 3) {
            let lit = event.side.at_most(bound);
            let (reason, kept) = self.explain(lit, event.cause, Some(id));
            for &other in &reason {
                let since = self.domains.since(other);
                assert!(self.domains.is_true(other), "{other:?} is no reason: it is not true");
                assert!(since == EventId::NONE || since < id, "{other:?} came after {lit:?}");
            }
            for values in kept.iter().filter(|values| reason.iter().all(|&l| holds(l, values))) {
                let rules = &self.rules;
                assert!(
                    holds(lit, values),
                    "{reason:?} do not imply {lit:?}: {values:?} {rules:?}"
                );
            }
        }
    }

    fn check_conflict(&self, conflict: &Conflict) {
        let (all, kept) = match conflict {
            Conflict::All(all) => (all.clone(), self.solutions.clone()),
            &Conflict::Clash(lit, cause) => {
                let (mut all, kept) = self.explain(lit, cause, None);
                all.push(!lit);
                (all, kept)
            }
        };
        for &lit in &all {
            assert!(self.domains.is_true(lit), "{lit:?} of {conflict:?} is not true");
        }
        for values in &kept {
            let is_contradicted = all.iter().any(|&lit| !holds(lit, values));
            assert!(is_contradicted, "{conflict:?} is none: {values:?} {:?}", self.rules);
        }
        if matches!(self.subject, Subject::Redundant(_)) {
            return;
        }
        let level = |lit: &Lit| {
            let since = self.domains.since(*lit);
            if since == EventId::NONE { 0 } else { self.domains.event(since).level }
        };
        let last = all.iter().map(level).max().unwrap_or(0);
        assert_eq!(last, self.domains.level(), "{conflict:?} came late {:?}", self.rules);
    }
}
