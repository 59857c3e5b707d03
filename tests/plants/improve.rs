//! Schedules found without automata, against trying everything: each is accepted by the plan's own
//! rules and by the brute reading, none is better than the best, and no floor is above it.

use takt_automata::compose::Templates;
use takt_automata::model;
use takt_plant::{ImproveOptions, IncumbentCallback, Jobs, Plan, TEMPLATE_FILES, lower};
use takt_testing::plants::{self, Features};

struct Last(Option<(i64, Jobs)>);

impl IncumbentCallback for Last {
    fn is_over(&mut self) -> bool {
        false
    }

    fn found(&mut self, value: i64, jobs: &Jobs, _: takt_plant::FoundBy) -> bool {
        self.0 = Some((value, jobs.clone()));
        true
    }
}

/// Values times two, as the brute solver counts.
pub fn doubled(plan: &Plan, value: i64) -> i64 {
    match plan.objective {
        takt_plant::Objective::Cost => value * 2 / plan.cost_scale,
        _ => value,
    }
}

/// How many of the plants that can be met were met, and with the best value.
fn compare(seeds: std::ops::Range<u64>, features: Features) -> (u32, u32, u32) {
    let (mut feasible, mut met, mut best) = (0, 0, 0);
    for seed in seeds {
        let plant = plants::plant(seed, features);
        let (text, spec) = (plant.yaml(), super::read(&plant));
        let known = plant.solve();
        let plan = takt_plant::plan(&spec).unwrap();
        let floor = takt_plant::floor(&plan);
        let mut last = Last(None);
        takt_plant::improve(&plan, &ImproveOptions { seed, floor, effort: 3000 }, &mut last);
        let Some(known) = known else {
            assert_eq!(last.0, None, "seed {seed}: nothing is feasible\n{text}");
            continue;
        };
        feasible += 1;
        assert_eq!(takt_plant::overload(&plan), None, "seed {seed}: it can be done\n{text}");
        if let Some(floor) = floor {
            assert!(doubled(&plan, floor) <= known, "seed {seed}: {floor} above {known}\n{text}");
        }
        let Some((value, jobs)) = last.0 else { continue };
        met += 1;
        assert_eq!(takt_plant::check(&plan, &jobs), Ok(()), "seed {seed}\n{text}");
        assert_eq!(takt_plant::value(&plan, &jobs), value, "seed {seed}\n{text}");
        assert!(doubled(&plan, value) >= known, "seed {seed}: {value} below {known}\n{text}");
        best += u32::from(doubled(&plan, value) == known);
        judge(&plant, &plan, jobs, value);
    }
    (feasible, met, best)
}

/// As a schedule with rows, it keeps all rules and has its value.
pub fn judge(plant: &plants::Plant, plan: &Plan, jobs: Jobs, value: i64) {
    let lowered = lower(plan, &Templates::embedded(&TEMPLATE_FILES));
    let model = model::build(&lowered.network).unwrap().0;
    let schedule = takt_plant::schedule(plan, &takt_plant::settle(plan, &lowered, &model, jobs));
    let judged = plant.judge(&super::placed(plant, &schedule));
    let judged = judged.unwrap_or_else(|| panic!("{}\n{schedule:?}", plant.yaml()));
    if plant.objective != plants::Objective::Feasible {
        assert!(judged <= doubled(plan, value), "{}\n{schedule:?}", plant.yaml());
    }
}

#[test]
fn every_feature_alone() {
    let none = Features::default;
    let all = [
        Features { capacity: true, ..none() },
        Features { graphs: true, releases: true, ..none() },
        Features { costs: true, releases: true, ..none() },
        Features { sequels: true, costs: true, late: true, releases: true, ..none() },
        Features { sequels: true, capacity: true, graphs: true, ..none() },
        Features { alternatives: true, units: true, capacity: true, ..none() },
        Features { setups: true, ..none() },
        Features { setups: true, crews: true, calendars: true, ..none() },
        Features { setups: true, costs: true, ..none() },
        Features { calendars: true, ..none() },
        Features { calendars: true, pauses: true, ..none() },
        Features { calendars: true, units: true, costs: true, ..none() },
        Features { graphs: true, max_lags: true, releases: true, ..none() },
        Features { holds: true, capacity: true, graphs: true, ..none() },
        Features { terms: true, costs: true, setups: true, ..none() },
        Features { same: true, terms: true, alternatives: true, ..none() },
    ];
    for features in all {
        let (feasible, met, best) = compare(0..25, features);
        assert!(met * 10 >= feasible * 9, "met {met} of {feasible}: {features:?}");
        assert!(best * 10 >= feasible * 8, "best {best} of {feasible}: {features:?}");
    }
}

#[test]
fn all_features_together() {
    let has = Features::all();
    for features in [has, Features { costs: true, ..has }] {
        let (feasible, met, best) = compare(0..50, features);
        assert!(met * 10 >= feasible * 8, "met {met} of {feasible}");
        assert!(best * 10 >= feasible * 6, "best {best} of {feasible}");
    }
}

/// Rules that are kept while steps are placed; `non-lazy` alone is for the automata to judge.
#[test]
fn rules_are_kept() {
    let has = Features { capacity: true, releases: true, ..Features::default() };
    for rules in [0b00001, 0b00100, 0b01000, 0b10000, 0b11100] {
        for features in [
            Features { rules, ..has },
            Features { rules, setups: true, costs: true, ..has },
            Features { rules, graphs: true, max_lags: true, ..has },
            Features { rules, calendars: true, pauses: true, ..has },
            Features { rules, holds: true, ..has },
        ] {
            let (feasible, met, _) = compare(0..25, features);
            assert!(met * 10 >= feasible * 8, "met {met} of {feasible}: {features:?}");
        }
    }
}

/// What no schedule is said to cost less than, over many plants that pay for everything.
#[test]
fn no_floor_of_costs_is_above_the_best() {
    let has = Features { costs: true, ..Features::default() };
    let all = [
        Features { releases: true, ..has },
        Features { capacity: true, ..has },
        Features { setups: true, ..has },
        Features { setups: true, units: true, alternatives: true, ..has },
        Features { calendars: true, pauses: true, ..has },
        Features { graphs: true, max_lags: true, releases: true, ..has },
        Features { calendars: true, max_lags: true, graphs: true, ..has },
        Features { earlier: true, graphs: true, alternatives: true, ..has },
        Features { earlier: true, units: true, facts: true, ..has },
        Features { holds: true, capacity: true, calendars: true, ..has },
    ];
    let (mut above_nothing, mut met, mut feasible) = (0, 0, 0);
    for features in all {
        for seed in 100..108 {
            let plant = plants::plant(seed, features);
            let Some(known) = plant.solve() else { continue };
            let spec = super::read(&plant);
            let plan = takt_plant::plan(&spec).unwrap();
            let floor = takt_plant::floor(&plan).map_or(0, |floor| doubled(&plan, floor));
            assert!(floor <= known, "seed {seed}: {floor} above {known}\n{}", plant.yaml());
            feasible += 1;
            above_nothing += u32::from(floor > 0);
            met += u32::from(floor == known);
        }
    }
    assert!(above_nothing * 2 > feasible, "{above_nothing} of {feasible} floors say something");
    assert!(met * 4 > feasible, "{met} of {feasible} floors are met");
}
