//! Whether a schedule keeps the rules of a layout: a machine in which wafers go from position to
//! position.
//!
//! Rows become operations (`read.rs`), which are then done one after the other on a machine that
//! remembers what every component holds and where it is (`simulation.rs`). The value is the average
//! time from one finished wafer to the next, between the first and the last: all that a schedule
//! with an end can tell.

mod components;
mod read;
mod recur;
mod simulation;

use super::{Errors, Report};
use components::Components;
pub use recur::recurs;
use simulation::Simulation;
use takt_spec::schedule::Schedule;
use takt_spec::{Exact, Layout, Spec};

/// The ends of all unloads in a schedule of a layout, in their sequence.
pub fn unloads(schedule: &Schedule) -> Vec<i64> {
    let rows = schedule.rows.iter();
    let mut ends: Vec<i64> = rows
        .filter(|row| row.step == "unload" && row.resource == components::TRACK)
        .map(|row| row.end)
        .collect();
    ends.sort_unstable();
    ends
}

/// Adds to what was found wrong already.
pub(super) fn validate(
    spec: &Spec,
    layout: &Layout,
    schedule: &Schedule,
    mut errors: Errors,
) -> Report {
    if let Some(components) = Components::of(spec, layout) {
        let mut operations = read::operations(&components, schedule, &mut errors);
        operations.sort_by_key(|operation| operation.start);
        let mut simulation = Simulation::new(&components);
        for operation in &operations {
            simulation.run(operation, &mut errors);
        }
    }
    let value = average(&unloads(schedule));
    Report { valid: errors.0.is_empty(), value, errors: errors.0 }
}

/// `None` for less than two.
fn average(ends: &[i64]) -> Option<Exact> {
    let (first, last) = (ends.first()?, ends.last()?);
    let gaps = ends.len() as i128 - 1;
    (gaps > 0).then(|| Exact::new(i128::from(*last) - i128::from(*first), gaps))
}
