//! A whole solver with a random problem, asked one random thing after the other. Every answer is held
//! against all values.

use super::draw;
use super::judge::{Ranges, Rule, holds, solutions};
use super::proof::Record;
use crate::literal::{Lit, Point, Var};
use crate::solver::Limits;
use crate::{Choice, Counts, Outcome, Solver, Task};
use takt_testing::Random;

pub(super) struct Script {
    pub(super) solver: Solver,
    ranges: Ranges,
    rules: Vec<Rule>,
    base: i64,
    /// All values that keep the rules told so far.
    pub(super) solutions: Vec<Vec<i64>>,
    /// Conflicts after which a search gives up.
    budget: u64,
    /// What was answered, in sequence.
    pub(super) log: Vec<(Outcome, Vec<i64>)>,
    pub(super) record: Record,
}

impl Script {
    pub(super) fn new(r: &mut Random) -> Script {
        let mut solver = Solver::new();
        let record = Record::default();
        solver.log(Box::new(record.clone()));
        if r.percent(80) {
            let (learned, more) = (r.below(4), 1 + r.below(2));
            solver.limit(Limits { restart: r.within(1, 2) as u64, learned, more });
        }
        let base = draw::base(r);
        let is_large = r.percent(70);
        let (numbers, choices) = match is_large {
            true => (r.within(0, 3) as usize, 6 + r.below(9)),
            false => (r.within(1, 3) as usize, r.below(3)),
        };
        let mut ranges = draw::ranges(r, numbers, choices, base, if is_large { 4000 } else { 500 });
        let is_crowded = r.percent(25);
        if is_crowded {
            let count = r.within(3, 5);
            let most = base + count - if r.percent(70) { 2 } else { 1 };
            ranges = vec![(base, most); count as usize];
        } else if r.percent(2) {
            let k = r.below(ranges.len());
            ranges[k].1 = ranges[k].0 - 1;
        }
        for &(least, most) in &ranges {
            let is_active = r.percent(60);
            let choice = if is_active { Choice::Active } else { Choice::Least(r.below(3) as u8) };
            let var = solver.variable(least, most, choice);
            if r.percent(50) && least <= most {
                solver.suggest(var, r.within(least, most));
            }
        }
        let budget = r.within(1, 3) as u64;
        let solutions = solutions(&ranges, &[]);
        let mut script = Script {
            solver,
            ranges,
            rules: Vec::new(),
            base,
            solutions,
            budget,
            log: Vec::new(),
            record,
        };
        match r.below(5) {
            _ if is_crowded => script.crowd(r),
            0 => (0..r.within(0, 6)).for_each(|_| script.tell_any(r)),
            _ => script.tell_many(r),
        }
        script
    }

    /// As many tasks as there are instants, or one more: it takes conflicts to find out whether they fit.
    fn crowd(&mut self, r: &mut Random) {
        let task = |number: usize| {
            let start = Point::from(Var::new(number));
            Task { start, end: start.plus(1), amount: 1, presence: None }
        };
        let tasks = (0..self.ranges.len()).map(task).collect();
        self.tell(Rule::Cumulative { tasks, capacity: 1 });
        (0..r.below(3)).for_each(|_| self.tell_any(r));
    }

    fn tell_any(&mut self, r: &mut Random) {
        if self.ranges.iter().any(|range| range.0 > range.1) {
            return;
        }
        let rule = draw::rule(r, &self.ranges, self.base);
        if self.solutions.iter().any(|values| rule.is_kept(values)) || r.percent(15) {
            self.tell(rule);
        }
    }

    /// Many rules of which each excludes little: only conflicts tell what they exclude together.
    fn tell_many(&mut self, r: &mut Random) {
        let last = *r.pick(&[0, 0, 1, 1, 20]);
        for _ in 0..400 {
            if self.solutions.len() <= last {
                return;
            }
            let rule = match r.percent(85) {
                true => draw::open_clause(r, &self.ranges),
                false => draw::rule(r, &self.ranges, self.base),
            };
            let all = self.solutions.len();
            let left = self.solutions.iter().filter(|values| rule.is_kept(values)).count();
            if left < all && (left * 100 >= all * 80 || left * 2 >= all && all < 20 || all < 3) {
                self.tell(rule);
            }
        }
    }

    pub(super) fn tell(&mut self, rule: Rule) {
        rule.tell(&mut self.solver);
        self.solutions.retain(|values| rule.is_kept(values));
        self.rules.push(rule);
    }

    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(super) fn ranges(&self) -> &Ranges {
        &self.ranges
    }

    pub(super) fn var(&self, r: &mut Random) -> Var {
        draw::var(r, &self.ranges)
    }

    /// Searches until there is an answer, however often the budget is spent.
    pub(super) fn search(&mut self, assumptions: &[Lit]) -> Outcome {
        for _ in 0..10_000 {
            let outcome = self.solver.search(assumptions, self.budget, &mut || false);
            self.check(&outcome, assumptions);
            let values = self.values();
            self.log.push((outcome.clone(), values));
            if outcome != Outcome::Spent {
                return outcome;
            }
        }
        panic!("no end: {:?} {:?}", self.ranges, self.rules);
    }

