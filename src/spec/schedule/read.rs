//! Reads `schedule.csv`, whoever wrote it, with what is wrong at its line and column.

use super::{Kind, Row, Schedule};
use crate::Time;
use csv::{ReaderBuilder, StringRecord};
use jiff::civil::DateTime;
use takt_diagnostic::{Diagnostic, Diagnostics, FileId, Span};

const REQUIRED: [&str; 5] = ["kind", "order", "step", "resource", "unit"];

/// Columns with instants in model time, and those with the same ones in civil time.
const INSTANTS: [(&str, &str); 2] = [("start", "start_time"), ("end", "end_time")];

/// Columns are known by their names; those not needed may be absent, others are ignored. Instants may be
/// given in civil time alone.
pub fn read_csv(text: &str, file: FileId, time: &Time) -> Result<Schedule, Diagnostics> {
    let rows = read_rows(text, file, time)?;
    Ok(Schedule { rows: rows.into_iter().map(|(row, _)| row).collect() })
}

/// Every row with the place of its step.
pub fn read_rows(text: &str, file: FileId, time: &Time) -> Result<Vec<(Row, Span)>, Diagnostics> {
    let whole = text;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = whole.len() - text.len();
    let mut found = Diagnostics::default();
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return Err(broken(&error, file, mark).into()),
    };
    let has = |name: &str| header.iter().any(|column| column.trim() == name);
    let is_told = |&(units, civil): &(&str, &str)| has(units) || has(civil);
    let instants = INSTANTS.iter().filter(|pair| !is_told(pair)).map(|(units, _)| units);
    for name in REQUIRED.iter().filter(|name| !has(name)).chain(instants) {
        let message = format!("the column `{name}` is missing");
        let missing = Diagnostic::error("missing-column", Span::new(file, 0, 0), message);
        found.push(match INSTANTS.iter().find(|(units, _)| units == name) {
            Some((_, civil)) => missing.hint(format!("or `{civil}`, in civil time")),
            None => missing,
        });
    }
    if found.has_errors() {
        return Err(found);
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line =
                    Record { header: &header, record: &record, file, text: whole, mark, time };
                rows.extend(line.row(&mut found).map(|row| (row, line.span("step"))));
            }
            Err(error) => found.push(broken(&error, file, mark)),
        }
    }
    if found.has_errors() { Err(found) } else { Ok(rows) }
}

fn broken(error: &csv::Error, file: FileId, mark: usize) -> Diagnostic {
    let at = error.position().map_or(0, |position| position.byte() as usize) + mark;
    Diagnostic::error("csv", Span::new(file, at, at), format!("this is not CSV: {error}"))
}

/// One record of the file, with what tells its place.
struct Record<'a> {
    header: &'a StringRecord,
    record: &'a StringRecord,
    file: FileId,
    /// All of the file.
    text: &'a str,
    /// The length of the mark of the byte order at its beginning.
    mark: usize,
    /// Of the spec.
    time: &'a Time,
}

