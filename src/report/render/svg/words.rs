//! The few words on a chart.

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
        let most = account.time.length(account.max_tardiness());
        about.push_str(&format!("; {} late, by {most} at most", count(late, "order")));
    } else if account.orders.iter().any(|order| order.due.is_some()) {
        about.push_str("; no order is late");
    }
    about
}

/// What more orders or resources than the legend has room for are told as.
pub fn rest(number: usize, view: View) -> String {
    let what = match view {
        View::Resources => "order",
        View::Orders => "resource",
    };
    format!("and {}", count(number, &format!("more {what}")))
}
