//! `orders.csv`: one row per order, in the spec's sequence.

use super::Sheet;
use super::artifact::{Document, Format};
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

pub struct OrderTable;

impl Format<Document<'_>> for OrderTable {
    fn key(&self) -> &'static str {
        "orders"
    }

    fn file(&self) -> &'static str {
        "orders.csv"
    }

    fn bytes(&self, document: &Document) -> Vec<u8> {
        orders_csv(&document.sheet).into_bytes()
    }
}

/// Due and lateness are empty where there is no due instant.
pub(super) fn orders_csv(sheet: &Sheet) -> String {
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
