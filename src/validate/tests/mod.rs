//! A right schedule, and every way to break it: rule by rule, with calendars tried unit by unit, and
//! with schedules of random plants that are broken at random.

mod basic;

use super::*;
use crate::diagnostic::FileId;
use crate::schedule::read_csv;

fn spec(text: &str) -> Spec {
    let read = crate::spec::read(text, FileId(0));
    read.unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}")).0
}

fn shown(report: &Report) -> Vec<String> {
    assert_eq!(report.valid, report.errors.is_empty());
    report.errors.iter().map(|e| format!("{} {} {}", e.order, e.step, e.rule)).collect()
}
