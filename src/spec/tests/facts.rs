//! `now`, `fixed` and `pins`: what is read, and what is said of it.

use super::*;
use crate::schedule::Kind;
use crate::{Files, Unread};

const PLANT: &str = "takt: 1
time: {unit: hour, start: 2026-11-03T06:00}
resources: {mill: {units: [M1, M2]}, oven: {capacity: 2}}
recipes: {r: {steps: [{name: cut, on: mill, duration: 2}, {name: bake, on: oven, duration: 3}]}}
orders: [{id: A, recipe: r}, {id: B, recipe: r, PINS}]
";

fn with(pins: &str, rest: &str) -> String {
    PLANT.replace("PINS", pins) + rest
}

#[test]
fn facts_and_pins_are_read() {
    let text = with(
        "pins: {cut: {start: 2026-11-03T08:00, unit: M2}}",
        "now: 2026-11-03T07:00\nfixed:\n  - {order: A, step: cut, resource: mill, unit: M1, start: -2, end: 2}\n",
    );
    let (spec, found) = read(&text, FileId(0)).unwrap();
    assert_eq!(found.iter().count(), 0);
    assert!(spec.now.is_some());
    assert_eq!(spec.fixed.facts[0].unit.as_ref().unwrap().value, "M1");
    let pin = &spec.orders[1].pins[0];
    assert_eq!((pin.step.value.as_str(), pin.unit.as_ref().unwrap().value.as_str()), ("cut", "M2"));
}

#[test]
fn what_does_not_exist_is_told_at_its_place() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("pins: {cat: {start: 1}}", "", &["unknown-name@cat"]),
        ("pins: {cut: {unit: M3}}", "", &["unknown-name@M3"]),
        ("pins: {cut: {}}", "", &["missing-key@{}"]),
        ("pins: {cut: {begin: 1}}", "", &["missing-key@{begin: 1}", "unknown-key@begin"]),
        ("", "now: tomorrow\n", &["unknown-name@tomorrow"]),
        ("", "fixed: 3\n", &["bad-type@3"]),
        ("", "fixed: [{order: A, step: cat, start: 0, end: 1}]\n", &["unknown-name@cat"]),
        (
            "",
            "fixed: [{order: A, step: cut, resource: mil, unit: M1, start: 0, end: 1}]\n",
            &["unknown-name@mil"],
        ),
        (
            "",
            "fixed: [{order: A, step: cut, resource: mill, unit: M9, start: 0, end: 1}]\n",
            &["unknown-name@M9"],
        ),
        (
            "",
            "fixed: [{order: A, step: cut, start: 3, end: 1}]\n",
            &["bad-value@{order: A, step: cut, start: 3, end: 1}"],
        ),
        (
            "",
            "fixed: [{order: A, step: bake, start: 0, end: 1}]\n",
            &["bad-fact@{order: A, step: bake, start: 0, end: 1}"],
        ),
        (
            "",
            "fixed: [{order: A, step: cut, start: 0, end: 1}, {order: A, step: cut, start: 0, end: 2}]\n",
            &["bad-value@{order: A, step: cut, start: 0, end: 2}"],
        ),
    ];
    for (pins, rest, expected) in cases {
        let pins = if pins.is_empty() { "family: r" } else { pins };
        assert_eq!(errors(&with(pins, rest)), *expected, "{pins} {rest}");
    }
}

struct Yesterday(&'static str);

impl Files for Yesterday {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        match path {
            "yesterday.csv" => Ok((FileId(1), self.0.to_owned())),
            _ => Err(format!("there is no file `{path}`").into()),
        }
    }
}

