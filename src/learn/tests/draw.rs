//! Random ranges, literals and rules, the degenerate among them: one value, no task, no length, all equal,
//! rules that always hold or never.

use super::judge::{Ranges, Rule};
use crate::literal::{Lit, Point, Side, Var};
use crate::{Segment, Span, Task, Timing};
use takt_testing::Random;

/// Numbers of 1 to 6 values near `base`, then those of 0 and 1, some of them known; no more than `most` values in all.
pub(super) fn ranges(
    r: &mut Random,
    numbers: usize,
    choices: usize,
    base: i64,
    most: i64,
) -> Ranges {
    let mut room = most;
    let mut range = |least: i64, size: i64| {
        let size = size.min(room);
        room /= size;
        (least, least + size - 1)
    };
    let mut drawn = Ranges::new();
    for _ in 0..numbers {
        drawn.push(range(base + r.within(-3, 4), r.within(1, 6)));
    }
    for _ in 0..choices {
        let is_known = r.percent(30);
        let least = if is_known { r.amount(2) } else { 0 };
        drawn.push(range(least, if is_known { 1 } else { 2 }));
    }
    drawn
}

/// Where all numbers of a case are.
pub(super) fn base(r: &mut Random) -> i64 {
    *r.pick(&[0, 0, 0, 0, -20, 1_000_000_000_000, -1_000_000_000_000])
}

pub(super) fn var(r: &mut Random, ranges: &Ranges) -> Var {
    Var::new(r.below(ranges.len()))
}

fn side(r: &mut Random, ranges: &Ranges) -> Side {
    let var = var(r, ranges);
    if r.percent(50) { var.upper() } else { var.lower() }
}

/// Of any variable, sometimes true or false whatever its value.
pub(super) fn lit(r: &mut Random, ranges: &Ranges) -> Lit {
    let var = var(r, ranges);
    let (least, most) = ranges[var.index()];
    let bound = r.within(least - 1, most + 1);
    if r.percent(50) { var.at_most(bound) } else { var.at_least(bound) }
}

/// That a choice is 1 or 0, rarely anything else; none in `never` of a hundred.
fn condition(r: &mut Random, ranges: &Ranges, never: u64) -> Option<Lit> {
    if r.percent(never) {
        return None;
    }
    let choices = ranges.iter().position(|range| range.0 >= 0 && range.1 <= 1);
    match choices {
        Some(first) if r.percent(80) => {
            let var = Var::new(first + r.below(ranges.len() - first));
            Some(if r.percent(50) { var.at_least(1) } else { var.at_most(0) })
        }
        _ => Some(lit(r, ranges)),
    }
}

/// Values within the ranges.
fn values(r: &mut Random, ranges: &Ranges) -> Vec<i64> {
    ranges.iter().map(|&(least, most)| r.within(least, most)).collect()
}

pub(super) fn clause(r: &mut Random, ranges: &Ranges) -> Rule {
    let count = if r.percent(3) { 0 } else { r.within(1, 4) };
    Rule::Clause((0..count).map(|_| lit(r, ranges)).collect())
}

/// Of three variables, with literals that are neither true nor false whatever the value.
pub(super) fn open_clause(r: &mut Random, ranges: &Ranges) -> Rule {
    let mut open: Vec<_> = (0..ranges.len()).filter(|&k| ranges[k].0 < ranges[k].1).collect();
    let mut literals = Vec::new();
    while literals.len() < 3 && !open.is_empty() {
        let k = open.swap_remove(r.below(open.len()));
        let (var, bound) = (Var::new(k), r.within(ranges[k].0, ranges[k].1 - 1));
        literals.push(if r.percent(50) { var.at_most(bound) } else { var.at_least(bound + 1) });
    }
    Rule::Clause(literals)
}

/// Tight, or nearly so, at some values.
pub(super) fn below(r: &mut Random, ranges: &Ranges) -> Rule {
    let (target, source) = (side(r, ranges), side(r, ranges));
    let values = values(r, ranges);
    let of = |side: Side| match side == side.var().upper() {
        true => values[side.var().index()],
        false => -values[side.var().index()],
    };
    let weight = of(target) - of(source) + r.within(-2, 2);
    Rule::Below { target, source, weight, condition: condition(r, ranges, 25) }
}

pub(super) fn sum(r: &mut Random, ranges: &Ranges) -> Rule {
    let count = if r.percent(3) { 0 } else { r.within(1, 4) };
    let terms: Vec<_> = (0..count).map(|_| (r.within(-3, 3), var(r, ranges))).collect();
    let values = values(r, ranges);
    let sum: i64 = terms.iter().map(|&(weight, var)| weight * values[var.index()]).sum();
    Rule::Sum { terms, limit: sum + r.within(-3, 3) }
}

