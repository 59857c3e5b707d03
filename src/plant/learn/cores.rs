//! Bounds of sums by cores (Andres, Kaufmann, Matheis, Schaub 2012): which costs cannot all be as low as each
//! of them by itself.
//!
//! The cost is at least `bound` and `weight * (var - limit)` of every term, and no `var` is below its limit. All
//! terms are assumed to be at their limits. If that is refuted, a few of them, the core, say why: together they
//! are at least one above. The least weight of the core is moved to a new term, the sum of what they are
//! above, and the bound rises by as much. Then it is tried how much more the new sum is at least (`Stretch`).

use super::encoding::rank;
use takt_learn::{Choice, Lit, Outcome, Solver, Var};

/// Conflicts for which a sum is stretched, each time.
const STRETCHING: u64 = 300;

#[derive(Clone, Copy, Debug)]
struct Term {
    weight: i64,
    var: Var,
    /// The variable is no less than this.
    limit: i64,
}

impl Term {
    fn within(&self, more: i64) -> Lit {
        self.var.at_most(self.limit.saturating_add(more))
    }
}

/// It is tried whether a term is more than `reach` above its limit.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    term: usize,
    reach: i64,
    left: u64,
}

#[derive(Debug)]
pub struct Cores {
    terms: Vec<Term>,
    bound: i64,
    /// Only terms of at least this weight are assumed to be at their limits.
    least: i64,
    stretch: Option<Stretch>,
}

/// What a turn came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// The bound has risen, or something else is tried next.
    Next,
    /// The values of the solver are a solution; if all terms are at their limits, there is none better.
    Solution,
    /// There is no solution at all.
    Infeasible,
    Spent,
}

impl Cores {
    /// The cost is `fixed` and the sum of all terms.
    pub fn new(solver: &Solver, terms: &[(i64, Var)], fixed: i64) -> Cores {
        let mut found: Vec<Term> = Vec::new();
        let mut bound = fixed;
        let mut sorted = terms.to_vec();
        sorted.sort_unstable_by_key(|term| term.1);
        for (weight, var) in sorted {
            let limit = solver.min(var);
            bound = bound.saturating_add(weight.saturating_mul(limit));
            match found.last_mut().filter(|last| last.var == var) {
                Some(last) => last.weight += weight,
                None => found.push(Term { weight, var, limit }),
            }
        }
        let least = found.iter().map(|term| term.weight).max().unwrap_or(0);
        Cores { terms: found, bound, least, stretch: None }
    }

    pub fn bound(&self) -> i64 {
        self.bound
    }

    /// One search of at most so many conflicts.
    pub fn advance(
        &mut self,
        solver: &mut Solver,
        conflicts: u64,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Step {
        match self.stretch {
            Some(stretch) => self.pull(solver, stretch, conflicts, is_over),
            None => self.look(solver, conflicts, is_over),
        }
    }

    fn look(
        &mut self,
        solver: &mut Solver,
        conflicts: u64,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Step {
        let assumed = self.terms.iter().filter(|term| term.weight >= self.least);
        let assumed: Vec<Lit> = assumed.map(|term| term.within(0)).collect();
        match solver.search(&assumed, conflicts, is_over) {
            Outcome::Infeasible => Step::Infeasible,
            Outcome::Spent => Step::Spent,
            Outcome::Refuted(core) => {
                self.take(solver, &core);
                Step::Next
            }
            Outcome::Solution => {
                // Lighter terms are assumed as well from here on; all of them in the end.
                let lighter = self.terms.iter().map(|term| term.weight);
                let lighter = lighter.filter(|&weight| weight < self.least).max();
                self.least = lighter.map_or(0, |weight| weight.min(self.least / 2 + 1));
                Step::Solution
            }
        }
    }

    /// These terms cannot all be at their limits.
    fn take(&mut self, solver: &mut Solver, core: &[Lit]) {
        let own = |term: &Term| term.weight >= self.least && core.contains(&term.within(0));
        let members: Vec<usize> = (0..self.terms.len()).filter(|&k| own(&self.terms[k])).collect();
        solver.clause(core.iter().map(|&lit| !lit));
        let Some(weight) = members.iter().map(|&k| self.terms[k].weight).min() else { return };
        if let [only] = members.as_slice() {
            self.lift(solver, *only, 1);
            self.stretch = Some(Stretch { term: *only, reach: 1, left: STRETCHING });
            return;
        }
        // sum of (var - limit) <= above
        let (mut most, mut limits) = (0_i64, 0);
        let mut sum: Vec<(i64, Var)> = Vec::with_capacity(members.len() + 1);
        for &k in &members {
            let term = &mut self.terms[k];
            term.weight -= weight;
            sum.push((1, term.var));
            limits += term.limit;
            most = most.saturating_add(solver.max(term.var) - term.limit);
        }
        let above = solver.variable(1, most.clamp(1, i64::MAX / 8), Choice::Least(rank::COST));
        sum.push((-1, above));
        solver.at_most(sum, limits);
        self.terms.retain(|term| term.weight > 0);
        self.bound += weight;
        self.terms.push(Term { weight, var: above, limit: 1 });
        self.stretch = Some(Stretch { term: self.terms.len() - 1, reach: 0, left: STRETCHING });
    }

    /// The term is at least so much above its limit.
    fn lift(&mut self, solver: &mut Solver, term: usize, more: i64) {
        let term = &mut self.terms[term];
        term.limit += more;
        self.bound += term.weight * more;
        solver.clause([term.var.at_least(term.limit)]);
    }

    fn pull(
        &mut self,
        solver: &mut Solver,
        stretch: Stretch,
        conflicts: u64,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Step {
        let assumed = self.terms[stretch.term].within(stretch.reach);
        let before = solver.counts().conflicts;
        let outcome = solver.search(&[assumed], conflicts.min(stretch.left), is_over);
        let left = stretch.left.saturating_sub(solver.counts().conflicts - before);
        let shorter = (stretch.reach > 0).then_some(Stretch {
            reach: stretch.reach / 2,
            left: STRETCHING,
            ..stretch
        });
        match outcome {
            Outcome::Infeasible => Step::Infeasible,
            Outcome::Refuted(_) => {
                self.lift(solver, stretch.term, stretch.reach + 1);
                let reach = stretch.reach * 2 + 1;
                self.stretch = Some(Stretch { reach, left: STRETCHING, ..stretch });
                Step::Next
            }
            Outcome::Solution => {
                self.stretch = shorter;
                Step::Solution
            }
            Outcome::Spent if left == 0 => {
                self.stretch = shorter;
                Step::Next
            }
            Outcome::Spent => {
                self.stretch = Some(Stretch { left, ..stretch });
                Step::Spent
            }
        }
    }
}
