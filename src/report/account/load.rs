//! How busy units are, against the time in which they could work.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use takt_plant::{Plan, Resource};
use takt_spec::schedule::{Kind, Row, Schedule};

/// A resource in use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Use {
    pub name: String,
    pub units: Vec<Unit>,
    /// The share of its units' open time, from 0 to the end of the schedule, in which steps,
    /// holds or setups of others take them. Without a calendar all time is open.
    pub utilisation: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    pub name: String,
    /// `[from, to)`, sorted; `None`: always. Units with one calendar share it.
    pub open: Option<Arc<[(i64, i64)]>>,
}

pub fn uses(plan: &Plan, schedule: &Schedule) -> Vec<Use> {
    let end = schedule.end();
    let mut rows: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in schedule.rows.iter().filter(|row| row.kind != Kind::Op) {
        rows.entry(&row.resource).or_default().push(row);
    }
    let resources = plan.resources.iter().map(|resource| {
        let units = units(plan, resource);
        let taken = rows.get(resource.name.as_str()).map_or(&[][..], Vec::as_slice);
        // What is set up does not work meanwhile, but whoever sets it up does.
        let is_set_up = resource.pools.iter().any(|&pool| plan.pools[pool].setup.is_some());
        let is_work = |row: &&&Row| !is_set_up || row.kind != Kind::Setup;
        let taken: Vec<&Row> = taken.iter().filter(is_work).copied().collect();
        let utilisation = utilisation(&units, &taken, end);
        Use { name: resource.name.clone(), units, utilisation }
    });
    resources.collect()
}

fn units(plan: &Plan, resource: &Resource) -> Vec<Unit> {
    let unit = |name: &String| Unit { name: name.clone(), open: None };
    let mut units: Vec<Unit> = resource.units.iter().map(unit).collect();
    for &pool in &resource.pools {
        let Some(calendar) = plan.pools[pool].calendar else { continue };
        let windows = plan.calendars[calendar].windows.iter();
        let open: Arc<[(i64, i64)]> = windows.map(|w| (w.open, w.close)).collect();
        plan.pools[pool].units.iter().for_each(|&unit| units[unit].open = Some(open.clone()));
    }
    units
}

fn utilisation(units: &[Unit], rows: &[&Row], end: i64) -> f64 {
    let open: i64 = units.iter().map(|unit| inside(&unit.open, 0, end)).sum();
    let first = units.first();
    let names: HashMap<&str, &Unit> = units.iter().map(|unit| (unit.name.as_str(), unit)).collect();
    let taken = rows.iter().map(|row| {
        let unit = names.get(row.unit.as_str()).copied().or(first);
        unit.map_or(0, |unit| inside(&unit.open, row.start, row.end))
    });
    taken.sum::<i64>() as f64 / open.max(1) as f64
}

/// How much of `[from, to)` is open.
pub fn inside(open: &Option<Arc<[(i64, i64)]>>, from: i64, to: i64) -> i64 {
    match open {
        None => (to - from).max(0),
        Some(windows) => {
            let first = windows.partition_point(|window| window.1 <= from);
            let seen = windows[first..].iter().take_while(|window| window.0 < to);
            seen.map(|window| window.1.min(to) - window.0.max(from)).sum()
        }
    }
}

/// Steps that last longer than their work pause in between; they work where all their units'
/// calendars are open.
pub fn stretches(uses: &[Use], schedule: &Schedule) -> BTreeMap<(String, String), Vec<(i64, i64)>> {
    let units = uses.iter().flat_map(|resource| resource.units.iter().map(move |u| (resource, u)));
    let open: HashMap<(&str, &str), &[(i64, i64)]> = units
        .filter_map(|(resource, unit)| {
            Some(((resource.name.as_str(), unit.name.as_str()), &unit.open.as_ref()?[..]))
        })
        .collect();
    let mut found: BTreeMap<(String, String), Vec<(i64, i64)>> = BTreeMap::new();
    let paused = |row: &&Row| row.work.is_some_and(|work| work < row.end - row.start);
    for row in schedule.steps().filter(paused) {
        let key = (row.order.clone(), row.step.clone());
        let all = found.entry(key).or_insert_with(|| vec![(row.start, row.end)]);
        if let Some(windows) = open.get(&(row.resource.as_str(), row.unit.as_str())) {
            *all = common(all, windows);
        }
    }
    found
}

fn common(stretches: &[(i64, i64)], windows: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    for &(from, to) in stretches {
        let first = windows.partition_point(|window| window.1 <= from);
        let seen = windows[first..].iter().take_while(|window| window.0 < to);
        found.extend(seen.map(|window| (window.0.max(from), window.1.min(to))));
    }
    found
}
