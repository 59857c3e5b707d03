//! Rules as they are meant: all values in, kept or broken out. Knows the solver's words, not its ways.

use crate::literal::{Lit, Point, Side, Var};
use crate::{Solver, Span, Task, Timing};

/// The least and the largest value of each variable.
pub(super) type Ranges = Vec<(i64, i64)>;

#[derive(Clone, Debug)]
pub(super) enum Rule {
    Clause(Vec<Lit>),
    /// `target <= source + weight`
    Below {
        target: Side,
        source: Side,
        weight: i64,
        condition: Option<Lit>,
    },
    Sum {
        terms: Vec<(i64, Var)>,
        limit: i64,
    },
    Cumulative {
        tasks: Vec<Task>,
        capacity: i64,
    },
    /// With literals for pairs, of which one is true where both are there.
    Disjunctive {
        spans: Vec<Span>,
        before: Vec<Option<Lit>>,
    },
    Timing(Timing),
}

fn side(side: Side, values: &[i64]) -> i64 {
    let value = values[side.var().index()];
    if side == side.var().upper() { value } else { -value }
}

fn point(point: Point, values: &[i64]) -> i64 {
    values[point.var.index()] + point.offset
}

pub(super) fn holds(lit: Lit, values: &[i64]) -> bool {
    side(lit.side, values) <= lit.bound
}

fn all_hold(lits: Option<Lit>, values: &[i64]) -> bool {
    lits.is_none_or(|lit| holds(lit, values))
}

impl Rule {
    pub(super) fn is_kept(&self, values: &[i64]) -> bool {
        match self {
            Rule::Clause(literals) => literals.iter().any(|&lit| holds(lit, values)),
            &Rule::Below { target, source, weight, condition } => {
                !all_hold(condition, values)
                    || side(target, values) <= side(source, values) + weight
            }
            Rule::Sum { terms, limit } => {
                let sum: i64 =
                    terms.iter().map(|&(weight, var)| weight * values[var.index()]).sum();
                sum <= *limit
            }
            Rule::Cumulative { tasks, capacity } => {
                // The level rises only where a task starts.
                tasks.iter().all(|first| {
                    let instant = point(first.start, values);
                    let runs = |task: &&Task| {
                        all_hold(task.presence, values)
                            && point(task.start, values) <= instant
                            && instant < point(task.end, values)
                    };
                    tasks.iter().filter(runs).map(|task| task.amount).sum::<i64>() <= *capacity
                })
            }
            Rule::Disjunctive { spans, before } => {
                let is_there = |k: usize| all_hold(spans[k].presence, values);
                let start = |k: usize| point(spans[k].start, values);
                let end = |k: usize| point(spans[k].end, values);
                let is_long = |k: usize| end(k) >= start(k) + spans[k].length;
                let is_before = |a: usize, b: usize| end(a) <= start(b);
                // A literal says so wherever it is true; one of two is, where both are there.
                let lit = |a: usize, b: usize| before[a * spans.len() + b];
                let is_true = |a, b| lit(a, b).is_some_and(|lit| holds(lit, values));
                let is_free = |a, b| lit(a, b).is_none() && lit(b, a).is_none();
                let is_right = |a: usize, b: usize| {
                    (!is_true(a, b) || is_before(a, b))
                        && (!is_there(a)
                            || !is_there(b)
                            || is_true(a, b)
                            || is_true(b, a)
                            || is_free(a, b) && (is_before(a, b) || is_before(b, a)))
                };
                let count = spans.len();
                (0..count).all(|a| !is_there(a) || is_long(a))
                    && (0..count).all(|a| (0..count).all(|b| a == b || is_right(a, b)))
            }
            Rule::Timing(timing) => {
                let (start, end) = (values[timing.start.index()], point(timing.end, values));
                !all_hold(timing.condition, values)
                    || timing.segments.iter().any(|segment| {
                        (segment.first..=segment.last).contains(&start)
                            && end == start + segment.length
                    })
            }
        }
    }

    /// What the rule says by clauses.
    pub(super) fn clauses(&self) -> Vec<Vec<Lit>> {
        match self {
            Rule::Clause(literals) => vec![literals.clone()],
            Rule::Disjunctive { spans, before } => {
                let count = spans.len();
                let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
                let clause = |(a, b): (usize, usize)| {
                    let literals = [before[a * count + b], before[b * count + a]];
                    let absent = [a, b].map(|k| spans[k].presence.map(|lit| !lit));
                    let is_said = literals != [None; 2];
                    is_said.then(|| literals.into_iter().chain(absent).flatten().collect())
                };
                pairs.filter_map(clause).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn tell(&self, solver: &mut Solver) {
        self.clauses().into_iter().for_each(|clause| solver.clause(clause));
        match self.clone() {
            Rule::Clause(_) => {}
            Rule::Below { target, source, weight, condition } => {
                solver.below(target, source, weight, condition);
            }
            Rule::Sum { terms, limit } => solver.at_most(terms, limit),
            Rule::Cumulative { tasks, capacity } => solver.cumulative(tasks, capacity),
            Rule::Disjunctive { spans, before } => {
                let count = spans.len();
                let task = |&Span { start, end, presence, .. }: &Span| Task {
                    start,
                    end,
                    amount: 1,
                    presence,
                };
                solver.cumulative(spans.iter().map(task).collect(), 1);
                solver.disjunctive(spans.clone(), before.clone());
                for (a, span) in spans.iter().enumerate() {
                    solver.before(span.start, span.length, span.end, span.presence);
                    for (b, other) in spans.iter().enumerate() {
                        if let Some(lit) = before[a * count + b] {
                            solver.before(span.end, 0, other.start, Some(lit));
                        }
                    }
                }
            }
            Rule::Timing(timing) => solver.timing(timing),
        }
    }
}

/// All values within the ranges that keep the rules.
pub(super) fn solutions(ranges: &Ranges, rules: &[Rule]) -> Vec<Vec<i64>> {
    let mut found = Vec::new();
    if ranges.iter().any(|range| range.0 > range.1) {
        return found;
    }
    let mut values: Vec<i64> = ranges.iter().map(|range| range.0).collect();
    loop {
        if rules.iter().all(|rule| rule.is_kept(&values)) {
            found.push(values.clone());
        }
        // As an odometer counts.
        let Some(next) = (0..values.len()).find(|&k| values[k] < ranges[k].1) else {
            return found;
        };
        values[next] += 1;
        (0..next).for_each(|k| values[k] = ranges[k].0);
    }
}