impl Record<'_> {
    fn row(&self, found: &mut Diagnostics) -> Option<Row> {
        let name = self.cell("kind");
        let Some(&(_, kind)) = Kind::NAMES.iter().find(|(known, _)| *known == name) else {
            let message = format!("`{name}` is no kind of row");
            let names = Kind::NAMES.iter().map(|(name, _)| *name);
            let error = Diagnostic::error("bad-value", self.span("kind"), message);
            found.push(error.did_you_mean(name, names).hint("step, hold, setup or op"));
            return None;
        };
        if self.record.len() > self.header.len() {
            let (cells, columns) = (self.record.len(), self.header.len());
            let message = format!("this row has {cells} cells, the header has {columns}");
            found.push(Diagnostic::error("bad-csv", self.place(columns), message));
        }
        let [start, end] = INSTANTS.map(|names| self.instant(names, found));
        let has_work = !self.cell("work").trim().is_empty();
        let work = if has_work { self.whole("work", found) } else { None };
        Some(Row {
            kind,
            order: self.cell("order").to_owned(),
            recipe: self.cell("recipe").to_owned(),
            step: self.cell("step").to_owned(),
            resource: self.cell("resource").to_owned(),
            unit: self.cell("unit").to_owned(),
            start: start?,
            end: end?,
            work,
            start_time: self.cell("start_time").to_owned(),
            end_time: self.cell("end_time").to_owned(),
        })
    }

    /// White space around a cell is not part of it, unless both stand in quotes.
    fn cell(&self, name: &str) -> &str {
        let Some(column) = self.column(name) else { return "" };
        let text = self.record.get(column).unwrap_or("");
        let is_quoted = || {
            let place = self.place(column);
            self.text.get(place.start as usize..).is_some_and(|cell| cell.starts_with('"'))
        };
        if text.trim() == text || is_quoted() { text } else { text.trim() }
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column.trim() == name)
    }

    fn instant(&self, (units, civil): (&str, &str), found: &mut Diagnostics) -> Option<i64> {
        let text = self.cell(civil).trim();
        if text.is_empty() || !self.cell(units).trim().is_empty() {
            return self.whole(units, found);
        }
        let moment = text.parse::<DateTime>().ok();
        let seconds = moment.and_then(|moment| self.time.seconds_from_start(moment));
        let unit = self.time.unit.seconds().unwrap_or(1);
        let message = match (moment, seconds) {
            (None, _) => {
                format!("`{civil}` is civil time such as `2026-01-05T06:00`, not `{text}`")
            }
            (Some(_), None) => {
                "the spec does not say when its time starts (`time: {start: …}`)".to_owned()
            }
            (Some(_), Some(seconds)) if seconds % unit == 0 => return Some(seconds / unit),
            _ => format!("this is not a whole number of {}s from the start", self.time.unit.name()),
        };
        found.push(Diagnostic::error("bad-value", self.span(civil), message));
        None
    }

    fn whole(&self, name: &str, found: &mut Diagnostics) -> Option<i64> {
        let text = self.cell(name).trim();
        let value = text.parse().ok();
        if value.is_none() {
            let message = format!("`{name}` is a whole number of time units, not `{text}`");
            found.push(Diagnostic::error("bad-value", self.span(name), message));
        }
        value
    }

    fn span(&self, name: &str) -> Span {
        self.place(self.column(name).unwrap_or(0))
    }

    /// The place of a cell: counts commas outside quotes from the beginning of the row.
    fn place(&self, column: usize) -> Span {
        let begin = self.record.position().map_or(0, |position| position.byte() as usize);
        let row = self.text.get(begin + self.mark..).unwrap_or("");
        // The end of the line before may belong to this row's place.
        let skipped = row.len() - row.trim_start_matches(['\r', '\n']).len();
        let (mut number, mut is_quoted) = (0, false);
        let (mut start, mut end) = (skipped, row.len());
        for (at, byte) in row.bytes().enumerate().skip(skipped) {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b',' | b'\r' | b'\n' if !is_quoted => {
                    end = at;
                    if number == column || byte != b',' {
                        break;
                    }
                    (number, start, end) = (number + 1, at + 1, row.len());
                }
                _ => {}
            }
        }
        let first = begin + self.mark;
        Span::new(self.file, first + start, first + end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_required() {
        let text = "kind,order,step,resource,unit,start,end\nstep,A,cut,saw,,0,3\n";
        let schedule = read_csv(text, FileId(0), &Time::default()).unwrap();
        assert_eq!(schedule.rows[0].resource, "saw");
        assert_eq!((schedule.rows[0].start, schedule.rows[0].end), (0, 3));
    }

    #[test]
    fn quotes_keep_white_space() {
        let text = "kind,order,step,resource,unit,start,end\nstep,\" A \", cut ,saw,\"\", 0 ,3\n";
        let row = read_csv(text, FileId(0), &Time::default()).unwrap().rows.remove(0);
        assert_eq!((row.order.as_str(), row.step.as_str(), row.start), (" A ", "cut", 0));
    }

    #[test]
    fn says_what_is_wrong() {
        let codes = |text: &str| -> Vec<_> {
            read_csv(text, FileId(0), &Time::default())
                .unwrap_err()
                .iter()
                .map(|d| d.code)
                .collect()
        };
        assert_eq!(codes("kind,order\n").len(), 5);
        assert_eq!(codes("kind,order,step,resource,unit,start_time\n"), ["missing-column"]);
        let text =
            "kind,order,step,resource,unit,start,end\nstap,A,c,s,1,0,3\nstep,A,c,s,1,x,3.5\n";
        assert_eq!(codes(text), ["bad-value", "bad-value", "bad-value"]);
    }

    #[test]
    fn civil_time_is_enough() {
        let start =
            Some(crate::At::new(jiff::civil::date(2026, 1, 5).at(6, 0, 0, 0), Span::default()));
        let time = Time { unit: crate::Unit::Minute, start, zone: None };
        let head = "kind,order,step,resource,unit,start,start_time,end_time\nstep,A,c,s,1,";
        let read = |row: &str, time: &Time| read_csv(&format!("{head}{row}\n"), FileId(0), time);
        let row = read(",2026-01-05T07:00,2026-01-05T07:30:00", &time).unwrap().rows.remove(0);
        assert_eq!((row.start, row.end), (60, 90));
        let said = |row: &str, time: &Time| -> Vec<String> {
            read(row, time).unwrap_err().iter().map(|one| one.message.clone()).collect()
        };
        assert_eq!(
            said("1,2026-01-05T07:00,half past", &time),
            ["`end_time` is civil time such as `2026-01-05T06:00`, not `half past`"]
        );
        assert_eq!(said("x,,2026-01-05T07:00:10", &time).len(), 2);
        assert!(said("0,,2026-01-05T07:00", &Time::default())[0].contains("does not say"));
    }

    #[test]
    fn cells_have_their_places() {
        let places = |text: &str| -> Vec<String> {
            let found = read_csv(text, FileId(0), &Time::default()).unwrap_err();
            let spans = found.iter().map(|d| d.span.unwrap());
            spans.map(|s| text[s.start as usize..s.end as usize].to_owned()).collect()
        };
        let head = "kind,order,step,resource,unit,start,end,work";
        for (mark, line) in [("", "\n"), ("\u{feff}", "\r\n")] {
            let good = "step,A,cut,saw,1,0,3,3";
            let bad = "step,\"A, the first\",cut,saw,1,zero,3.5,x";
            let long = "step,A,cut,saw,1,0,3,3,more";
            let text = [head, good, bad, good, "stap,A,cut,saw,1,0,3,3", long].join(line);
            assert_eq!(
                places(&format!("{mark}{text}{line}")),
                ["zero", "3.5", "x", "stap", "more"]
            );
            assert_eq!(places(&format!("{mark}{text}")), ["zero", "3.5", "x", "stap", "more"]);
        }
    }
}
