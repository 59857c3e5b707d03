//! Units with terms of their own: what is read, and what is said of it.

use super::*;
use takt_diagnostic::Severity;

fn with(unit: &str, objective: &str) -> String {
    format!(
        "takt: 1
time: {{unit: minute, start: 2026-01-05T06:00}}
calendars: {{c: {{weekly: {{Mon: 06:00-14:00}}}}}}
resources: {{filler: {{units: {{L1: {unit}, L2: {{}}}}, performance: 0.5, run-cost: 1}}}}
recipes: {{milk: {{steps: [{{name: fill, on: filler, duration: 1}}]}}}}
orders: [{{id: A, recipe: milk}}]
objective: {objective}
"
    )
}

#[test]
fn what_a_unit_says_is_read() {
    let text =
        with("{performance: 80/168, availability: 0.9, run-cost: 30/h, families: milk}", "cost");
    let (spec, found) = read(&text, FileId(0)).unwrap();
    assert!(found.iter().all(|one| one.message.contains("calendar `c`")), "{found:?}");
    let [first, second] = spec.resources[0].named_units() else { panic!("two units") };
    assert_eq!(first.performance.as_ref().unwrap().value, Exact::new(10, 21));
    assert_eq!(first.families.as_ref().unwrap()[0].value, "milk");
    assert!(first.has_own() && !second.has_own());
    assert_eq!(spec.resources[0].rates().count(), 2);
}

#[test]
fn what_is_wrong_has_a_place() {
    let cases: &[(&str, &[&str])] = &[
        ("{performance: 1.2}", &["out-of-range@1.2"]),
        ("{availability: 0}", &["out-of-range@0"]),
        ("{run-cost: -1}", &["out-of-range@-1"]),
        ("{run-cost: 1/s, speed: 2}", &["unknown-key@speed"]),
        ("{run-cost: 0.0000001}", &["not-exact@0.0000001"]),
        ("{families: []}", &["bad-value@[]"]),
        ("{families: [milk, milk]}", &["duplicate-name@milk"]),
        ("{families: {milk: 1}}", &["bad-type@{milk: 1}"]),
        ("{setup: {time: 1}}", &["unknown-key@setup"]),
    ];
    for (unit, expected) in cases {
        assert_eq!(errors(&with(unit, "cost")), *expected, "{unit}");
    }
}

#[test]
fn what_is_probably_a_mistake_is_told() {
    let cases = [
        ("{families: [mlk, milk]}", "makespan", vec!["mlk", "1"]),
        ("{availability: 0.9, calendar: c}", "cost", vec!["0.9"]),
        ("{run-cost: 2}", "makespan", vec!["2"]),
    ];
    for (unit, objective, expected) in cases {
        let text = with(unit, objective);
        let (_, found) = read(&text, FileId(0)).unwrap();
        let told: Vec<&str> = (found.iter())
            .filter(|one| one.severity == Severity::Warning)
            .filter_map(|one| one.span)
            .map(|span| &text[span.start as usize..span.end as usize])
            .filter(|place| *place != "c")
            .collect();
        assert_eq!(told, expected, "{unit}");
    }
}
