//! Reads `schedule.csv`, whoever wrote it, with what is wrong at its line and column.

use super::{Kind, Row, Schedule};
use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Span};
use csv::{ReaderBuilder, StringRecord};

const REQUIRED: [&str; 7] = ["kind", "order", "step", "resource", "unit", "start", "end"];

/// Columns are known by their names; those not needed may be absent, others are ignored.
pub fn read_csv(text: &str, file: FileId) -> Result<Schedule, Diagnostics> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Diagnostics::default();
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return Err(broken(&error, file).into()),
    };
    for name in REQUIRED {
        if !header.iter().any(|column| column.trim() == name) {
            let message = format!("the column `{name}` is missing");
            found.push(Diagnostic::error("missing-column", Span::new(file, 0, 0), message));
        }
    }
    if found.has_errors() {
        return Err(found);
    }
    let mut schedule = Schedule::default();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = Line { header: &header, record: &record, file };
                line.row(&mut found).into_iter().for_each(|row| schedule.rows.push(row));
            }
            Err(error) => found.push(broken(&error, file)),
        }
    }
    if found.has_errors() { Err(found) } else { Ok(schedule) }
}

fn broken(error: &csv::Error, file: FileId) -> Diagnostic {
    let at = error.position().map_or(0, |position| position.byte() as usize);
    Diagnostic::error("csv", Span::new(file, at, at), format!("this is not CSV: {error}"))
}

struct Line<'a> {
    header: &'a StringRecord,
    record: &'a StringRecord,
    file: FileId,
}

impl Line<'_> {
    fn row(&self, found: &mut Diagnostics) -> Option<Row> {
        let name = self.cell("kind");
        let Some(&(_, kind)) = Kind::NAMES.iter().find(|(known, _)| *known == name) else {
            let message = format!("`{name}` is no kind of row");
            let names = Kind::NAMES.iter().map(|(name, _)| *name);
            let error = Diagnostic::error("bad-value", self.span(), message);
            found.push(error.did_you_mean(name, names).hint("step, hold, setup or op"));
            return None;
        };
        let start = self.whole("start", found);
        let end = self.whole("end", found);
        Some(Row {
            kind,
            order: self.cell("order").to_owned(),
            recipe: self.cell("recipe").to_owned(),
            step: self.cell("step").to_owned(),
            resource: self.cell("resource").to_owned(),
            unit: self.cell("unit").to_owned(),
            start: start?,
            end: end?,
            work: self.cell("work").parse().ok(),
        })
    }

    fn cell(&self, name: &str) -> &str {
        let column = self.header.iter().position(|column| column.trim() == name);
        column.and_then(|column| self.record.get(column)).unwrap_or("").trim()
    }

    fn whole(&self, name: &str, found: &mut Diagnostics) -> Option<i64> {
        let text = self.cell(name);
        let value = text.parse().ok();
        if value.is_none() {
            let message = format!("`{name}` is a whole number of time units, not `{text}`");
            found.push(Diagnostic::error("bad-value", self.span(), message));
        }
        value
    }

    /// The line's first byte: cells have no place of their own.
    fn span(&self) -> Span {
        let at = self.record.position().map_or(0, |position| position.byte() as usize);
        Span::new(self.file, at, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_required() {
        let text = "kind,order,step,resource,unit,start,end\nstep,A,cut,saw,,0,3\n";
        let schedule = read_csv(text, FileId(0)).unwrap();
        assert_eq!(schedule.rows[0].resource, "saw");
        assert_eq!((schedule.rows[0].start, schedule.rows[0].end), (0, 3));
    }

    #[test]
    fn says_what_is_wrong() {
        let codes = |text: &str| -> Vec<_> {
            read_csv(text, FileId(0)).unwrap_err().iter().map(|d| d.code).collect()
        };
        assert_eq!(codes("kind,order\n").len(), 5);
        let text =
            "kind,order,step,resource,unit,start,end\nstap,A,c,s,1,0,3\nstep,A,c,s,1,x,3.5\n";
        assert_eq!(codes(text), ["bad-value", "bad-value", "bad-value"]);
    }
}
