//! A schedule in the plan's terms: for every step of every order, when, how, and with which units
//! of its holds.

use crate::plan::{Need, Plan, Resource};
use std::collections::BTreeMap;
use takt_spec::schedule::{Kind, Row, Schedule};

/// One step at its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub start: i64,
    pub end: i64,
    /// A position in the step's modes.
    pub mode: usize,
    /// For each hold that begins with the step: the choice of pools.
    pub holds: Vec<(usize, usize)>,
}

/// `[order][step]`
pub type Jobs = Vec<Vec<Job>>;

/// Reads a schedule. What it takes must be what some mode of the step takes.
pub fn read(plan: &Plan, schedule: &Schedule) -> Result<Jobs, String> {
    let mut rows: BTreeMap<(&str, &str, bool), Vec<&Row>> = BTreeMap::new();
    for row in &schedule.rows {
        if row.kind == Kind::Step || row.kind == Kind::Hold {
            let key = (row.order.as_str(), row.step.as_str(), row.kind == Kind::Hold);
            rows.entry(key).or_default().push(row);
        }
    }
    let mut jobs = Vec::new();
    let units = Units::of(plan);
    for order in 0..plan.orders.len() {
        let own = (0..plan.steps(order).len()).map(|step| job(plan, &units, &rows, order, step));
        jobs.push(own.collect::<Result<Vec<Job>, String>>()?);
    }
    Ok(jobs)
}

fn job(
    plan: &Plan,
    units: &Units,
    rows: &BTreeMap<(&str, &str, bool), Vec<&Row>>,
    order: usize,
    step: usize,
) -> Result<Job, String> {
    let id = plan.orders[order].id.as_str();
    let part = &plan.steps(order)[step];
    let found = rows.get(&(id, part.name.as_str(), false));
    let found = found.ok_or_else(|| format!("the step `{}` of `{id}` is missing", part.name))?;
    let start = found[0].start;
    let taken = units.needs(found);
    let fits = |mode: usize| {
        let way = &part.modes[mode];
        way.needs == taken && plan.end(part, way, start) == Some(found[0].end)
    };
    let mode = (0..part.modes.len()).find(|&mode| fits(mode));
    let mode =
        mode.ok_or_else(|| format!("no way to do `{}` of `{id}` is like this", part.name))?;
    let held = rows.get(&(id, part.name.as_str(), true)).map_or(&[][..], Vec::as_slice);
    let mut holds = Vec::new();
    for (number, hold) in plan.recipes[plan.orders[order].recipe].holds.iter().enumerate() {
        if hold.from == step {
            let name = &plan.resources[hold.resource].name;
            let own: Vec<&Row> = held.iter().copied().filter(|r| r.resource == *name).collect();
            let taken = units.needs(&own);
            let choice = hold.choices.iter().position(|choice| *choice == taken);
            holds.push((number, choice.unwrap_or(0)));
        }
    }
    Ok(Job { start, end: found[0].end, mode, holds })
}

/// Where units are, by name.
struct Units<'p>(BTreeMap<&'p str, Pools<'p>>);

/// The pools of a resource.
enum Pools<'p> {
    /// All units are in one.
    One(usize),
    /// By the name of a unit; the first, where a row leaves that open.
    Many(BTreeMap<&'p str, usize>, usize),
}

impl<'p> Units<'p> {
    fn of(plan: &'p Plan) -> Units<'p> {
        let pools = |resource: &'p Resource| {
            if let [pool] = resource.pools[..] {
                return Pools::One(pool);
            }
            let mut units = BTreeMap::new();
            for &pool in &resource.pools {
                let own = plan.pools[pool].units.iter();
                units.extend(own.map(|&unit| (resource.units[unit].as_str(), pool)));
            }
            let first = resource.units.first().and_then(|unit| units.get(unit.as_str()).copied());
            Pools::Many(units, first.unwrap_or(0))
        };
        let resources = plan.resources.iter();
        Units(resources.map(|resource| (resource.name.as_str(), pools(resource))).collect())
    }

    /// What rows take, pool by pool.
    fn needs(&self, rows: &[&Row]) -> Vec<Need> {
        let mut amounts: BTreeMap<usize, i64> = BTreeMap::new();
        for row in rows {
            let pool = match self.0.get(row.resource.as_str()) {
                None => continue,
                Some(Pools::One(pool)) => *pool,
                Some(Pools::Many(units, first)) => *units.get(row.unit.as_str()).unwrap_or(first),
            };
            *amounts.entry(pool).or_insert(0) += 1;
        }
        amounts.into_iter().map(|(pool, amount)| Need { pool, amount }).collect()
    }
}
