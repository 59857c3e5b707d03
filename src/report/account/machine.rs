//! What the schedule of a layout comes to: when each wafer comes and leaves, and how busy each
//! component is in the cycle.

use super::{Account, OrderFigures, Unit, Use};
use std::collections::BTreeMap;
use takt_spec::schedule::{Row, Schedule};
use takt_spec::{Layout, Spec};

/// What is under way when the cycle begins is under way when it ends: so the cycle itself shows how
/// busy components are for ever.
pub fn machine(spec: &Spec, schedule: &Schedule, cycle: (i64, i64)) -> Account {
    let end = schedule.rows.iter().map(|row| row.end).max().unwrap_or(0);
    let resources = spec.layout.as_ref().map_or_else(Vec::new, components);
    let busy = |resource: Use| Use { utilisation: share(&resource, schedule, cycle), ..resource };
    Account {
        time: spec.time.clone(),
        orders: wafers(schedule),
        resources: resources.into_iter().map(busy).collect(),
        end,
        ..Account::default()
    }
}

/// The track, locks, robots with their arms as units, chucks.
fn components(layout: &Layout) -> Vec<Use> {
    let unit = |name: String| Unit { name, open: None };
    let plain = |name: &str| Use {
        name: name.to_owned(),
        units: vec![unit(String::new())],
        ..Use::default()
    };
    let mut all = vec![plain("track")];
    all.extend(layout.locks.ids.iter().map(|lock| plain(&lock.value)));
    all.extend(layout.robots.iter().map(|robot| Use {
        name: robot.name.value.clone(),
        units: (0..robot.arms.value).map(|arm| unit(arm.to_string())).collect(),
        ..Use::default()
    }));
    all.extend(layout.chucks.ids.iter().map(|chuck| plain(&chuck.value)));
    all
}

/// The share of the window in which its units are taken.
fn share(resource: &Use, schedule: &Schedule, (from, to): (i64, i64)) -> f64 {
    let rows = schedule.rows.iter().filter(|row| row.resource == resource.name);
    let taken: i64 = rows.map(|row| (row.end.min(to) - row.start.max(from)).max(0)).sum();
    let open = (to - from).max(1) * resource.units.len().max(1) as i64;
    taken as f64 / open as f64
}

/// In the sequence in which they are loaded; without an end for those still inside.
fn wafers(schedule: &Schedule) -> Vec<OrderFigures> {
    let mut found: BTreeMap<(i64, &str), OrderFigures> = BTreeMap::new();
    let mut starts: BTreeMap<&str, i64> = BTreeMap::new();
    let at_track = |row: &&Row| row.resource == "track" && !row.order.is_empty();
    let mut rows: Vec<&Row> = schedule.rows.iter().filter(at_track).collect();
    rows.sort_by_key(|row| row.start);
    for row in rows {
        let start = *starts.entry(&row.order).or_insert(row.start);
        let order = found.entry((start, &row.order)).or_insert_with(|| OrderFigures {
            id: row.order.clone(),
            start: Some(start),
            ..OrderFigures::default()
        });
        if row.step == "unload" {
            order.finish = Some(row.end);
        }
    }
    found.into_values().collect()
}
