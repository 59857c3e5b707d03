//! Figures that a planner looks at first, from a schedule and its spec.

use crate::schedule::Schedule;
use crate::spec::Spec;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kpis {
    /// The share of orders that finish by their due instant; orders without one are on time.
    pub on_time: f64,
    pub total_tardiness: i64,
    pub max_tardiness: i64,
    pub setup_time: i64,
    /// Per resource, in the spec's sequence: the share of time that it is taken, from 0 to the
    /// end of the schedule.
    pub utilisation: Vec<(String, f64)>,
    pub delay_cost: i64,
    pub storage_cost: i64,
}

/// Dues, setups and costs are not part of specs yet, so nothing is late and nothing costs.
pub fn kpis(spec: &Spec, schedule: &Schedule) -> Kpis {
    let end = schedule.end().max(1) as f64;
    let share = |name: &str| {
        let taken = schedule.steps().filter(|row| row.resource == name);
        taken.map(|row| row.end - row.start).sum::<i64>() as f64 / end
    };
    let names = spec.resources.iter().map(|resource| resource.name.value.clone());
    Kpis {
        on_time: 1.0,
        utilisation: names.map(|name| (name.clone(), share(&name))).collect(),
        ..Kpis::default()
    }
}
