//! What a spec means before anything is scheduled: orders with their final durations, open time,
//! and what is asked of each resource against what it can do.
//!
//! Data only, made from the plan. Loads are work, not schedules: nothing here says when a step
//! runs. Orders count in the week in which they are due, and holds are not counted.

use crate::plan::{self, Mode, Plan, PoolId, Resource, ResourceId, Step, Window};
use jiff::ToSpan;
use jiff::civil::Weekday;
use takt_spec::Spec;

/// Weeks that are told apart.
const MAX_WEEKS: usize = 60;

/// A way to do a step: resources with amounts, and how long it then takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub needs: Vec<(String, i64)>,
    pub duration: i64,
}

/// A stretch of time `[from, to)` for which loads are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from: i64,
    pub to: i64,
}

/// What is asked of a resource by the orders due in a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    pub resource: String,
    /// `None`: orders without a date, or after all periods.
    pub period: Option<Period>,
    /// Open time of all units in the period.
    pub capacity: Option<i64>,
    /// Work for which there is no other way.
    pub least: i64,
    /// If everything that may be done here is done here.
    pub most: i64,
}

/// The ways to do a step, units of one resource taken together.
pub fn ways(plan: &Plan, step: &Step) -> Vec<Way> {
    let mut found: Vec<Way> = Vec::new();
    for mode in &step.modes {
        let mut needs: Vec<(String, i64)> = Vec::new();
        for need in &mode.needs {
            let name = &plan.resources[plan.pools[need.pool].resource].name;
            match needs.iter_mut().find(|(known, _)| known == name) {
                Some((_, amount)) => *amount += need.amount,
                None => needs.push((name.clone(), need.amount)),
            }
        }
        let way = Way { needs, duration: mode.duration };
        if !found.contains(&way) {
            found.push(way);
        }
    }
    found
}

/// Weeks from Monday to Monday as far as orders have dates, also beyond the horizon; without civil
/// time all of the horizon.
pub fn periods(spec: &Spec, plan: &Plan) -> Vec<Period> {
    let whole = vec![Period { from: 0, to: plan.horizon }];
    let (Some(start), Some(unit)) = (&spec.time.start, spec.time.unit.seconds()) else {
        return whole;
    };
    let dates = plan.orders.iter().filter_map(|order| order.due.or(order.deadline));
    let last = dates.max().unwrap_or(plan.horizon);
    let mut found = Vec::new();
    let (mut from, mut day) = (0, start.value.date());
    while found.len() < MAX_WEEKS && from <= last {
        let days = 7 - i64::from(day.weekday().since(Weekday::Monday));
        let Ok(monday) = day.checked_add(days.days()) else { break };
        let Some(seconds) = spec.time.seconds_from_start(monday.into()) else { break };
        let to = seconds.div_euclid(unit) + i64::from(seconds.rem_euclid(unit) > 0);
        if to > from {
            found.push(Period { from, to });
        }
        (from, day) = (to.max(from), monday);
    }
    if found.is_empty() { whole } else { found }
}

/// Lets the calendars of a plan reach as far as its periods do, and a week further: the last window
/// shown is a whole one.
pub fn widen(spec: &Spec, plan: &mut Plan) {
    let week = spec.time.unit.seconds().map_or(0, |unit| 7 * 86_400 / unit);
    let end = periods(spec, plan).last().map_or(0, |period| period.to);
    plan::look_until(plan, spec, end.saturating_add(week));
}

/// One entry per resource and period with work or open time, and one for orders without a date.
pub fn loads(spec: &Spec, plan: &Plan) -> Vec<Load> {
    let periods = periods(spec, plan);
    let has_dates = spec.time.start.is_some();
    let mut asked = vec![vec![(0_i64, 0_i64); periods.len() + 1]; plan.resources.len()];
    for (number, order) in plan.orders.entries() {
        let date = order.due.or(order.deadline).map(|date| (date - 1).max(0));
        let dated = |date: i64| periods.iter().position(|p| p.from <= date && date < p.to);
        let period = if has_dates { date.and_then(dated) } else { Some(0) };
        for step in plan.steps(number) {
            for (resource, row) in plan.resources.ids().zip(&mut asked) {
                let work = |mode: &Mode| work(plan, mode, resource);
                let cell: &mut (i64, i64) = &mut row[period.unwrap_or(periods.len())];
                let least = step.modes.iter().map(work).min().unwrap_or(0);
                let most = step.modes.iter().map(work).max().unwrap_or(0);
                *cell = (cell.0.saturating_add(least), cell.1.saturating_add(most));
            }
        }
    }
    let mut found = Vec::new();
    for ((resource, Resource { name, .. }), row) in plan.resources.entries().zip(&asked) {
        for (at, &(least, most)) in row.iter().enumerate() {
            let period = periods.get(at).copied();
            let capacity = period.map(|period| capacity(plan, resource, period));
            if period.is_some() || most > 0 {
                found.push(Load { resource: name.clone(), period, capacity, least, most });
            }
        }
    }
    found
}

