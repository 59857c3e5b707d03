//! A right schedule, and every way to break it: rule by rule, with calendars tried unit by unit, and
//! with schedules of random plants that are broken at random.

mod basic;
mod calendars;
mod crews;
mod mutation;
mod rules;

use super::*;
use takt_diagnostic::FileId;
use takt_spec::Time;
use takt_spec::schedule::read_csv;

const HEAD: &str = "kind,order,step,resource,unit,start,end\n";

fn spec(text: &str) -> Spec {
    let read = takt_spec::read(text, FileId(0));
    read.unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}")).0
}

/// Rows without their header: `A cut saw 1 0 3`, a dash for an empty cell; a first word `hold` or
/// `setup` makes it another kind of row than a step.
fn schedule(rows: &str) -> Schedule {
    let mut text = HEAD.to_owned();
    for line in rows.lines().flat_map(|line| line.split(';')).filter(|l| !l.trim().is_empty()) {
        let mut cells: Vec<&str> = line.split_whitespace().collect();
        if !["hold", "setup", "op"].contains(&cells[0]) {
            cells.insert(0, "step");
        }
        let cells: Vec<_> = cells.iter().map(|cell| if *cell == "-" { "" } else { cell }).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    read_csv(&text, FileId(1), &Time::default()).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"))
}

fn shown(report: &Report) -> Vec<String> {
    assert_eq!(report.valid, report.errors.is_empty());
    report.errors.iter().map(|e| format!("{} {} {}", e.order, e.step, e.rule)).collect()
}

/// The rules that a schedule breaks, with order and step.
fn broken(text: &str, rows: &str) -> Vec<String> {
    shown(&validate(&spec(text), &schedule(rows)))
}

fn value(text: &str, rows: &str) -> Option<String> {
    validate(&spec(text), &schedule(rows)).value.as_ref().map(decimal)
}