    fn values(&self) -> Vec<i64> {
        (0..self.ranges.len()).map(|number| self.solver.min(Var::new(number))).collect()
    }

    fn check(&self, outcome: &Outcome, assumptions: &[Lit]) {
        let Script { solver, ranges, rules, solutions, .. } = self;
        let told = || format!("{outcome:?} of {ranges:?} {rules:?} if {assumptions:?}");
        let has =
            |all: &[Lit]| solutions.iter().any(|values| all.iter().all(|&lit| holds(lit, values)));
        match outcome {
            Outcome::Solution => {
                let values = self.values();
                let is_fixed = |k: usize| values[k] == solver.max(Var::new(k));
                assert!((0..values.len()).all(is_fixed), "open: {}", told());
                assert!(solutions.contains(&values), "{values:?} is none: {}", told());
                assert!(assumptions.iter().all(|&lit| holds(lit, &values)), "{}", told());
            }
            Outcome::Infeasible => assert!(solutions.is_empty(), "{}", told()),
            Outcome::Refuted(core) => {
                assert!(core.iter().all(|lit| assumptions.contains(lit)), "{}", told());
                assert!(!core.is_empty() && !has(core), "{}", told());
            }
            Outcome::Spent => {}
        }
        // Whatever was learned holds in every solution, whether or not the assumptions do.
        for clause in solver.clauses() {
            for values in solutions {
                let is_kept = clause.iter().any(|&lit| holds(lit, values));
                assert!(is_kept, "{clause:?} excludes {values:?}: {}", told());
            }
        }
    }

    /// Bounds without any choice exclude no solution.
    fn check_root(&mut self) {
        let is_possible = self.solver.settle();
        assert!(is_possible || self.solutions.is_empty(), "{:?} {:?}", self.ranges, self.rules);
        for values in &self.solutions {
            for (number, value) in values.iter().enumerate() {
                let var = Var::new(number);
                let bounds = self.solver.min(var)..=self.solver.max(var);
                assert!(bounds.contains(value), "{var:?} {bounds:?}: {values:?} {:?}", self.rules);
            }
        }
    }

    /// The least value of the variable, by excluding the last one found: for ever, or by assumption.
    pub(super) fn minimise(&mut self, var: Var, assumptions: &[Lit], by_assumption: bool) {
        let holds_all = |values: &&Vec<i64>| assumptions.iter().all(|&lit| holds(lit, values));
        let possible = self.solutions.iter().filter(holds_all);
        let least = possible.map(|values| values[var.index()]).min();
        let mut all = assumptions.to_vec();
        let mut found = None;
        while self.search(&all) == Outcome::Solution {
            let value = self.solver.min(var);
            found = Some(value);
            self.solver.suggest_all();
            match by_assumption {
                true => all.push(var.at_most(value - 1)),
                false => self.tell(Rule::Clause(vec![var.at_most(value - 1)])),
            }
        }
        assert_eq!(found, least, "{:?} {:?} if {assumptions:?}", self.ranges, self.rules);
    }

    /// Asks one thing after the other, with new rules and variables in between.
    pub(super) fn play(&mut self, r: &mut Random) -> Counts {
        for _ in 0..r.within(1, 4) {
            let count = r.below(5);
            let assumptions: Vec<Lit> = match self.ranges.iter().all(|range| range.0 <= range.1) {
                true => (0..count).map(|_| draw::lit(r, &self.ranges)).collect(),
                false => Vec::new(),
            };
            match r.below(8) {
                0 => drop(self.search(&[])),
                1 | 2 => drop(self.search(&assumptions)),
                3 | 4 => self.minimise(self.var(r), &assumptions, true),
                5 | 6 => self.minimise(self.var(r), &[], false),
                _ => self.check_root(),
            }
            match r.below(4) {
                0 => self.tell_any(r),
                1 => self.solver.suggest(self.var(r), self.base + r.within(-5, 5)),
                2 if self.solutions.len() < 500 => self.grow(r),
                _ => {}
            }
        }
        self.check_root();
        self.solver.counts()
    }

    /// One more variable.
    fn grow(&mut self, r: &mut Random) {
        let least = self.base + r.within(-3, 3);
        let most = least + if r.percent(3) { -1 } else { r.amount(3) };
        let choice = if r.percent(50) { Choice::Active } else { Choice::Least(r.below(3) as u8) };
        self.solver.variable(least, most, choice);
        self.ranges.push((least, most));
        let longer = |values: &Vec<i64>| {
            let values = values.clone();
            (least..=most).map(move |value| [values.as_slice(), &[value]].concat())
        };
        self.solutions = self.solutions.iter().flat_map(longer).collect();
    }
}
