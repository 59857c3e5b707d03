//! What a generator seldom draws by itself: ranges of one value, zeros, things that are equal, limits
//! that bind at once or never, calendars that are always or never open.

use super::brute::{Calendar, Plant, Rule};
use crate::Random;

/// Takes some of a plant's values to their extremes.
pub fn push(r: &mut Random, plant: &mut Plant) {
    for _ in 0..1 + r.amount(3) {
        match r.amount(5) {
            0 => calendars(r, plant),
            1 => resources(r, plant),
            2 => steps(r, plant),
            3 => orders(r, plant),
            _ => rules(r, plant),
        }
    }
}

fn calendars(r: &mut Random, plant: &mut Plant) {
    if plant.calendars.is_empty() {
        return;
    }
    let which = r.below(plant.calendars.len());
    let length = 1 + r.amount(4);
    let calendar = &mut plant.calendars[which];
    match r.amount(7) {
        0 => *calendar = Calendar { windows: vec![(0, length)], repeat: Some(length) },
        1 => *calendar = Calendar { windows: vec![(0, 1)], repeat: Some(1) },
        2 => *calendar = Calendar { windows: vec![(0, 300)], repeat: None },
        3 => calendar.windows = calendar.windows.iter().map(|w| (w.0, w.0 + 1)).collect(),
        4 => {
            // The same again, in another sequence.
            let mut again = calendar.windows.clone();
            again.reverse();
            calendar.windows.splice(0..0, again);
        }
        5 if r.percent(20) => *calendar = Calendar { windows: Vec::new(), repeat: None },
        _ => {
            let same = calendar.clone();
            plant.calendars.iter_mut().for_each(|other| *other = same.clone());
        }
    }
}

fn resources(r: &mut Random, plant: &mut Plant) {
    for resource in &mut plant.resources {
        match r.amount(4) {
            0 => resource.performance = Some(10),
            1 => resource.run_cost = 0,
            2 => {
                let time = r.amount(2);
                if let Some(setup) = &mut resource.setup {
                    setup.time = [[time; 2]; 2];
                    setup.cost = [[0; 2]; 2];
                }
            }
            _ => {}
        }
    }
}

fn steps(r: &mut Random, plant: &mut Plant) {
    for recipe in &mut plant.recipes {
        for step in &mut recipe.steps {
            match r.amount(4) {
                0 => step.pause = step.pause.map(|_| Some(0)),
                1 => step.after.iter_mut().for_each(|link| link.max = link.max.map(|_| link.min)),
                2 => {
                    let all = step.alternatives.iter_mut();
                    all.for_each(|way| way.duration = way.duration.min(1));
                }
                _ => {}
            }
        }
        if r.percent(30) {
            recipe.holds.iter_mut().for_each(|hold| hold.until = hold.from);
        }
    }
}

fn orders(r: &mut Random, plant: &mut Plant) {
    match r.amount(5) {
        0 => plant.orders.truncate(1),
        1 => {
            let first = plant.orders[0].clone();
            plant.orders.truncate(2);
            plant.orders.iter_mut().for_each(|order| *order = first.clone());
        }
        2 => {
            let zero = |order: &mut super::brute::Order| {
                (order.delay, order.storage, order.holding) = (0, 0, 0);
            };
            plant.orders.iter_mut().for_each(zero);
        }
        3 => {
            let due_at_once = |order: &mut super::brute::Order| {
                order.due = order.due.map(|_| order.release.min(1));
            };
            plant.orders.iter_mut().for_each(due_at_once);
        }
        _ => {
            plant.orders.iter_mut().for_each(|order| order.release = 0);
            let never = |order: &mut super::brute::Order| order.deadline = Some(1_000_000_000);
            plant.orders.iter_mut().for_each(never);
        }
    }
}

fn rules(r: &mut Random, plant: &mut Plant) {
    for rule in &mut plant.rules {
        match rule {
            Rule::MaxActive(most) => *most = [1, 1_000_000_000][r.below(2)],
            Rule::StartWithin(time) => *time = [0, 1, 1_000_000_000][r.below(3)],
            _ => {}
        }
    }
}
