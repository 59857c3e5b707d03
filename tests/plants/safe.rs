//! A heuristic that is said to be safe keeps one of the best schedules, alone and together with
//! the others that are: by trying everything with the heuristics and without.
//!
//! The plants are made to stand at the border of the verdicts: orders of one recipe that are alike
//! but for one thing. `TAKT_PLANTS` is how many are tried.

use takt_diagnostic::FileId;
use takt_plant::Heuristic;
use takt_spec as spec;
use takt_testing::Random;
use takt_testing::plants::{
    self, Alternative, Calendar, Features, Link, Objective, Order, Plant, Recipe, Resource, Rule,
    Step,
};

/// A few features at a time, as all of them together leave nothing safe.
fn features(r: &mut Random) -> Features {
    let mut has =
        Features { rules: [0b00010, 0b00100, 0b00110][r.below(3)], ..Features::default() };
    if r.percent(20) {
        has.rules |= 1 << [0, 3, 4][r.below(3)];
    }
    has.costs = r.percent(50);
    has.sequels = r.percent(15);
    has.late = has.costs && r.percent(30);
    has.releases = r.percent(50);
    has.capacity = r.percent(40);
    for _ in 0..r.amount(3) {
        match r.amount(10) {
            0 => has.graphs = true,
            1 => has.max_lags = true,
            2 => has.holds = true,
            3 => has.alternatives = true,
            4 => (has.units, has.calendars) = (true, true),
            5 => has.setups = true,
            6 => has.calendars = true,
            7 => {
                (has.calendars, has.pauses) = (true, true);
                match r.percent(50) {
                    true => has.units = true,
                    false => has.alternatives = true,
                }
            }
            8 => (has.holds, has.capacity) = (true, true),
            _ => (has.calendars, has.pauses) = (true, true),
        }
    }
    has
}

fn plant(seed: u64) -> Plant {
    let r = &mut Random::new(seed ^ 0x5afe);
    let has = features(r);
    let mut plant = plants::plant(seed, has);
    let recipe = usize::from(r.percent(30));
    level(r, &mut plant, recipe);
    align(r, &mut plant, recipe);
    if has.pauses && has.alternatives && r.percent(50) {
        return paused(r, plant.rules);
    }
    plant.horizon = match plant.objective {
        Objective::Makespan => 14,
        _ if has.calendars || has.setups => 12,
        _ => 10,
    };
    plant
}

/// Ways to do a step that are alike or nearly so; the interesting ones take no time at all.
fn level(r: &mut Random, plant: &mut Plant, recipe: usize) {
    for step in &mut plant.recipes[recipe].steps {
        let first = step.alternatives[0].duration;
        if r.percent(75) {
            step.alternatives.iter_mut().for_each(|way| way.duration = first);
        }
        if step.alternatives[0].needs.is_empty() && r.percent(50) {
            step.alternatives[0].duration = 0;
        }
    }
    if r.percent(50) {
        plant.resources.iter_mut().for_each(|resource| resource.performance = None);
    }
}

/// Orders of one recipe, alike in most things, their instants in sequence mostly.
fn align(r: &mut Random, plant: &mut Plant, recipe: usize) {
    if plant.recipes[recipe].steps.len() > 1 {
        plant.orders.truncate(2);
        plant.orders.iter_mut().for_each(|order| order.after.retain(|link| link.before < 2));
    }
    let first = plant.orders[0].clone();
    let (families, rates) = (r.percent(85), r.percent(85));
    let (storage, holding) = (r.percent(60), r.percent(60));
    for order in &mut plant.orders {
        order.recipe = recipe;
        if families {
            order.family = first.family;
        }
        if rates {
            (order.delay, order.storage, order.holding, order.late) =
                (first.delay, first.storage, first.holding, first.late);
        }
        if storage {
            order.storage = 0;
        }
        if holding {
            order.holding = 0;
        }
        // Rates on lateness are nothing without a due instant.
        if order.delay + order.storage + order.late > 0 && order.due.is_none() {
            order.due = Some(2 + r.amount(6));
        }
    }
    if r.percent(80) {
        let mut releases: Vec<i64> = plant.orders.iter().map(|order| order.release).collect();
        let mut dues: Vec<_> = plant.orders.iter().map(|o| (o.due.is_none(), o.due)).collect();
        let mut deadlines: Vec<_> =
            plant.orders.iter().map(|o| (o.deadline.is_none(), o.deadline)).collect();
        releases.sort_unstable();
        dues.sort_unstable();
        deadlines.sort_unstable();
        for (k, order) in plant.orders.iter_mut().enumerate() {
            (order.release, order.due, order.deadline) = (releases[k], dues[k].1, deadlines[k].1);
        }
    }
}

