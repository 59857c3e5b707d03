//! `schedule.csv`: one row per unit taken.

use super::Sheet;
use super::sequence::Sequence;

const COLUMNS: [&str; 11] = [
    "kind",
    "order",
    "recipe",
    "step",
    "resource",
    "unit",
    "start",
    "end",
    "work",
    "start_time",
    "end_time",
];

/// Civil times are empty where the spec does not give its start.
pub fn csv(sheet: &Sheet) -> String {
    let rows = Sequence::of(sheet.spec).sorted(&sheet.schedule.rows);
    let records = rows.into_iter().map(|row| {
        [
            row.kind.name().to_owned(),
            row.order.clone(),
            row.recipe.clone(),
            row.step.clone(),
            row.resource.clone(),
            row.unit.clone(),
            row.start.to_string(),
            row.end.to_string(),
            row.work.map_or_else(String::new, |work| work.to_string()),
            sheet.account.civil_text(row.start),
            sheet.account.civil_text(row.end),
        ]
    });
    table(COLUMNS, records)
}

/// Quotes where RFC 4180 asks for it, and where white space at the edge of a cell belongs to it.
pub(super) fn table<const N: usize>(
    columns: [&str; N],
    records: impl Iterator<Item = [String; N]>,
) -> String {
    let mut out = String::new();
    let columns = columns.map(str::to_owned);
    for record in std::iter::once(columns).chain(records) {
        out.push_str(&record.map(quoted).join(","));
        out.push('\n');
    }
    out
}

fn quoted(cell: String) -> String {
    match cell.contains(['"', ',', '\r', '\n']) || cell.trim() != cell {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}
