//! `takt validate` from outside.

use crate::run::{Folder, takt, takt_with};
use serde_json::json;

const SPEC: &str = "\
takt: 1
resources: {saw: {}}
recipes: {shelf: {steps: [{name: cut, on: saw, duration: 4}]}}
orders: [{id: A, recipe: shelf}, {id: B, recipe: shelf}]
";
const HEAD: &str = "kind,order,step,resource,unit,start,end\n";

#[test]
fn a_good_schedule_is_valid_and_has_its_value() {
    let folder = Folder::new();
    let spec = folder.file("shop.yaml", SPEC);
    let rows = format!("{HEAD}step,A,cut,saw,1,0,4\nstep,B,cut,saw,1,5,9\n");
    let ran = takt_with(&["validate", &spec, "-", "--json"], &rows, &[]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.json(), json!({"valid": true, "value": 9, "errors": []}));
    let ran = takt_with(&["validate", &spec, "-"], &rows, &[]);
    assert_eq!(ran.out, "valid, makespan 9\n");
    let ran = takt_with(&["validate", &spec, "-", "--quiet"], &rows, &[]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
}

/// A table of somebody else's has civil times alone.
#[test]
fn civil_times_are_enough() {
    let folder = Folder::new();
    let text = SPEC.replace("takt: 1\n", "takt: 1\ntime: {unit: hour, start: 2026-01-05T06:00}\n");
    let spec = folder.file("shop.yaml", text);
    let head = "kind,order,step,resource,unit,start_time,end_time\n";
    let rows = format!(
        "{head}step,A,cut,saw,1,2026-01-05T06:00,2026-01-05T10:00\n\
         step,B,cut,saw,1,2026-01-05T11:00,2026-01-05T15:00\n"
    );
    let ran = takt_with(&["validate", &spec, "-"], &rows, &[]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "valid, makespan 9\n"));
    let ran = takt_with(&["validate", &spec, "-"], &rows.replace("T11:00", "T11:20"), &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("not a whole number of hours from the start"), "{}", ran.err);
    let ran = takt_with(&["validate", &folder.file("bare.yaml", SPEC), "-"], &rows, &[]);
    assert!(ran.err.contains("does not say when its time starts"), "{}", ran.err);
}

#[test]
fn every_violation_is_named() {
    let folder = Folder::new();
    let schedule =
        folder.file("s.csv", format!("{HEAD}step,A,cut,saw,1,0,4\nstep,B,cut,saw,1,3,6\n"));
    let ran = takt_with(&["validate", "-", &schedule, "--json"], SPEC, &[]);
    assert_eq!(ran.code, 1);
    let json = ran.json();
    assert_eq!(json["valid"], false);
    let rules: Vec<_> =
        json["errors"].as_array().unwrap().iter().map(|error| &error["rule"]).collect();
    assert!(rules.contains(&&json!("duration")), "{rules:?}");
    assert!(rules.contains(&&json!("capacity")), "{rules:?}");
    assert!(json["errors"][0]["order"].is_string() && json["errors"][0]["step"].is_string());
}

#[test]
fn a_broken_schedule_file_is_no_verdict() {
    let folder = Folder::new();
    let spec = folder.file("shop.yaml", SPEC);
    let schedule = folder.file("s.csv", "kind,order\nstep,A\n");
    let ran = takt(&["validate", &spec, &schedule, "--json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["errors"][0]["code"], "missing-column");
    assert_eq!(takt(&["validate", "-", "-"]).code, 2);
}

#[test]
fn what_cannot_be_read_has_its_place() {
    let folder = Folder::new();
    let spec = folder.file("shop.yaml", SPEC);
    let schedule =
        folder.file("s.csv", format!("{HEAD}step,A,cut,saw,1,0,4\nstep,B,cut,saw,1,4,8.0\n"));
    let ran = takt(&["validate", &spec, &schedule, "--json"]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["errors"][0];
    assert_eq!((&error["line"], &error["column"]), (&json!(3), &json!(20)));
    assert!(error["file"].as_str().unwrap().ends_with("s.csv"));
}

#[test]
fn costs_are_exact_numbers_and_times_are_civil() {
    let folder = Folder::new();
    let spec = folder.file(
        "shop.yaml",
        "takt: 1
time: {unit: hour, start: 2026-01-05T06:00}
calendars: {day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}}}
resources: {saw: {calendar: day, run-cost: 0.1}}
recipes: {shelf: {steps: [{name: cut, on: saw, duration: 3}]}}
orders: [{id: A, recipe: shelf, due: 0, delay-cost: 0.000001}]
objective: cost
",
    );
    let rows = format!("{HEAD}step,A,cut,saw,,5,8\n");
    let ran = takt_with(&["validate", &spec, "-", "--json"], &rows, &[]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("\"value\":0.300008"), "{}", ran.out);
    let rows = format!("{HEAD}step,A,cut,saw,,6,9\n");
    let ran = takt_with(&["validate", &spec, "-"], &rows, &[]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("closing time is at Mon 2026-01-05 14:00 (8) [calendar]"),
        "{}",
        ran.out
    );
}
