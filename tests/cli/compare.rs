//! `takt compare` from outside.

use crate::run::{Folder, takt, takt_with};
use serde_json::json;

const ONE: &str = "\
takt: 1
name: one
resources: {saw: {}, drill: {}}
recipes:
  shelf: {steps: [{name: cut, on: saw, duration: 4}, {name: bore, on: drill, duration: 2}]}
orders: [{id: A, recipe: shelf, due: 6}, {id: B, recipe: shelf, release: 4, due: 10}]
";

#[test]
fn alternatives_stand_in_one_table_and_one_chart() {
    let folder = Folder::new();
    let one = folder.file("one.yaml", ONE);
    let two = folder
        .file("two.yaml", ONE.replace("name: one\n", "").replace("duration: 2", "duration: 3"));
    let out = folder.path("results");
    let place = out.display().to_string();
    let ran = takt(&["compare", &one, &two, "--out", &place, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = ran.json();
    let specs = report["specs"].as_array().unwrap();
    let shown: Vec<_> = specs.iter().map(|s| (s["spec"].clone(), s["value"].clone())).collect();
    assert_eq!(shown, [(json!("one"), json!(10)), (json!("two"), json!(11))]);
    assert_eq!(specs[0]["changes"], json!({"moved": [], "newly_late": []}));
    assert_eq!(specs[1]["changes"]["newly_late"].as_array().unwrap().len(), 2);
    let csv = std::fs::read_to_string(out.join("compare.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].ends_with(",utilisation saw,utilisation drill"), "{csv}");
    assert!(lines[1].starts_with("one,makespan,optimal,10,10,"), "{csv}");
    let svg = std::fs::read_to_string(out.join("compare.svg")).unwrap();
    assert!(svg.contains("one: makespan 10, optimal") && svg.contains("two: makespan 11, optimal"));
    assert!(out.join("summary.json").exists());
}

#[test]
fn the_worst_member_decides_the_exit_code() {
    let folder = Folder::new();
    let one = folder.file("one.yaml", ONE);
    let tight = folder.file("tight.yaml", ONE.replace("due: 6", "deadline: 3"));
    let out = folder.path("results").display().to_string();
    let ran = takt(&["compare", &one, &tight, &one, "--out", &out]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("one (2)") && ran.out.contains("infeasible"), "{}", ran.out);
    // A wrong spec: nothing is written, and the place of the error is told.
    let wrong = folder.file("wrong.yaml", ONE.replace("on: saw", "on: sow"));
    let other = folder.path("other").display().to_string();
    let ran = takt(&["compare", &one, &wrong, "--out", &other, "--json"]);
    assert_eq!(ran.code, 2);
    assert!(!ran.error_codes().is_empty());
    assert!(!folder.path("other").exists());
}

#[test]
fn wrong_calls_are_refused() {
    let ran = takt(&["compare", "specs/bakery.yaml", "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["usage".to_owned()]));
    let ran = takt_with(&["compare", "-", "-", "--json"], ONE, &[]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["usage".to_owned()]));
}

#[test]
fn everything_wrong_is_told_of_all_specs() {
    let folder = Folder::new();
    let first = folder.file("first.yaml", "takt: 1\nrecipes: {}\norders: [{id: A, recipe: x}]\n");
    let good = folder.file("good.yaml", "takt: 1\nrecipes: {}\norders: []\n");
    let third = folder.file("third.yaml", "takt: 1\nrecipe: {}\norders: []\n");
    let out = folder.path("out").display().to_string();
    let ran = takt(&["compare", &first, &good, &third, "--out", &out, "--json"]);
    assert_eq!(ran.code, 2);
    let json = ran.json();
    let files = json["errors"].as_array().unwrap().iter().map(|error| error["file"].as_str());
    let files: std::collections::BTreeSet<_> = files.map(Option::unwrap).collect();
    assert_eq!(files, [first.as_str(), third.as_str()].into());
    let lines: Vec<_> = json["errors"].as_array().unwrap().iter().map(|e| &e["line"]).collect();
    assert_eq!(lines, [3, 1, 2], "{json}");
}
