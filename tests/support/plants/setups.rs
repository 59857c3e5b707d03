//! Setups of several parts, and setups that are work: drawn, and judged by trying every start and every unit.

use super::brute::{Plant, Resource, Schedule, Setup, Work};
use crate::Random;

/// Setups by colour beside those by family.
pub fn add_parts(r: &mut Random, plant: &mut Plant) {
    plant.orders.iter_mut().for_each(|order| order.colour = r.below(2));
    for setup in plant.resources.iter_mut().filter_map(|resource| resource.setup.as_mut()) {
        if r.percent(70) {
            setup.by_colour = Some(Box::new(drawn(r)));
        }
    }
}

fn drawn(r: &mut Random) -> Setup {
    let mut table = |most: i64| [[0, 1], [0, 1]].map(|row| row.map(|_: i32| r.amount(most)));
    let (time, cost) = (table(3), table(4));
    let initial = r.percent(50).then(|| r.below(2));
    Setup { time, cost, initial, by_colour: None, crew: None, keeps_calendar: false }
}

/// Crews for setups: a resource that steps take, too, or one that does nothing else.
pub fn add_crews(r: &mut Random, plant: &mut Plant) {
    let calendars = plant.calendars.len();
    // Whoever waits for windows of several others waits long.
    plant.horizon += if calendars > 0 { 8 } else { 0 };
    let calendar = |r: &mut Random| (calendars > 0 && r.percent(60)).then(|| r.below(calendars));
    let mut crew =
        Resource { capacity: 1 + r.amount(2), calendar: calendar(r), ..Resource::default() };
    if r.percent(30) {
        crew.is_named = true;
        crew.unit_calendars = (0..crew.capacity).map(|_| calendar(r)).collect();
    }
    plant.resources.push(crew);
    let able: Vec<(usize, i64)> = (plant.resources.iter().enumerate())
        .filter(|(_, resource)| resource.setup.is_none())
        .map(|(k, resource)| (k, if resource.is_named { 1 } else { resource.capacity }))
        .collect();
    let give = |r: &mut Random, part: &mut Setup| {
        part.crew = r.percent(75).then(|| {
            let (resource, most) =
                able[if r.percent(50) { able.len() - 1 } else { r.below(able.len()) }];
            (resource, if r.percent(70) { 1 } else { most })
        });
        part.keeps_calendar = r.percent(if calendars > 0 { 60 } else { 15 });
    };
    for setup in plant.resources.iter_mut().filter_map(|resource| resource.setup.as_mut()) {
        give(r, setup);
        setup.by_colour.iter_mut().for_each(|part| give(r, part));
    }
}

/// A setup in its place: from, to, and what it takes: resource, amount, which unit.
type Placed = (i64, i64, Vec<(usize, i64, Option<usize>)>);

/// Whether there is a place for each of these setups.
pub fn fit(plant: &Plant, schedule: &Schedule, work: &[Work]) -> bool {
    place(plant, schedule, work, &mut Vec::new())
}

fn place(plant: &Plant, schedule: &Schedule, work: &[Work], placed: &mut Vec<Placed>) -> bool {
    let Some(next) = work.get(placed.len()) else { return true };
    for crew in crews(plant, next) {
        for start in next.from..=next.to - next.time {
            let slots = start..start + next.time;
            if slots.clone().all(|slot| is_possible(plant, schedule, next, &crew, placed, slot)) {
                placed.push((start, slots.end, crew.clone()));
                if place(plant, schedule, work, placed) {
                    return true;
                }
                placed.pop();
            }
        }
    }
    false
}

/// What the parts take together, the most of each resource; of named units each choice.
fn crews(plant: &Plant, work: &Work) -> Vec<Vec<(usize, i64, Option<usize>)>> {
    let mut found = vec![Vec::new()];
    for resource in 0..plant.resources.len() {
        let own = work.parts.iter().filter_map(|part| part.crew).filter(|crew| crew.0 == resource);
        let Some(amount) = own.map(|crew| crew.1).max() else { continue };
        let units: Vec<Option<usize>> = match plant.resources[resource].is_named {
            true => (0..plant.resources[resource].capacity as usize).map(Some).collect(),
            false => vec![None],
        };
        found = (found.iter())
            .flat_map(|known: &Vec<_>| {
                units.iter().map(move |&unit| [&known[..], &[(resource, amount, unit)]].concat())
            })
            .collect();
    }
    found
}

fn is_possible(
    plant: &Plant,
    schedule: &Schedule,
    work: &Work,
    crew: &[(usize, i64, Option<usize>)],
    placed: &[Placed],
    slot: i64,
) -> bool {
    let others = || {
        placed.iter().filter(|other| other.0 <= slot && slot < other.1).flat_map(|other| &other.2)
    };
    let is_there = |&(resource, amount, unit): &(usize, i64, Option<usize>)| {
        let (mut units, mut taken) = plant.taken(schedule, resource, slot);
        for other in others().filter(|other| other.0 == resource) {
            taken += other.1;
            units.extend(other.2);
        }
        taken + amount <= plant.resources[resource].capacity
            && unit.is_none_or(|unit| !units.contains(&unit))
    };
    let keeps_calendar = work.parts.iter().any(|part| part.keeps_calendar);
    let units = crew.iter().map(|&(resource, _, unit)| (resource, unit.unwrap_or(0)));
    let is_open = units.chain([work.at]).all(|unit| plant.is_unit_open(unit, slot));
    crew.iter().all(is_there) && (!keeps_calendar || is_open)
}
