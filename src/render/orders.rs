//! `orders.csv`: one row per order, in the spec's sequence.

use super::csv::table;
use crate::schedule::Schedule;
use crate::spec::Spec;
use std::collections::BTreeMap;

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

pub fn orders_csv(spec: &Spec, schedule: &Schedule) -> String {
    let mut spans: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for row in schedule.steps() {
        let span = spans.entry(&row.order).or_insert((row.start, row.end));
        *span = (span.0.min(row.start), span.1.max(row.end));
    }
    let records = spec.orders.iter().map(|order| {
        let span = spans.get(order.id.value.as_str());
        let cell = |time: Option<i64>| time.map_or_else(String::new, |time| time.to_string());
        [
            order.id.value.clone(),
            order.recipe.value.clone(),
            cell(span.map(|s| s.0)),
            cell(span.map(|s| s.1)),
            // Without a due instant there is neither lateness nor cost.
            String::new(),
            String::new(),
            "0".to_owned(),
            "0".to_owned(),
            "0".to_owned(),
        ]
    });
    table(COLUMNS, records)
}
