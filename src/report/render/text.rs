//! A few lines for the terminal: what was found, and how busy each resource is.

use super::{Headline, Sheet};
use crate::account::Account;
use std::collections::BTreeSet;
use std::fmt::Write;
use takt_spec::schedule::{Decimal, Row};

/// More resources than this are told by the busiest ones.
const MOST: usize = 20;

/// Of a plant. That of a layout is told by its rhythm.
pub fn text(sheet: &Sheet) -> String {
    let account = sheet.account;
    let mut out = String::new();
    let _ = writeln!(out, "{}", title(sheet.headline));
    let steps = count(steps(sheet), "step");
    let orders = count(account.orders.len(), "order");
    let end = match account.civil_text(account.end) {
        civil if civil.is_empty() => account.end.to_string(),
        civil => format!("{} ({})", account.end, civil.replace('T', " ")),
    };
    let _ = writeln!(out, "{orders}, {steps}, end at {end}");
    lateness(sheet, &mut out);
    costs(sheet, &mut out);
    out.push_str(&utilisation(sheet.account));
    out
}

/// Steps, not units taken.
pub(super) fn steps(sheet: &Sheet) -> usize {
    let key = |row: &'_ Row| (row.order.clone(), row.step.clone());
    sheet.schedule.steps().map(key).collect::<BTreeSet<_>>().len()
}

fn lateness(sheet: &Sheet, out: &mut String) {
    let account = sheet.account;
    if account.orders.iter().all(|order| order.due.is_none()) {
        return;
    }
    let late = account.orders.iter().filter(|order| order.tardiness() > 0).count();
    let _ = match late {
        0 => writeln!(out, "no order is late"),
        _ => writeln!(
            out,
            "{} late, by {} together, {} at most",
            count(late, "order"),
            account.total_tardiness(),
            account.max_tardiness()
        ),
    };
}

fn costs(sheet: &Sheet, out: &mut String) {
    let paid = sheet.account.costs().filter(|(_, cost)| !cost.is_zero());
    let paid: Vec<(&str, Decimal)> = paid.collect();
    if !paid.is_empty() {
        let parts: Vec<String> = paid.iter().map(|(kind, cost)| format!("{kind} {cost}")).collect();
        let _ = writeln!(out, "costs: {}", parts.join(", "));
    }
}

/// How busy each resource is, as bars of text.
pub fn utilisation(account: &Account) -> String {
    let mut out = String::new();
    let mut uses: Vec<_> = account.resources.iter().collect();
    let left_out = uses.len().saturating_sub(MOST);
    if left_out > 0 {
        uses.sort_by(|a, b| b.utilisation.total_cmp(&a.utilisation));
        uses.truncate(MOST);
    }
    let width = uses.iter().map(|r| r.name.chars().count()).max().unwrap_or(0);
    for resource in uses {
        let (name, share) = (&resource.name, resource.utilisation);
        let bar = "█".repeat((share * 20.0).round() as usize);
        let _ = writeln!(out, "  {name:<width$}  {:>4.0} %  {bar}", share * 100.0);
    }
    if left_out > 0 {
        let _ = writeln!(out, "  and {}, less busy", count(left_out, "resource"));
    }
    out
}

/// `1 step`, `2 steps`
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `ft06: makespan 55, optimal`
pub fn title(headline: &Headline) -> String {
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
