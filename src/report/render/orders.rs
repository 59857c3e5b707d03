//! `orders.csv`: one row per order, in the spec's sequence.

use super::Sheet;
use super::csv::line;
use crate::account::ORDER_COSTS;

/// Due and lateness are empty where there is no due instant.
pub(super) fn orders_csv(sheet: &Sheet) -> String {
    let cell = |time: Option<i64>| time.map_or_else(String::new, |time| time.to_string());
    let columns = ["order", "recipe", "start", "finish", "due", "lateness"].map(str::to_owned);
    let mut out = String::new();
    line(&mut out, columns.into_iter().chain(ORDER_COSTS.map(|name| format!("{name}_cost"))));
    for order in &sheet.account.orders {
        let times = [order.start, order.finish, order.due, order.lateness()].map(cell);
        let costs = order.costs.map(|cost| cost.to_string());
        let names = [order.id.clone(), order.recipe.clone()];
        line(&mut out, names.into_iter().chain(times).chain(costs));
    }
    out
}
