//! `schedule.csv`: one row per unit taken.

use super::Sheet;
use super::artifact::{Document, Format};
use super::sequence::Sequence;
use std::collections::HashMap;

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

pub struct ScheduleTable;

impl Format<Document<'_>> for ScheduleTable {
    fn key(&self) -> &'static str {
        "csv"
    }

    fn file(&self) -> &'static str {
        "schedule.csv"
    }

    fn bytes(&self, document: &Document) -> Vec<u8> {
        csv(&document.sheet).into_bytes()
    }
}

/// Civil times are empty where the spec does not give its start.
pub(super) fn csv(sheet: &Sheet) -> String {
    let rows = Sequence::of(sheet.spec).sorted(&sheet.schedule.rows);
    let mut instants: HashMap<i64, String> = HashMap::new();
    for instant in rows.iter().flat_map(|row| [row.start, row.end]) {
        instants.entry(instant).or_insert_with(|| sheet.account.civil_text(instant));
    }
    let mut out = String::new();
    line(&mut out, COLUMNS);
    for row in rows {
        let (start, end) = (row.start.to_string(), row.end.to_string());
        let work = row.work.map_or_else(String::new, |work| work.to_string());
        let named = [row.kind.name(), &row.order, &row.recipe, &row.step, &row.resource, &row.unit];
        let [kind, order, recipe, step, resource, unit] = named;
        let (start_time, end_time) = (&instants[&row.start], &instants[&row.end]);
        line(
            &mut out,
            [kind, order, recipe, step, resource, unit, &start, &end, &work, start_time, end_time],
        );
    }
    out
}

/// Quotes where RFC 4180 asks for it, and where white space at the edge of a cell belongs to it.
pub(super) fn table<const N: usize>(
    columns: [&str; N],
    records: impl Iterator<Item = [String; N]>,
) -> String {
    let mut out = String::new();
    line(&mut out, columns);
    for record in records {
        line(&mut out, record.each_ref().map(String::as_str));
    }
    out
}

fn line<const N: usize>(out: &mut String, cells: [&str; N]) {
    for (k, cell) in cells.into_iter().enumerate() {
        if k > 0 {
            out.push(',');
        }
        match cell.contains(['"', ',', '\r', '\n']) || cell.trim() != cell {
            true => {
                out.push('"');
                out.push_str(&cell.replace('"', "\"\""));
                out.push('"');
            }
            false => out.push_str(cell),
        }
    }
    out.push('\n');
}
