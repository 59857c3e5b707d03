//! Rules as they are meant: all values in, kept or broken out. Knows the solver's words, not its ways.

use crate::literal::{Lit, Point, Side, Var};
use crate::{Solver, Task, Timing};

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

    pub(super) fn tell(&self, solver: &mut Solver) {
        match self.clone() {
            Rule::Clause(literals) => solver.clause(literals),
            Rule::Below { target, source, weight, condition } => {
                solver.below(target, source, weight, condition);
            }
            Rule::Sum { terms, limit } => solver.at_most(terms, limit),
            Rule::Cumulative { tasks, capacity } => solver.cumulative(tasks, capacity),
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
