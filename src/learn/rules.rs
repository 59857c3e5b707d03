//! What a solver is told: variables, clauses, differences, and rules with propagators of their own.

use crate::cumulative::{Cumulative, Task};
use crate::difference::Edge;
use crate::disjunctive::{Disjunctive, Span};
use crate::domains::Cause;
use crate::linear::Linear;
use crate::literal::{Lit, Point, Side, Var};
use crate::propagator::Propagator;
use crate::solver::{Choice, Solver};
use crate::timing::Timing;

impl Solver {
    /// A variable with values from `least` to `most`.
    pub fn variable(&mut self, least: i64, most: i64, choice: Choice) -> Var {
        let var = self.domains.add(least, most.max(least));
        self.is_infeasible |= least > most;
        let sides = self.domains.len() * 2;
        self.clauses.grow(sides);
        self.differences.grow(sides);
        self.analysis.grow(sides);
        self.wakes.resize_with(sides, Vec::new);
        self.activity.add(var, choice != Choice::Active);
        if let Choice::Least(rank) = choice {
            let at = self.passive.partition_point(|other| other.0 <= rank);
            self.passive.insert(at, (rank, var));
            self.decided = self.decided.min(at);
        }
        self.phases.push(least);
        var
    }

    /// A literal that may be true or false.
    pub fn boolean(&mut self) -> Lit {
        self.variable(0, 1, Choice::Active).at_least(1)
    }

    /// A literal that is true.
    pub fn truth(&mut self) -> Lit {
        if let Some(truth) = self.truth {
            return truth;
        }
        let truth = self.variable(1, 1, Choice::Active).at_least(1);
        self.truth = Some(truth);
        truth
    }

    /// At least one of these is true.
    pub fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.reset();
        let mut all: Vec<Lit> = Vec::new();
        for lit in literals {
            if self.domains.is_true(lit) || all.contains(&!lit) {
                return;
            }
            if self.domains.is_false(lit) {
                continue;
            }
            match all.iter_mut().find(|other| other.side == lit.side) {
                Some(other) => other.bound = other.bound.max(lit.bound),
                None => all.push(lit),
            }
        }
        match all.as_slice() {
            [] => self.give_up(None),
            [lit] => self.is_infeasible |= self.domains.set(*lit, Cause::Decision).is_err(),
            all => drop(self.clauses.add(all, 0)),
        }
    }

    /// `x + gap <= y`, where `condition` holds if there is one.
    pub fn before(
        &mut self,
        x: impl Into<Point>,
        gap: i64,
        y: impl Into<Point>,
        condition: Option<Lit>,
    ) {
        let (x, y) = (x.into(), y.into());
        let gap = gap + x.offset - y.offset;
        self.below(x.var.upper(), y.var.upper(), -gap, condition);
    }

    /// `target <= source + weight`, where `condition` holds if there is one. Sides may be mixed: a sum of two
    /// variables is a difference of a side and a mirrored one.
    pub fn below(&mut self, target: Side, source: Side, weight: i64, condition: Option<Lit>) {
        self.reset();
        let active = match condition {
            Some(lit) if self.domains.is_false(lit) => return,
            Some(lit) if !self.domains.is_true(lit) => Some(lit),
            _ => None,
        };
        if target == source {
            if weight < 0 {
                // Without a condition nothing is left: say so of any bound that is true.
                let least = source.mirror().at_most(self.domains.bound(source.mirror()));
                self.infer([], !active.unwrap_or(least));
            }
            return;
        }
        self.differences.add(Edge { source, target, weight, active });
        // What is bounded already: whoever adds a rule sets what follows from it at once.
        let (upper, mirror) = (self.domains.bound(source), self.domains.bound(target.mirror()));
        match active {
            None => {
                self.infer([source.at_most(upper)], target.at_most(upper + weight));
                self.infer(
                    [target.mirror().at_most(mirror)],
                    source.mirror().at_most(mirror + weight),
                );
            }
            Some(lit) if upper + weight + mirror < 0 => {
                self.infer([source.at_most(upper), target.mirror().at_most(mirror)], !lit);
            }
            Some(_) => {}
        }
    }

    /// The literal follows from these, which are true, by a single rule.
    fn infer<const N: usize>(&mut self, reason: [Lit; N], lit: Lit) {
        self.analysis.note(lit, Cause::Reason { start: 0, count: 0 }, &reason);
        self.clause([lit]);
    }

    /// The sum of `weight * x` is at most the limit; weights may be negative.
    pub fn at_most(&mut self, terms: impl IntoIterator<Item = (i64, Var)>, limit: i64) {
        let side = |weight: i64, var: Var| match weight > 0 {
            true => (weight, var.upper()),
            false => (-weight, var.lower()),
        };
        let terms = terms.into_iter().filter(|term| term.0 != 0);
        let terms = terms.map(|(weight, var)| side(weight, var)).collect();
        self.add(Box::new(Linear { terms, limit }));
    }

    /// At no instant do the tasks take more than the capacity.
    pub fn cumulative(&mut self, tasks: Vec<Task>, capacity: i64) {
        self.add(Box::new(Cumulative::new(tasks, capacity)));
    }

    /// No two of these run at a time. `before[a * n + b]` is a literal by which a is over before b starts: whoever
    /// gives it has said so, and that one of two holds where both are there.
    pub fn disjunctive(&mut self, spans: Vec<Span>, before: Vec<Option<Lit>>) {
        self.add(Box::new(Disjunctive::new(spans, before)));
    }

    /// The task starts and ends as its calendar lets it.
    pub fn timing(&mut self, timing: Timing) {
        self.add(Box::new(timing));
    }

    pub(crate) fn add(&mut self, propagator: Box<dyn Propagator>) {
        self.reset();
        let number = self.propagators.len() as u32;
        for side in propagator.sides() {
            self.wakes[side.index()].push(number);
        }
        self.agenda.add(propagator.is_slow());
        self.propagators.push(propagator);
    }
}
