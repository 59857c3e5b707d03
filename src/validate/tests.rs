//! A right schedule, and every way to break it.

use super::*;
use crate::diagnostic::FileId;
use crate::schedule::read_csv;

const SPEC: &str = "takt: 1
resources: {saw: {}, drill: {}}
recipes:
  box: {steps: [{name: cut, on: saw, duration: 3}, {name: dry, duration: 2}, {name: bore, on: drill, duration: 1}]}
orders: [{id: A, recipe: box}, {id: B, recipe: box}]
";
const GOOD: &str = "kind,order,recipe,step,resource,unit,start,end,work
step,A,box,cut,saw,1,0,3,3
step,A,box,dry,,,3,5,2
step,B,box,cut,saw,1,3,6,3
step,A,box,bore,drill,1,5,6,1
step,B,box,dry,,,6,8,2
step,B,box,bore,drill,,8,9,1
";

/// The rules broken after one text of the schedule was replaced.
fn broken(from: &str, to: &str) -> Vec<String> {
    assert!(GOOD.contains(from));
    let spec = crate::spec::read(SPEC, FileId(0)).unwrap().0;
    let schedule = read_csv(&GOOD.replace(from, to), FileId(1)).unwrap();
    let report = validate(&spec, &schedule);
    assert_eq!(report.valid, report.errors.is_empty());
    let shown = |e: &Violation| format!("{} {} {}", e.order, e.step, e.rule);
    report.errors.iter().map(shown).collect()
}

#[test]
fn a_right_schedule_is_valid_and_has_a_value() {
    let spec = crate::spec::read(SPEC, FileId(0)).unwrap().0;
    let report = validate(&spec, &read_csv(GOOD, FileId(1)).unwrap());
    assert_eq!(report, Report { valid: true, value: Some(9), errors: Vec::new() });
}

#[test]
fn every_rule_can_be_broken() {
    assert_eq!(broken("step,B,box,bore,drill,,8,9,1\n", ""), ["B bore missing"]);
    assert_eq!(broken("saw,1,3,6", "drill,1,3,6"), ["B cut resource", "A bore capacity"]);
    assert_eq!(broken("saw,1,3,6", "sew,1,3,6"), ["B cut resource", "B cut resource"]);
    assert_eq!(broken("saw,1,3,6", "saw,2,3,6"), ["B cut unit"]);
    assert_eq!(broken("saw,1,3,6", "saw,1,2,5"), ["B cut capacity"]);
    assert_eq!(broken("saw,1,0,3", "saw,1,-1,2"), ["A cut release"]);
    assert_eq!(broken("8,9,1", "8,10,1"), ["B bore duration"]);
    assert_eq!(broken("8,9,1", "7,8,1"), ["B bore precedence"]);
    assert_eq!(broken("8,9,1", "8,9,4"), ["B bore work"]);
    assert_eq!(broken(",,6,8,2", ",,6,8,2\nstep,B,box,dry,,,6,8,2"), ["B dry rows"]);
    assert_eq!(broken("B,box,dry", "B,box,fly"), ["B dry missing", "B fly unknown"]);
    assert_eq!(broken("B,box,dry", "B,bix,dry"), ["B dry recipe"]);
}

#[test]
fn ends_and_starts_may_touch() {
    assert!(broken("", "").is_empty());
}
