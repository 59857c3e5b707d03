//! The learning search against trying everything: same status and value for every construct, every schedule
//! accepted, and no bound on the way above the optimum. `TAKT_PLANTS=20000` tries as many plants.

use super::improve::{doubled, judge};
use takt_plant::{Aim, Learner, Turn};
use takt_testing::plants::{self, Features};

/// Searches to the end in small slices; the best value found, unless trying everything does not look as
/// far as its schedule goes.
fn optimum(plant: &plants::Plant, known: Option<i64>, aim: Aim) -> Option<i64> {
    let (text, spec) = (plant.yaml(), super::read(plant));
    let plan = takt_plant::plan(&spec).unwrap();
    let mut learner = Learner::new(&plan, aim).expect("a small plan");
    let (mut best, mut last) = (None, None);
    loop {
        if let Some(known) = known.filter(|_| plan.objective != takt_plant::Objective::Feasible) {
            let bound = learner.bound();
            assert!(doubled(&plan, bound) <= known, "{bound} is above {known}\n{text}");
        }
        match learner.advance(20, &mut || false) {
            Turn::Complete => break,
            Turn::Schedule(value, jobs) => {
                assert_eq!(takt_plant::check(&plan, &jobs), Ok(()), "{text}");
                assert_eq!(takt_plant::value(&plan, &jobs), value, "{text}");
                last = Some((value, jobs.clone()));
                let end = jobs.iter().flatten().map(|job| job.end).max();
                judge(plant, &plan, jobs, value);
                let is_seen = end.is_none_or(|end| end <= plant.horizon);
                best = if is_seen { Some(doubled(&plan, value)) } else { known };
            }
            Turn::Bound(_) | Turn::Spent => {}
        }
    }
    if let Some((value, jobs)) = last {
        nothing_is_better(&plan, value, &jobs, aim);
    }
    best
}

/// Whoever is told the best schedule finds no other.
fn nothing_is_better(plan: &takt_plant::Plan, value: i64, jobs: &takt_plant::Jobs, aim: Aim) {
    let mut learner = Learner::new(plan, aim).expect("a small plan");
    learner.adopt(value, jobs);
    loop {
        match learner.advance(200, &mut || false) {
            Turn::Complete => return,
            Turn::Schedule(better, _) => panic!("{better} is found below {value}"),
            Turn::Bound(_) | Turn::Spent => {}
        }
    }
}

fn agree(count: u64, features: Features) {
    let asked = std::env::var("TAKT_PLANTS").ok().and_then(|count| count.parse().ok());
    let mut wrong = Vec::new();
    for seed in 0..asked.unwrap_or(count) {
        let plant = plants::plant(seed, features);
        let known = plant.solve();
        let aim = [Aim::Both, Aim::Better, Aim::Bound][seed as usize % 3];
        let found = std::panic::catch_unwind(|| optimum(&plant, known, aim)).unwrap_or(Some(-1));
        if found != known {
            wrong.push((seed, found, known, plant.yaml()));
        }
    }
    let first = wrong.first().map_or("", |wrong| wrong.3.as_str());
    let short: Vec<_> = wrong.iter().map(|w| (w.0, w.1, w.2)).collect();
    assert!(wrong.is_empty(), "{features:?}: seed, found, best: {short:?}\n{first}");
}

#[test]
fn every_construct_alone() {
    let none = Features::default;
    let all = [
        Features { capacity: true, ..none() },
        Features { graphs: true, releases: true, ..none() },
        Features { costs: true, releases: true, ..none() },
        Features { costs: true, graphs: true, ..none() },
        Features { alternatives: true, units: true, capacity: true, ..none() },
        Features { setups: true, ..none() },
        Features { setups: true, crews: true, parts: true, ..none() },
        Features { setups: true, crews: true, calendars: true, costs: true, ..none() },
        Features { setups: true, costs: true, units: true, ..none() },
        Features { calendars: true, ..none() },
        Features { calendars: true, pauses: true, ..none() },
        Features { calendars: true, units: true, costs: true, ..none() },
        Features { graphs: true, max_lags: true, releases: true, ..none() },
        Features { holds: true, capacity: true, graphs: true, ..none() },
        Features { holds: true, graphs: true, costs: true, ..none() },
        Features { costs: true, late: true, releases: true, graphs: true, ..none() },
        Features { sequels: true, graphs: true, max_lags: true, ..none() },
        Features { sequels: true, costs: true, setups: true, ..none() },
        Features { terms: true, capacity: true, ..none() },
        Features { terms: true, setups: true, costs: true, ..none() },
        Features { same: true, capacity: true, alternatives: true, ..none() },
        Features { same: true, setups: true, terms: true, costs: true, ..none() },
        Features { facts: true, setups: true, costs: true, ..none() },
        Features { earlier: true, costs: true, graphs: true, ..none() },
        Features { earlier: true, costs: true, units: true, alternatives: true, ..none() },
        Features { facts: true, pins: true, calendars: true, pauses: true, ..none() },
    ];
    all.into_iter().for_each(|features| agree(40, features));
}

#[test]
fn all_constructs_together() {
    let has = Features::all();
    agree(60, has);
    agree(100, Features { costs: true, ..has });
    agree(60, Features { costs: true, late: true, ..has });
    agree(60, Features { costs: true, sequels: true, facts: true, ..has });
    agree(60, Features { costs: true, facts: true, pins: true, ..has });
    agree(60, Features { costs: true, facts: true, earlier: true, ..has });
}
