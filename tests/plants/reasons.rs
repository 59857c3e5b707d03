//! Why a plant is infeasible: what is named is infeasible by itself, and no part of it is named for
//! nothing. Tried by brute force on the plant with what is named alone.

use crate::Patient;
use takt::{Problem, Reason, Request, Status};
use takt_diagnostic::FileId;
use takt_spec as spec;
use takt_testing::Random;
use takt_testing::plants::{self, Features, Objective, Plant};

/// Demands as they are named: kind, and whose.
type Named = Vec<(&'static str, String)>;

/// A plant with tight deadlines.
fn plant(seed: u64) -> Plant {
    let r = &mut Random::new(seed ^ 0xfa11);
    let mut has = Features { releases: true, capacity: true, ..Features::default() };
    match r.amount(6) {
        0 => has.max_lags = true,
        1 => has.holds = true,
        2 => has.calendars = true,
        3 => has.setups = true,
        4 => (has.graphs, has.max_lags) = (true, true),
        _ => {}
    }
    has.sequels = r.percent(25);
    let mut plant = plants::plant(seed, has);
    for order in &mut plant.orders {
        let work: i64 = 2 * plant.recipes[order.recipe].steps.len() as i64;
        order.deadline = r.percent(85).then(|| order.release + work + r.amount(4));
    }
    plant.objective = Objective::Feasible;
    plant.horizon = 24;
    plant
}

fn reason(plant: &Plant) -> Option<Reason> {
    let text = plant.yaml();
    let spec = spec::read(&text, FileId(0)).unwrap_or_else(|e| panic!("{e:?}\n{text}")).0;
    let problem = Problem::new("random", spec);
    let solution = takt::solve(&problem, &Request::default(), &Patient);
    let solution = solution.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    if solution.status != Status::Infeasible {
        return None;
    }
    Some(solution.reason.unwrap_or_else(|| panic!("no reason\n{text}")))
}

/// The plant of which only these demands count.
fn alone(plant: &Plant, named: &Named) -> Plant {
    let has = |kind: &str, name: String| named.iter().any(|(k, n)| *k == kind && *n == name);
    let mut plant = plant.clone();
    for (k, resource) in plant.resources.iter_mut().enumerate() {
        if !has("calendar", format!("m{k}")) {
            resource.calendar = None;
        }
        if !has("setup", format!("m{k}")) {
            resource.setup = None;
        }
        if !has("capacity", format!("m{k}")) {
            (resource.capacity, resource.is_named, resource.setup) = (100, false, None);
        }
    }
    for (k, recipe) in plant.recipes.iter_mut().enumerate() {
        for (n, step) in recipe.steps.iter_mut().enumerate() {
            if !has("lag", format!("r{k}.s{n}")) {
                step.after.iter_mut().for_each(|link| link.max = None);
            }
        }
        recipe.holds.retain(|hold| has("hold", format!("r{k}.m{}", hold.resource)));
    }
    for (k, order) in plant.orders.iter_mut().enumerate() {
        if !has("deadline", format!("o{k}")) {
            order.deadline = None;
        }
        if !has("release", format!("o{k}")) {
            order.release = 0;
        }
    }
    let is_kept = |k: usize| has("order", format!("o{k}"));
    for (k, order) in plant.orders.iter_mut().enumerate() {
        order.after.retain(|link| has("after", format!("o{k}")) && is_kept(link.before));
        for link in &mut order.after {
            link.before = (0..link.before).filter(|&other| is_kept(other)).count();
        }
    }
    let mut number = 0..;
    plant.orders.retain(|_| number.next().is_some_and(is_kept));
    plant
}

#[test]
fn what_is_named_conflicts_by_itself() {
    let (mut searched, mut several) = (0, 0);
    for seed in 0..250 {
        let plant = plant(seed);
        let Some(reason) = reason(&plant) else { continue };
        let text = plant.yaml();
        assert!(!reason.message.is_empty() && !reason.places.is_empty(), "seed {seed}\n{text}");
        if reason.conflict.iter().all(|(kind, _)| *kind == "order") {
            // Seen from each order alone: everything about it counts.
            for (_, name) in &reason.conflict {
                let mut only = plant.orders[name[1..].parse::<usize>().unwrap()].clone();
                only.after.clear();
                let alone = Plant { orders: vec![only], ..plant.clone() };
                assert_eq!(alone.solve(), None, "seed {seed}: {}\n{text}", reason.message);
            }
            continue;
        }
        let left = alone(&plant, &reason.conflict);
        assert!(!left.orders.is_empty(), "seed {seed}: {}\n{text}", reason.message);
        assert_eq!(left.solve(), None, "seed {seed}: {}\n{text}", reason.message);
        several += u32::from(left.orders.len() > 1);
        searched += u32::from(!reason.message.contains("between"));
        is_minimal(seed, &plant, &reason);
    }
    assert!(several > 20 && searched > 5, "{several} with several orders, {searched} searched");
}

/// Without any one of its demands the rest can be met.
fn is_minimal(seed: u64, plant: &Plant, reason: &Reason) {
    // An overload names all that the time it counts depends on.
    if reason.message.contains("between") || reason.message.contains("minimal") {
        return;
    }
    for k in 0..reason.conflict.len() {
        let mut named = reason.conflict.clone();
        let (kind, name) = named.remove(k);
        // An order goes with all that is its own; an empty plant can always be met.
        let left = alone(plant, &named);
        let text = plant.yaml();
        let said = &reason.message;
        assert!(left.solve().is_some(), "seed {seed}: {said}, also without {kind} {name}\n{text}");
    }
}
