//! Schedules of random plants, broken at random: the validator accepts just what a judge accepts that
//! reads the rules slot by slot, and it names what is wrong.

use super::*;
use takt_spec::schedule::Row;
use takt_testing::Random;
use takt_testing::plants::{self as brute, Features, Objective, Placed, Plant};

/// Each step at the first start that the judge accepts.
fn valid(plant: &Plant, r: &mut Random) -> Option<brute::Schedule> {
    let mut schedule: brute::Schedule = vec![Vec::new(); plant.orders.len()];
    for (order, of) in plant.orders.iter().enumerate() {
        for (step, written) in plant.recipes[of.recipe].steps.iter().enumerate() {
            let alternative = r.below(written.alternatives.len());
            let choices = plant.unit_choices(of.recipe, step, alternative);
            let units = choices[r.below(choices.len())].clone();
            let is_placed = (of.release..of.release + 40).any(|start| {
                let end = plant.end(order, step, alternative, &units, start);
                let Some(end) = end else { return false };
                schedule[order].push(Placed { start, end, alternative, units: units.clone() });
                let is_right = plant.judge(&schedule).is_some();
                if !is_right {
                    schedule[order].pop();
                }
                is_right
            });
            if !is_placed {
                return None;
            }
        }
    }
    Some(schedule)
}

fn rows(plant: &Plant, schedule: &brute::Schedule) -> Schedule {
    let mut rows = Vec::new();
    for (order, own) in schedule.iter().enumerate() {
        let recipe = &plant.recipes[plant.orders[order].recipe];
        for (step, placed) in own.iter().enumerate() {
            let row = Row {
                order: format!("o{order}"),
                step: format!("s{step}"),
                start: placed.start,
                end: placed.end,
                ..Row::default()
            };
            let needs = &recipe.steps[step].alternatives[placed.alternative].needs;
            let mut named = placed.units.iter();
            for &(resource, amount) in needs {
                let is_named = plant.resources[resource].is_named;
                let unit = named.by_ref().take(usize::from(is_named)).next();
                let name = |&unit: &usize| plant.resources[resource].unit_name(unit);
                let unit = unit.map_or(String::new(), name);
                let row = Row { resource: format!("m{resource}"), unit, ..row.clone() };
                rows.extend((0..amount).map(|_| row.clone()));
            }
            if needs.is_empty() {
                rows.push(row);
            }
        }
    }
    Schedule { rows }
}

/// The judge's value, if the schedule is right; ends must follow from starts.
fn judged(plant: &Plant, schedule: &brute::Schedule) -> Option<i64> {
    let is_timed = schedule.iter().enumerate().all(|(order, own)| {
        own.iter().enumerate().all(|(step, placed)| {
            let end = plant.end(order, step, placed.alternative, &placed.units, placed.start);
            placed.start >= plant.orders[order].release && end == Some(placed.end)
        })
    });
    if is_timed { plant.judge(schedule) } else { None }
}

/// Changes one step: its start, its end, its way or its unit.
fn mutate(plant: &Plant, schedule: &mut brute::Schedule, r: &mut Random) {
    let order = r.below(schedule.len());
    let step = r.below(schedule[order].len());
    let recipe = plant.orders[order].recipe;
    let ways = plant.recipes[recipe].steps[step].alternatives.len();
    let placed = &mut schedule[order][step];
    match r.below(5) {
        0 => placed.end += r.below(3) as i64 - 1,
        1 => placed.alternative = r.below(ways),
        _ => placed.start = (placed.start + r.below(7) as i64 - 3).max(0),
    }
    let choices = plant.unit_choices(recipe, step, placed.alternative);
    if !choices.contains(&placed.units) || r.below(4) == 0 {
        placed.units = choices[r.below(choices.len())].clone();
    }
    let end = plant.end(order, step, placed.alternative, &placed.units, placed.start);
    let work = plant.work((recipe, step, placed.alternative), &placed.units);
    if r.below(6) > 0 {
        placed.end = end.unwrap_or(placed.start + work);
    }
}

