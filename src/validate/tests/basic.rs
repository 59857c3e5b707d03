//! A plain shop: missing, doubled, unknown and misplaced rows.

use super::*;

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
fn after(from: &str, to: &str) -> Vec<String> {
    assert!(GOOD.contains(from));
    let schedule = read_csv(&GOOD.replace(from, to), FileId(1), &Time::default()).unwrap();
    shown(&validate(&spec(SPEC), &schedule))
}

#[test]
fn a_right_schedule_is_valid_and_has_a_value() {
    let report = validate(&spec(SPEC), &read_csv(GOOD, FileId(1), &Time::default()).unwrap());
    let value = Some(Exact::from(9));
    assert_eq!(report, Report { valid: true, value, errors: Vec::new() });
}

#[test]
fn every_rule_can_be_broken() {
    assert_eq!(after("step,B,box,bore,drill,,8,9,1\n", ""), ["B bore missing-step"]);
    assert_eq!(after("saw,1,3,6", "drill,1,3,6"), ["B cut resource", "A bore capacity"]);
    assert_eq!(after("saw,1,3,6", "sew,1,3,6"), ["B cut unknown-resource"]);
    assert_eq!(after("saw,1,3,6", "saw,2,3,6"), ["B cut unit"]);
    assert_eq!(after("saw,1,3,6", "saw,1,2,5"), ["B cut capacity"]);
    assert_eq!(after("saw,1,0,3", "saw,1,-1,2"), ["A cut release"]);
    assert_eq!(after("8,9,1", "8,10,1"), ["B bore duration"]);
    assert_eq!(after("8,9,1", "9,8,1"), ["B bore reversed", "B bore duration"]);
    assert_eq!(after("8,9,1", "7,8,1"), ["B bore precedence"]);
    assert_eq!(after("8,9,1", "8,9,4"), ["B bore work"]);
    assert_eq!(after(",,6,8,2", ",7,6,8,2"), ["B dry unit"]);
    assert_eq!(after(",,6,8,2", ",,6,8,2\nstep,B,box,dry,,,6,8,2"), ["B dry duplicate-row"]);
    assert_eq!(after("B,box,dry", "B,box,fly"), ["B dry missing-step", "B fly unknown-step"]);
    assert_eq!(after("B,box,dry", "C,box,dry"), ["B dry missing-step", "C dry unknown-order"]);
    assert_eq!(after("B,box,dry", "B,bix,dry"), ["B dry recipe"]);
}

#[test]
fn ends_and_starts_may_touch() {
    assert!(after("", "").is_empty());
}

#[test]
fn a_makespan_needs_all_steps() {
    let schedule =
        read_csv(&GOOD.replace("A,box,cut", "A,box,cat"), FileId(1), &Time::default()).unwrap();
    assert_eq!(validate(&spec(SPEC), &schedule).value, None);
    let schedule =
        read_csv(&GOOD.replace("saw,1,3,6", "saw,1,2,5"), FileId(1), &Time::default()).unwrap();
    assert_eq!(validate(&spec(SPEC), &schedule).value, Some(Exact::from(9)));
}

/// Civil times are for people, but they must not lie.
#[test]
fn civil_times_are_those_of_the_instants() {
    let text = "
        takt: 1
        time: {unit: hour, start: 2026-01-05T06:00}
        resources: {saw: {}}
        recipes: {shelf: {steps: [{name: cut, on: saw, duration: 4}]}}
        orders: [{id: A, recipe: shelf}]
    ";
    let broken = |text: &str, times: &str| {
        let head = "kind,order,step,resource,unit,start,end,start_time,end_time";
        let csv = format!("{head}\nstep,A,cut,saw,1,0,4,{times}\n");
        shown(&validate(&spec(text), &read_csv(&csv, FileId(1), &Time::default()).unwrap()))
    };
    let none: [&str; 0] = [];
    assert_eq!(broken(text, "2026-01-05T06:00,2026-01-05T10:00"), none);
    assert_eq!(broken(text, "2026-01-05T06:00:00,"), none);
    assert_eq!(broken(text, ","), none);
    assert_eq!(broken(text, "2026-01-05T07:00,2026-01-05T10:00"), ["A cut civil-time"]);
    assert_eq!(broken(text, "Monday,10:00"), ["A cut civil-time", "A cut civil-time"]);
    let ticks = text.replace("time: {unit: hour, start: 2026-01-05T06:00}", "");
    assert_eq!(broken(&ticks, "2026-01-05T06:00,"), ["A cut civil-time"]);
}