/// Rows of setups do not count, and those of orders that are gone are told once.
#[test]
fn yesterdays_schedule_is_read() {
    let rows = "kind,order,step,resource,unit,start,end,work
step,A,cut,mill,M1,0,2,2
setup,A,cut,mill,M1,0,0,
hold,A,cut,oven,1,0,9,
step,Z,cut,mill,M2,0,2,2
step,Z,bake,oven,1,2,5,3
step,A,bake,oven,1,5,8,3
";
    let text = with("family: r", "now: 3\nfixed: {file: yesterday.csv, until: 5}\n");
    let (spec, found) = read_with(&text, FileId(0), &mut Yesterday(rows)).unwrap();
    let kinds: Vec<Kind> = spec.fixed.facts.iter().map(|fact| fact.kind).collect();
    assert_eq!(kinds, [Kind::Step, Kind::Hold, Kind::Step, Kind::Step, Kind::Step]);
    let told: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(told, ["2 fixed rows are left out, of 1 order"]);
    let wrong = "kind,order,step,resource,unit,start,end\nstep,A,cut,mill,M1,zero,2\n";
    let found = read_with(&text, FileId(0), &mut Yesterday(wrong)).unwrap_err();
    let first = found.iter().next().unwrap();
    assert_eq!((first.code, first.span.unwrap().file), ("bad-value", FileId(1)));
}

/// Rows of steps count, and those of what is gone are told once.
#[test]
fn an_earlier_plan_is_read() {
    let rows = "kind,order,step,resource,unit,start,end
step,A,cut,mill,M1,-4,2
hold,A,cut,oven,1,0,9
step,Z,cut,mill,M2,0,2
step,A,gild,,,5,8
";
    let costs = "objective: cost\nprevious: {file: yesterday.csv, move-cost: 2/h, unit-cost: 50}\n";
    let text = with("family: r", costs);
    let (spec, found) = read_with(&text, FileId(0), &mut Yesterday(rows)).unwrap();
    let previous = spec.previous.unwrap();
    assert_eq!(previous.rows.len(), 3);
    assert_eq!((previous.rows[0].value.start, previous.move_cost.is_some()), (-4, true));
    let told: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "1 former row is left out, of 1 order",
            "1 former row is left out, as there are no such steps"
        ]
    );
}

#[test]
fn what_is_wrong_with_an_earlier_plan_is_told_at_its_place() {
    let none = "kind,order,step,resource,unit,start,end\n";
    let cases: &[(&str, &str, &[&str])] = &[
        ("previous: {file: yesterday.csv}\n", none, &["not-cost@previous"]),
        ("objective: makespan\nprevious: {file: yesterday.csv}\n", none, &["not-cost@previous"]),
        ("objective: cost\nprevious: {move-cost: 1}\n", none, &["missing-key@{move-cost: 1}"]),
        (
            "objective: cost\nprevious: {file: yesterday.csv, unit-cost: -1}\n",
            none,
            &["out-of-range@-1"],
        ),
        (
            "objective: cost\nprevious: {file: yesterday.csv, movecost: 1}\n",
            none,
            &["unknown-key@movecost"],
        ),
        ("objective: cost\nprevious: {file: gone.csv}\n", none, &["unreadable-file@gone.csv"]),
    ];
    for (rest, rows, expected) in cases {
        let text = with("family: r", rest);
        let found = read_with(&text, FileId(0), &mut Yesterday(rows)).unwrap_err();
        let told = found.iter().map(|one| {
            let span = one.span.unwrap();
            format!("{}@{}", one.code, &text[span.start as usize..span.end as usize])
        });
        assert_eq!(told.collect::<Vec<_>>(), *expected, "{rest}");
    }
}

/// Rows that lie beyond all time would overflow.
#[test]
fn an_earlier_plan_lies_within_reach() {
    let rows =
        "kind,order,step,resource,unit,start,end\nstep,A,cut,mill,M1,-9223372036854775808,2\n";
    let text = with("family: r", "objective: cost\nprevious: {file: yesterday.csv}\n");
    let found = read_with(&text, FileId(0), &mut Yesterday(rows)).unwrap_err();
    let first = found.iter().next().unwrap();
    assert_eq!((first.code, first.span.unwrap().file), ("out-of-range", FileId(1)));
}