/// What the validator says is what the judge says.
fn compare(plant: &Plant, spec: &Spec, schedule: &brute::Schedule, seed: u64) -> bool {
    let wanted = judged(plant, schedule);
    let report = validate(spec, &rows(plant, schedule));
    let told = || format!("seed {seed}\n{}\n{schedule:?}\n{:?}", plant.yaml(), report.errors);
    assert_eq!(report.valid, wanted.is_some(), "{}", told());
    for error in &report.errors {
        let is_named = error.order.starts_with('o') && error.step.starts_with('s');
        assert!(is_named && !error.message.is_empty(), "{}", told());
    }
    let exact = |halves: i64, of: i128| Exact::new(i128::from(halves), of);
    let value = wanted.map(|value| match plant.objective {
        Objective::Feasible => None,
        Objective::Makespan => Some(exact(value, 1)),
        Objective::Cost => Some(exact(value, 2)),
    });
    if let Some(value) = value {
        assert_eq!(report.value, value, "{}", told());
    }
    wanted.is_some()
}

fn agree(features: Features) {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..60 {
        let plant = brute::plant(seed, features);
        let spec = spec(&plant.yaml());
        let mut r = Random::new(seed);
        let Some(good) = valid(&plant, &mut r) else { continue };
        assert!(compare(&plant, &spec, &good, seed));
        missing(&plant, &spec, &good, &mut r);
        for _ in 0..40 {
            let mut changed = good.clone();
            for _ in 0..1 + r.below(2) {
                mutate(&plant, &mut changed, &mut r);
            }
            let is_right = compare(&plant, &spec, &changed, seed);
            *(if is_right { &mut right } else { &mut wrong }) += 1;
        }
    }
    assert!(right > 50 && wrong > 200, "{right} right, {wrong} wrong");
}

/// A row that is dropped is missed at its step.
fn missing(plant: &Plant, spec: &Spec, good: &brute::Schedule, r: &mut Random) {
    let mut schedule = rows(plant, good);
    let at = r.below(schedule.rows.len());
    let row = schedule.rows.remove(at);
    let report = validate(spec, &schedule);
    let is_missed = |e: &Violation| {
        (&e.order, &e.step) == (&row.order, &row.step)
            && ["missing-step", "resource"].contains(&e.rule)
    };
    // Another alternative may take just what is left.
    let is_other = report.errors.iter().any(|e| e.rule == "duration") || report.valid;
    assert!(report.errors.iter().any(is_missed) || is_other, "{row:?}\n{}", plant.yaml());
}

const PLAIN: Features = Features {
    holds: false,
    alternatives: false,
    units: false,
    setups: false,
    calendars: false,
    pauses: false,
    ..Features::all()
};

#[test]
fn capacities_lags_and_deadlines() {
    agree(PLAIN);
}

#[test]
fn holds_and_alternatives() {
    agree(Features { holds: true, alternatives: true, ..PLAIN });
}

#[test]
fn calendars_and_pauses() {
    agree(Features { calendars: true, pauses: true, units: true, ..PLAIN });
}

#[test]
fn units_that_differ() {
    agree(Features { terms: true, costs: true, ..PLAIN });
    agree(Features { terms: true, alternatives: true, calendars: true, pauses: true, ..PLAIN });
}

#[test]
fn the_same_units_again() {
    agree(Features { same: true, alternatives: true, ..PLAIN });
    agree(Features { same: true, terms: true, units: true, costs: true, ..PLAIN });
}

#[test]
fn setups_and_costs() {
    agree(Features { setups: true, costs: true, max_lags: false, ..PLAIN });
}

#[test]
fn crews_and_parts() {
    let has = Features { setups: true, crews: true, max_lags: false, ..PLAIN };
    agree(Features { parts: true, costs: true, ..has });
    agree(Features { calendars: true, units: true, ..has });
}

#[test]
fn everything_at_once() {
    let few = Features { max_lags: false, releases: false, ..PLAIN };
    agree(Features {
        holds: true,
        alternatives: true,
        calendars: true,
        pauses: true,
        units: true,
        setups: true,
        costs: true,
        ..few
    });
}
