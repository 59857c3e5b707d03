//! `orders.csv`: one row per order, in the spec's sequence.

use super::Sheet;
use super::csv::line;
use crate::account::ORDER_COSTS;

/// What each row ends with.
const LAST: [&str; 5] = ["start_time", "finish_time", "due_time", "late", "rejected"];

/// Civil times are empty where the spec does not give its start, due and lateness where there is no due instant.
pub(super) fn orders_csv(sheet: &Sheet) -> String {
    let account = sheet.account;
    let cell = |time: Option<i64>| time.map_or_else(String::new, |time| time.to_string());
    let civil = |time: Option<i64>| time.map_or_else(String::new, |time| account.written(time));
    let columns = ["order", "recipe", "start", "finish", "due", "lateness"].map(str::to_owned);
    let mut out = String::new();
    let paid = ORDER_COSTS.map(|name| format!("{name}_cost"));
    line(&mut out, columns.into_iter().chain(paid).chain(LAST.map(str::to_owned)));
    for order in &account.orders {
        let times = [order.start, order.finish, order.due, order.lateness()].map(cell);
        let costs = order.costs.map(|cost| cost.to_string());
        let names = [order.id.clone(), order.recipe.clone()];
        let civil = [order.start, order.finish, order.due].map(civil);
        let told = [order.tardiness() > 0, order.is_rejected()].map(|is_so| is_so.to_string());
        let cells = names.into_iter().chain(times).chain(costs).chain(civil).chain(told);
        line(&mut out, cells);
    }
    out
}