fn work(plan: &Plan, mode: &Mode, resource: ResourceId) -> i64 {
    let here = mode.needs.iter().filter(|need| plan.pools[need.pool].resource == resource);
    here.map(|need| need.amount.saturating_mul(mode.duration)).sum()
}

fn capacity(plan: &Plan, resource: ResourceId, period: Period) -> i64 {
    let of_pool = |&pool: &PoolId| {
        let pool = &plan.pools[pool];
        let open = match pool.calendar {
            None => period.to - period.from,
            Some(calendar) => inside(&plan.calendars[calendar].windows, period),
        };
        open.saturating_mul(pool.capacity())
    };
    plan.resources[resource].pools.iter().map(of_pool).sum()
}

fn inside(windows: &[Window], period: Period) -> i64 {
    let seen = windows.iter().filter(|w| w.close > period.from && w.open < period.to);
    seen.map(|w| w.close.min(period.to) - w.open.max(period.from)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_diagnostic::FileId;
    use takt_spec as spec;

    fn starter(name: &str) -> (Spec, Plan) {
        let text = match name {
            "shifts" => include_str!("../../../specs/starters/shifts.yaml"),
            _ => include_str!("../../../specs/starters/project.yaml"),
        };
        let (spec, _) = spec::read(text, FileId(0)).expect("a starter is right");
        let plan = plan::plan(&spec).expect("a starter is small");
        (spec, plan)
    }

    #[test]
    fn loads_stand_in_the_week_of_their_due_date() {
        let (spec, plan) = starter("shifts");
        // From Monday six o'clock to the next Monday: 7 * 24 - 6 hours.
        let weeks = periods(&spec, &plan);
        assert_eq!(weeks, [Period { from: 0, to: 162 }, Period { from: 162, to: 330 }]);
        let mill: Vec<Load> =
            loads(&spec, &plan).into_iter().filter(|load| load.resource == "mill").collect();
        // 2 h and 18 h at nine tenths are 3 h and 20 h; one order is due in the first week.
        assert_eq!((mill[0].least, mill[0].most, mill[1].least), (23, 23, 46));
        // Monday, Wednesday and Thursday 16 h, Friday 8 h, Saturday 6 h; Tuesday is a holiday.
        assert_eq!((mill[0].capacity, mill[1].capacity), (Some(62), Some(72)));
    }

    #[test]
    fn weeks_are_looked_at_beyond_the_horizon() {
        let text = "takt: 1
time: {unit: hour, start: 2026-01-05T06:00}
calendars: {day: {weekly: {Fri: ['06:00-14:00']}}}
resources: {mill: {calendar: day}}
recipes: {r: {steps: [{name: s, on: mill, duration: 4h}]}}
orders: [{id: A, recipe: r, due: 2026-01-24T12:00}, {id: B, recipe: r, due: 2026-02-20T12:00}]
";
        let (spec, _) = spec::read(text, FileId(0)).expect("it is right");
        let mut plan = plan::plan(&spec).expect("it is small");
        widen(&spec, &mut plan);
        let loads = loads(&spec, &plan);
        assert!(loads.iter().all(|load| load.capacity == Some(8)), "{loads:?}");
        let busy: Vec<usize> = (0..loads.len()).filter(|&k| loads[k].least > 0).collect();
        assert_eq!(busy, [2, 6]);
    }

    #[test]
    fn alternatives_are_between_least_and_most() {
        let (spec, plan) = starter("project");
        let load = |name: &str| {
            let all = loads(&spec, &plan);
            all.into_iter().find(|load| load.resource == name).expect("a resource")
        };
        assert_eq!((load("contractor").least, load("contractor").most), (0, 6));
        assert_eq!(load("crane").least, 4 + 9 + 5);
        let floors =
            plan.steps(plan::OrderId(0)).iter().find(|step| step.name == "floors").expect("a step");
        let ways = ways(&plan, floors);
        assert_eq!(ways[0], Way { needs: vec![("crew".into(), 2)], duration: 4 });
        assert_eq!(ways[1], Way { needs: vec![("contractor".into(), 1)], duration: 6 });
    }
}