/// Two orders that may be done on one of two machines, both with pauses of their own, and every
/// unit of time counts: who starts first need not end first.
fn paused(r: &mut Random, rules: Vec<Rule>) -> Plant {
    let calendar = |r: &mut Random| {
        let first = r.amount(2);
        let end = first + 1 + r.amount(2);
        let later = end + 1 + r.amount(7);
        let mut windows = vec![(first, end)];
        if r.percent(70) {
            windows.push((later, later + 4));
        }
        Calendar { windows, repeat: None }
    };
    let calendars = vec![calendar(r), calendar(r)];
    let on = |k: usize| Resource { capacity: 1, calendar: Some(k), ..Resource::default() };
    let duration = 1 + r.amount(3);
    let way = |k: usize| Alternative { needs: vec![(k, 1)], duration };
    let split = Step {
        alternatives: vec![way(0), way(1)],
        after: Vec::new(),
        pause: Some(None),
        same: None,
    };
    let whole = Alternative { needs: Vec::new(), duration: r.amount(5) };
    let link = Link { before: 0, from_start: false, min: 0, max: None };
    let rest = Step { alternatives: vec![whole], after: vec![link], pause: None, same: None };
    let recipes = vec![Recipe { steps: vec![split, rest], holds: Vec::new() }];
    let orders = vec![Order { due: Some(0), delay: 1, ..Order::default() }; 2];
    let (resources, objective) = (vec![on(0), on(1)], Objective::Cost);
    let (now, facts, earlier) = (0, Vec::new(), None);
    let horizon = 16;
    Plant { calendars, resources, recipes, orders, objective, rules, horizon, now, facts, earlier }
}

fn verdicts(plant: &Plant) -> Vec<Heuristic> {
    takt_plant::plan(&super::read(plant)).unwrap().heuristics
}

/// The rules that are said to be safe.
fn safe(plant: &Plant) -> Vec<Rule> {
    let judged = plant.rules.iter().zip(verdicts(plant));
    judged.filter(|(_, verdict)| verdict.is_safe).map(|(&rule, _)| rule).collect()
}

/// What the safe ones of a plant are, and whether it can be done at all; the optimum must stay.
fn keeps_optimum(seed: u64) -> (Vec<Rule>, bool) {
    let mut plant = plant(seed);
    let rules = safe(&plant);
    if rules.is_empty() {
        return (rules, false);
    }
    let text = plant.yaml();
    plant.rules.clear();
    let best = plant.solve();
    plant.rules.clone_from(&rules);
    assert_eq!(plant.solve(), best, "seed {seed}: {rules:?} said to be safe\n{text}");
    (rules, best.is_some())
}

fn count() -> u64 {
    std::env::var("TAKT_PLANTS").map_or(600, |text| text.parse().expect("a number"))
}

#[test]
fn safe_rules_keep_an_optimum() {
    let (mut hurried, mut sequenced, mut both) = (0, 0, 0);
    let wrong: Vec<u64> = (0..count())
        .filter(|&seed| match std::panic::catch_unwind(|| keeps_optimum(seed)) {
            Ok((rules, can_be_done)) => {
                let has = |rule| u64::from(can_be_done && rules.contains(&rule));
                hurried += has(Rule::NonLazy);
                sequenced += has(Rule::NonOvertaking);
                both += has(Rule::NonLazy) * has(Rule::NonOvertaking);
                false
            }
            Err(_) => true,
        })
        .collect();
    assert!(wrong.is_empty(), "{} seeds: {wrong:?}", wrong.len());
    // Verdicts that never come would never be wrong.
    let least = [hurried * 10, sequenced * 6, both * 30].into_iter().min();
    assert!(least >= Some(count()), "non-lazy {hurried}, non-overtaking {sequenced}, both {both}");
}

/// A plant on which both ways to do a step pause at times of their own: 23 without the rule that
/// orders do not overtake each other, 24 with it.
#[test]
fn work_that_pauses_may_be_overtaken() {
    let text = "
        takt: 1
        calendars:
          split: {windows: [[0, 1], [9, 20]]}
          short: {windows: [[1, 3]]}
        resources: {m0: {calendar: split}, m1: {calendar: short}}
        recipes:
          r:
            steps:
              - {name: a, on: {any: [m0, m1]}, duration: 2, interruptible: true}
              - {name: b, duration: 5}
        orders:
          - {id: A, recipe: r, due: 0, delay-cost: 1}
          - {id: B, recipe: r, due: 0, delay-cost: 1}
        objective: cost
        heuristics: [non-overtaking]
    ";
    let is_safe = |text: &str| {
        let spec = spec::read(text, FileId(0)).unwrap().0;
        takt_plant::plan(&spec).unwrap().heuristics[0].is_safe
    };
    assert!(!is_safe(text));
    assert!(is_safe(&text.replace(", interruptible: true", "")));
    assert!(is_safe(&text.replace("calendar: short", "calendar: split")));
}