fn point(r: &mut Random, ranges: &Ranges, base: i64) -> Point {
    let var = var(r, ranges);
    // Choices count from 0 wherever the numbers are.
    let shift = if (ranges[var.index()].0 - base).abs() > 10 { base } else { 0 };
    Point { var, offset: shift + if r.percent(50) { 0 } else { r.within(-3, 3) } }
}

pub(super) fn cumulative(r: &mut Random, ranges: &Ranges, base: i64) -> Rule {
    let count = if r.percent(3) { 0 } else { r.within(1, 5) };
    let is_same = r.percent(20);
    let capacity = r.within(0, 4);
    let tasks = (0..count).map(|_| {
        let start = point(r, ranges, base);
        let end = match r.percent(75) {
            true => start.plus(r.within(0, 6)),
            false => point(r, ranges, base).plus(r.amount(6)),
        };
        let most = if r.percent(90) { capacity } else { capacity + 2 };
        let least = if r.percent(70) { (most + 1) / 2 } else { 0 };
        let amount = if is_same { 1 } else { r.within(least, most) };
        Task { start, end, amount, presence: condition(r, ranges, 60) }
    });
    Rule::Cumulative { tasks: tasks.collect(), capacity }
}

/// Literals of pairs are choices, opposite ones or any; some sequences are known.
pub(super) fn disjunctive(r: &mut Random, ranges: &Ranges, base: i64) -> Rule {
    let count = if r.percent(3) { 0 } else { r.within(1, 5) as usize };
    let spans: Vec<Span> = (0..count)
        .map(|_| {
            let start = point(r, ranges, base);
            // One without length could be inside another for the capacity, and not for the sequence.
            let length = r.within(1, 3);
            let end = match r.percent(75) {
                true => start.plus(length),
                false => point(r, ranges, base).plus(length),
            };
            Span { start, end, length, presence: condition(r, ranges, 70) }
        })
        .collect();
    let mut before = vec![None; count * count];
    for a in 0..count {
        for b in 0..a {
            let pair = match r.below(8) {
                0 | 1 => [None, None],
                2..=5 => {
                    condition(r, ranges, 0).map_or([None, None], |lit| [Some(lit), Some(!lit)])
                }
                6 => [condition(r, ranges, 0), condition(r, ranges, 0)],
                _ => [condition(r, ranges, 0), None],
            };
            (before[a * count + b], before[b * count + a]) = (pair[0], pair[1]);
        }
    }
    Rule::Disjunctive { spans, before }
}

pub(super) fn timing(r: &mut Random, ranges: &Ranges, base: i64) -> Rule {
    let start = var(r, ranges);
    let is_rigid = r.percent(20);
    let end = match is_rigid {
        true => Point::from(start).plus(r.within(0, 3)),
        false => point(r, ranges, base),
    };
    let is_rigid = end.var == start;
    let mut first = ranges[start.index()].0 + r.within(-4, 2);
    let mut segments: Vec<Segment> = Vec::new();
    // The end of no start may lie before this one.
    let mut ended = i64::MIN;
    for _ in 0..r.amount(5) {
        let last = first + if r.percent(40) { 0 } else { r.amount(4) };
        let shift = if is_rigid { 0 } else { end_shift(ranges, start, end, base) };
        let length = match is_rigid {
            true => end.offset,
            false => (shift + r.amount(5)).max(ended.saturating_sub(first)),
        };
        segments.push(Segment { first, last, length });
        ended = last + length;
        first = last + 1 + r.amount(3);
    }
    let condition = condition(r, ranges, 50);
    Rule::Timing(Timing { start, end, condition, segments: segments.into() })
}

/// What brings a start near the values of the end: nothing, unless one is a choice and the other a number.
fn end_shift(ranges: &Ranges, start: Var, end: Point, base: i64) -> i64 {
    let starts = ranges[start.index()].0;
    let ends = ranges[end.var.index()].0 + end.offset;
    if (ends - starts).abs() > 15 { (ends - starts).signum() * base.abs() } else { 0 }
}

pub(super) fn rule(r: &mut Random, ranges: &Ranges, base: i64) -> Rule {
    match r.below(7) {
        0 => clause(r, ranges),
        1 | 2 => below(r, ranges),
        3 => sum(r, ranges),
        4 => cumulative(r, ranges, base),
        5 => disjunctive(r, ranges, base),
        _ => timing(r, ranges, base),
    }
}
