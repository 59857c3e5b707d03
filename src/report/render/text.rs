//! A few lines for the terminal: what was found, and how busy each resource is.

use super::compare::few;
use super::{Headline, Sheet};
use crate::account::Account;
use std::collections::BTreeSet;
use std::fmt::Write;
use takt_spec::schedule::{Decimal, Row};

/// More resources than this are told by the busiest ones.
const MOST: usize = 20;
/// Late orders that are named.
const MOST_LATE: usize = 10;

/// Of a plant. That of a layout is told by its rhythm.
pub fn text(sheet: &Sheet) -> String {
    let account = sheet.account;
    let mut out = String::new();
    let _ = writeln!(out, "{}", title(sheet.headline));
    let steps = count(steps(sheet), "step");
    let orders = count(account.orders.len(), "order");
    let end = account.time.told(account.end);
    let _ = writeln!(out, "{orders}, {steps}, end at {end}");
    lateness(sheet, &mut out);
    costs(sheet, &mut out);
    moves(sheet, &mut out);
    out.push_str(&utilisation(sheet.account));
    out
}

/// Steps, not units taken.
pub(super) fn steps(sheet: &Sheet) -> usize {
    let key = |row: &'_ Row| (row.order.clone(), row.step.clone());
    sheet.schedule.steps().map(key).collect::<BTreeSet<_>>().len()
}

/// Who is late, the latest first.
fn lateness(sheet: &Sheet, out: &mut String) {
    let account = sheet.account;
    if account.orders.iter().all(|order| order.due.is_none()) {
        return;
    }
    let mut late: Vec<_> = account.orders.iter().filter(|one| one.tardiness() > 0).collect();
    late.sort_by_key(|order| std::cmp::Reverse(order.tardiness()));
    if late.is_empty() {
        let _ = writeln!(out, "no order is late");
        return;
    }
    let length = |units| account.time.length(units);
    let names = late.iter().take(MOST_LATE);
    let names = names.map(|order| format!("{} by {}", order.id, length(order.tardiness())));
    let mut names = names.collect::<Vec<_>>().join(", ");
    if late.len() > MOST_LATE {
        let _ = write!(names, " and {} more", late.len() - MOST_LATE);
    }
    let orders = count(late.len(), "order");
    let together = length(account.total_tardiness());
    let _ = match late.len() {
        1 => writeln!(out, "{orders} late: {names}"),
        _ => writeln!(out, "{orders} late, by {together} together: {names}"),
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

/// What is elsewhere than in the earlier plan, and who is late for it.
fn moves(sheet: &Sheet, out: &mut String) {
    let Some(moves) = &sheet.account.moves else { return };
    if moves.steps == 0 {
        let _ = writeln!(out, "nothing has moved against the earlier plan");
    } else {
        let (steps, orders) = (count(moves.steps, "step"), count(moves.orders.len(), "order"));
        let mut parts = vec![format!("moved: {steps} of {orders}")];
        if moves.furthest > 0 {
            parts.push(format!("by {} at most", sheet.account.time.length(moves.furthest)));
        }
        if moves.units > 0 {
            parts.push(format!("{} of them to other units", moves.units));
        }
        let _ = writeln!(out, "{}", parts.join(", "));
    }
    if moves.new_orders > 0 {
        let _ = writeln!(out, "new since then: {}", count(moves.new_orders, "order"));
    }
    if !moves.newly_late.is_empty() {
        let _ = writeln!(out, "newly late: {}", few(&moves.newly_late));
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
    let Headline { name, objective, status, value, bound, .. } = headline;
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
        let _ = write!(title, " (at least {bound}{})", distance(value, bound));
    }
    title
}

/// How much less the best schedule could be at most; nothing where that says nothing.
fn distance(value: &str, bound: &str) -> String {
    let number = |text: &str| text.parse::<f64>().ok();
    let Some((value, bound)) = number(value).zip(number(bound)) else { return String::new() };
    // Rounded up: a bound is never wrong. What is less is the error of binary fractions.
    let percent = ((value - bound) / value * 1000.0 - 1e-6).ceil() / 10.0;
    match percent {
        percent if percent > 0.0 && percent < 100.0 => {
            format!(", at most {percent} percent from the best")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(value: &str, bound: &str) -> String {
        let some = |text: &str| Some(text.to_owned());
        title(&Headline { value: some(value), bound: some(bound), ..Headline::default() })
    }

    #[test]
    fn a_title_says_how_far_the_best_may_be() {
        let end = |text: String| text.split(", ").last().unwrap().to_owned();
        assert_eq!(end(told("934", "930")), "at most 0.5 percent from the best)");
        assert_eq!(end(told("0.5", "0.49")), "at most 2 percent from the best)");
        // Rounded up; and nothing where the bound says nothing.
        assert_eq!(end(told("1000000", "999999")), "at most 0.1 percent from the best)");
        assert!(told("70", "0").ends_with(" (at least 0)"));
        assert!(!told("70", "70").contains("at least"));
    }
}
