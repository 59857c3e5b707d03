//! A few lines for the terminal: what was found, and how busy each resource is.

use super::Headline;
use crate::schedule::Schedule;
use crate::spec::Spec;
use std::collections::BTreeMap;
use std::fmt::Write;

pub fn text(spec: &Spec, schedule: &Schedule, headline: &Headline) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", title(headline));
    let steps = count(schedule.steps().count(), "step");
    let orders = count(spec.orders.len(), "order");
    let _ = writeln!(out, "{orders}, {steps}, end at {}", schedule.end());
    let mut busy: BTreeMap<&str, i64> = BTreeMap::new();
    for row in schedule.steps() {
        *busy.entry(&row.resource).or_default() += row.end - row.start;
    }
    let names = spec.resources.iter().map(|r| r.name.value.as_str());
    let width = names.clone().map(|name| name.chars().count()).max().unwrap_or(0);
    for name in names {
        let share = busy.get(name).copied().unwrap_or(0) as f64 / schedule.end().max(1) as f64;
        let bar = "█".repeat((share * 20.0).round() as usize);
        let _ = writeln!(out, "  {name:<width$}  {:>4.0} %  {bar}", share * 100.0);
    }
    out
}

/// `1 step`, `2 steps`
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `ft06: makespan 55, optimal`
pub(super) fn title(headline: &Headline) -> String {
    let Headline { name, objective, status, value, bound } = headline;
    let mut title = format!("{name}: ");
    match value {
        Some(value) => {
            let _ = write!(title, "{objective} {value}, {status}");
        }
        None => {
            let _ = write!(title, "{status}");
        }
    }
    if let (Some(value), Some(bound)) = (value, bound)
        && value != bound
    {
        let _ = write!(title, " (at least {bound})");
    }
    title
}
