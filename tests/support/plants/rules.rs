//! What the heuristics keep, read off their definitions slot by slot.
//!
//! Everything happens at whole instants, so what is judged at an instant holds until the next.

use super::brute::{Hold, Plant, Schedule, State, Step};
use crate::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Greedy,
    NonLazy,
    NonOvertaking,
    MaxActive(i64),
    StartWithin(i64),
}

impl Rule {
    /// One of each kind.
    pub fn draw_all(r: &mut Random) -> Vec<Rule> {
        vec![
            Rule::Greedy,
            Rule::NonLazy,
            Rule::NonOvertaking,
            Rule::MaxActive(1 + r.amount(2)),
            Rule::StartWithin(2 + r.amount(5)),
        ]
    }

    pub fn yaml(self) -> String {
        match self {
            Rule::Greedy => "greedy".to_owned(),
            Rule::NonLazy => "non-lazy".to_owned(),
            Rule::NonOvertaking => "non-overtaking".to_owned(),
            Rule::MaxActive(n) => format!("{{max-active: {n}}}"),
            Rule::StartWithin(d) => format!("{{start-within: {d}}}"),
        }
    }
}

/// Whether a schedule is kept.
pub fn keeps(plant: &Plant, schedule: &Schedule, rule: Rule) -> bool {
    match rule {
        Rule::Greedy => stretches(plant, schedule, rule).all(|(length, _)| length == 0),
        Rule::NonLazy => stretches(plant, schedule, rule)
            .all(|(length, duration)| length < duration || length == 0 && duration == 0),
        Rule::NonOvertaking => (0..plant.orders.len()).all(|order| {
            (0..schedule[order].len()).all(|step| {
                let start = schedule[order][step].start;
                earlier(plant, order).all(|other| schedule[other][step].start <= start)
            })
        }),
        Rule::MaxActive(most) => (0..=plant.horizon + 20).all(|at| {
            (0..plant.orders.len()).filter(|&order| is_active(schedule, order, at)).count() as i64
                <= most
        }),
        Rule::StartWithin(time) => (0..plant.orders.len()).all(|order| {
            let from = plant.orders[order].due.map_or(0, |due| due - time);
            schedule[order].iter().all(|placed| placed.start >= from)
        }),
    }
}

fn is_active(schedule: &Schedule, order: usize, at: i64) -> bool {
    let first = schedule[order].iter().map(|placed| placed.start).min().unwrap_or(0);
    let finish = schedule[order].iter().map(|placed| placed.end).max().unwrap_or(0);
    first <= at && at < finish
}

/// The orders of the same recipe that come before this one.
fn earlier(plant: &Plant, order: usize) -> impl Iterator<Item = usize> {
    let key = move |k: usize| {
        let order = &plant.orders[k];
        (order.release, order.due.is_none(), order.due, k)
    };
    let recipe = plant.orders[order].recipe;
    (0..plant.orders.len())
        .filter(move |&other| plant.orders[other].recipe == recipe && key(other) < key(order))
}

/// For every step and way to do it: how long it is eligible and unstarted at a stretch at most, and
/// how long it would take.
fn stretches(plant: &Plant, schedule: &Schedule, rule: Rule) -> impl Iterator<Item = (i64, i64)> {
    let mut found = Vec::new();
    for (order, of) in plant.orders.iter().enumerate() {
        for (step, placed) in schedule[order].iter().enumerate() {
            let ways = plant.recipes[of.recipe].steps[step].alternatives.len();
            for way in 0..ways {
                for units in plant.unit_choices(of.recipe, step, way) {
                    if !plant.is_taken((of.recipe, step, way), &units, of.family) {
                        continue;
                    }
                    let (mut longest, mut length) = (0, 0);
                    for at in 0..placed.start {
                        let counts = is_eligible(plant, schedule, (order, step), way, &units, at)
                            && (rule == Rule::Greedy
                                || may_wait(plant, (order, step), way, &units, at));
                        length = if counts { length + 1 } else { 0 };
                        longest = longest.max(length);
                    }
                    found.push((longest, plant.work((of.recipe, step, way), &units)));
                }
            }
        }
    }
    found.into_iter()
}

/// Whether work that fits now still fits a moment later: under `non-lazy` the last instant adds no
/// time, under `greedy` it counts.
fn may_wait(
    plant: &Plant,
    (order, step): (usize, usize),
    way: usize,
    units: &[usize],
    at: i64,
) -> bool {
    let recipe = plant.orders[order].recipe;
    let is_closed = |slot: i64| !plant.is_open((recipe, step, way), units, slot);
    let has_calendar = (0..400).any(is_closed);
    !has_calendar || plant.end(order, step, way, units, at + 1).is_some()
}

