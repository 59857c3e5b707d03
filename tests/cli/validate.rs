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
