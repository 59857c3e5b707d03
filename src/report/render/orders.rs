//! `orders.csv`: one row per order, in the spec's sequence.

use super::Sheet;
use super::csv::table;

const COLUMNS: [&str; 9] = [
    "order",
    "recipe",
    "start",
    "finish",
    "due",
    "lateness",
    "delay_cost",
    "storage_cost",
    "holding_cost",
];

/// Due and lateness are empty where there is no due instant.
pub fn orders_csv(sheet: &Sheet) -> String {
    let cell = |time: Option<i64>| time.map_or_else(String::new, |time| time.to_string());
    let records = sheet.account.orders.iter().map(|order| {
        [
            order.id.clone(),
            order.recipe.clone(),
            cell(order.start),
            cell(order.finish),
            cell(order.due),
            cell(order.lateness()),
            order.delay_cost.to_string(),
            order.storage_cost.to_string(),
            order.holding_cost.to_string(),
        ]
    });
    table(COLUMNS, records)
}
