//! The few words on a chart.

use crate::account::Account;
use crate::render::text::{count, steps};
use crate::render::{Sheet, View};

/// Under the title: `3 orders, 11 steps on 3 resources; 1 order late`.
pub fn about(sheet: &Sheet) -> String {
    let account = sheet.account;
    let mut about = format!(
        "{}, {} on {}",
        count(account.orders.len(), "order"),
        count(steps(sheet), "step"),
        count(account.resources.len(), "resource")
    );
    let late = account.orders.iter().filter(|order| order.tardiness() > 0).count();
    if late > 0 {
        let most = duration(account, account.max_tardiness());
        about.push_str(&format!("; {} late, by {most} at most", count(late, "order")));
    } else if account.orders.iter().any(|order| order.due.is_some()) {
        about.push_str("; no order is late");
    }
    about
}

/// `2h 30m` where units have a length, otherwise a plain number.
pub fn duration(account: &Account, units: i64) -> String {
    let Some(unit) = account.time.unit.seconds() else { return units.to_string() };
    let mut rest = units.saturating_mul(unit);
    let mut parts = Vec::new();
    for (seconds, letter) in [(86_400, 'd'), (3600, 'h'), (60, 'm'), (1, 's')] {
        let number = rest / seconds;
        rest %= seconds;
        if number > 0 {
            parts.push(format!("{number}{letter}"));
        }
    }
    // Two parts say how much it is.
    parts.truncate(2);
    if parts.is_empty() { "0".to_owned() } else { parts.join(" ") }
}

/// What more orders or resources than the legend has room for are told as.
pub fn rest(number: usize, view: View) -> String {
    let what = match view {
        View::Resources => "order",
        View::Orders => "resource",
    };
    format!("and {}", count(number, &format!("more {what}")))
}
