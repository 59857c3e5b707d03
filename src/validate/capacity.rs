//! No unit is taken twice at a time, no resource beyond its units.

use super::Violation;
use crate::schedule::{Row, Schedule};
use std::collections::BTreeMap;

/// A row with an empty unit takes any; a named one must exist and be free.
pub fn check(units: &BTreeMap<&str, usize>, schedule: &Schedule, errors: &mut Vec<Violation>) {
    let mut by_resource: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in schedule.steps().filter(|row| !row.resource.is_empty()) {
        by_resource.entry(&row.resource).or_default().push(row);
    }
    for (resource, mut rows) in by_resource {
        let Some(&capacity) = units.get(resource) else {
            errors.extend(rows.iter().map(|row| {
                violation(row, "resource", format!("the spec has no resource `{resource}`"))
            }));
            continue;
        };
        rows.sort_by_key(|row| (row.start, row.end));
        for row in &rows {
            let is_known = row.unit.is_empty()
                || row.unit.parse().is_ok_and(|unit: usize| (1..=capacity).contains(&unit));
            if !is_known {
                let message = format!("`{resource}` has no unit `{}`", row.unit);
                errors.push(violation(row, "unit", message));
            }
        }
        overlaps(&rows, capacity, errors);
    }
}

/// Sweeps the rows by their starts and keeps those that still run; one row of each unit too
/// many is reported, with one of those it meets.
fn overlaps(rows: &[&Row], capacity: usize, errors: &mut Vec<Violation>) {
    let mut running: Vec<&Row> = Vec::new();
    for &row in rows {
        running.retain(|other| other.end > row.start);
        let clash = running.iter().find(|other| !row.unit.is_empty() && other.unit == row.unit);
        let full = (running.len() >= capacity).then(|| running.first()).flatten();
        if let Some(other) = clash.or(full) {
            let message = format!(
                "takes `{}` from {} to {}, while `{}` of {} has it from {} to {}",
                row.resource, row.start, row.end, other.step, other.order, other.start, other.end
            );
            errors.push(violation(row, "capacity", message));
        }
        if row.end > row.start {
            running.push(row);
        }
    }
}

fn violation(row: &Row, rule: &'static str, message: String) -> Violation {
    Violation { order: row.order.clone(), step: row.step.clone(), rule, message }
}
