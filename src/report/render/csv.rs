//! `schedule.csv`: one row per unit taken.

use super::Sheet;
use super::sequence::Sequence;
use std::collections::HashMap;

/// Civil times are empty where the spec does not give its start.
pub(super) fn csv(sheet: &Sheet) -> String {
    let rows = Sequence::of(sheet.spec).sorted(&sheet.schedule.rows);
    let mut instants: HashMap<i64, String> = HashMap::new();
    for instant in rows.iter().flat_map(|row| [row.start, row.end]) {
        instants.entry(instant).or_insert_with(|| sheet.account.written(instant));
    }
    let mut out = String::new();
    out.push_str("kind,order,recipe,step,resource,unit,start,end,work,start_time,end_time\n");
    for row in rows {
        let names = [row.kind.name(), &row.order, &row.recipe, &row.step, &row.resource, &row.unit];
        let work = row.work.map_or_else(String::new, |work| work.to_string());
        let numbers = [row.start.to_string(), row.end.to_string(), work];
        let times = [&instants[&row.start], &instants[&row.end]].map(String::as_str);
        line(
            &mut out,
            names.into_iter().chain(numbers.each_ref().map(String::as_str)).chain(times),
        );
    }
    out
}

/// Quotes where RFC 4180 asks for it, and where white space at the edge of a cell belongs to it.
pub(super) fn line(out: &mut String, cells: impl IntoIterator<Item = impl AsRef<str>>) {
    for (k, cell) in cells.into_iter().enumerate() {
        let cell = cell.as_ref();
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