/// Whether an unstarted step could start at this instant, after everything that ends or starts
/// there.
fn is_eligible(
    plant: &Plant,
    schedule: &Schedule,
    (order, step): (usize, usize),
    way: usize,
    units: &[usize],
    at: i64,
) -> bool {
    let of = &plant.orders[order];
    let recipe = &plant.recipes[of.recipe];
    let follows = recipe.steps[step].after.iter().all(|link| {
        let before = &schedule[order][link.before];
        let from = if link.from_start { before.start } else { before.end };
        from <= at && at - from >= link.min && link.max.is_none_or(|max| at - from <= max)
    });
    let comes_after = of.after.iter().all(|link| {
        let finish = schedule[link.before].iter().map(|placed| placed.end).max();
        finish.is_none_or(|finish| at - finish >= link.min)
    });
    at >= of.release
        && comes_after
        && plant.repeats(schedule, (order, step), (way, units))
        && follows
        && plant.end(order, step, way, units, at).is_some()
        && is_free(plant, schedule, (order, step), way, units, at)
        && plant.rules.iter().all(|&rule| lets(plant, schedule, (order, step), rule, at))
}

fn is_free(
    plant: &Plant,
    schedule: &Schedule,
    (order, step): (usize, usize),
    way: usize,
    units: &[usize],
    at: i64,
) -> bool {
    let recipe = &plant.recipes[plant.orders[order].recipe];
    let mut wanted = vec![0; plant.resources.len()];
    for &(resource, amount) in &recipe.steps[step].alternatives[way].needs {
        wanted[resource] += amount;
    }
    // What is held for the length of a step that takes no time is never taken.
    let is_empty = |hold: &&Hold| {
        let ways = &recipe.steps[hold.from].alternatives;
        hold.from == hold.until && ways.iter().all(|way| way.duration == 0)
    };
    let begun = recipe.holds.iter().filter(|hold| hold.from == step);
    for hold in begun.filter(|hold| !is_empty(hold)) {
        wanted[hold.resource] += hold.amount;
    }
    let has_room = wanted.iter().enumerate().all(|(resource, &amount)| {
        let takers = plant.takers(schedule, resource);
        let taken: i64 = takers.iter().filter(|t| t.0 <= at && at < t.1).map(|taker| taker.2).sum();
        amount == 0 || taken + amount <= plant.resources[resource].capacity
    });
    let mut named = units.iter();
    let are_ready = recipe.steps[step].alternatives[way].needs.iter().all(|&(resource, _)| {
        if !plant.resources[resource].is_named {
            return true;
        }
        let unit = *named.next().unwrap();
        let state = [plant.orders[order].family, plant.orders[order].colour].map(Some);
        is_ready(plant, schedule, resource, unit, state, at)
    });
    has_room && are_ready
}

/// Whether a named unit is free and set up for a family.
fn is_ready(
    plant: &Plant,
    schedule: &Schedule,
    resource: usize,
    unit: usize,
    state: State,
    at: i64,
) -> bool {
    let line = plant.line(schedule, resource, unit);
    let last = line.iter().rfind(|entry| entry.0 <= at);
    if last.is_some_and(|last| at < last.1) {
        return false;
    }
    let Some(setup) = &plant.resources[resource].setup else { return true };
    let before = last.map(|last| (last.1, last.2)).or(setup.start().map(|state| (0, state)));
    before.is_none_or(|(until, before)| at >= until + setup.between(before, state).0)
}

/// What the other rules say about a start.
fn lets(
    plant: &Plant,
    schedule: &Schedule,
    (order, step): (usize, usize),
    rule: Rule,
    at: i64,
) -> bool {
    match rule {
        Rule::Greedy | Rule::NonLazy => true,
        Rule::NonOvertaking => earlier(plant, order).all(|other| schedule[other][step].start <= at),
        Rule::MaxActive(most) => {
            let has_begun = schedule[order].iter().any(|placed| placed.start <= at);
            let orders = 0..plant.orders.len();
            let active = orders.filter(|&order| is_active(schedule, order, at)).count() as i64;
            // Who is over at once is never active.
            let steps = &plant.recipes[plant.orders[order].recipe].steps;
            let takes_time = |step: &Step| step.alternatives.iter().any(|way| way.duration > 0);
            let is_instant = steps.len() == 1 && !steps.iter().any(takes_time);
            has_begun || is_instant || active < most
        }
        Rule::StartWithin(time) => plant.orders[order].due.is_none_or(|due| at >= due - time),
    }
}
