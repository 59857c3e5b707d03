//! Planning again on the next morning: what an earlier plan costs, where searches begin, and what is told to have moved.

use crate::run::{Folder, takt};
use serde_json::json;

const DAY: &str = "\
takt: 1
name: day
calendars: {repaired: {windows: [[6, 100]]}}
resources: {mill: {units: {M1: {calendar: repaired}, M2: {}}}}
recipes: {r: {steps: [{name: cut, on: mill, duration: 4}]}}
orders:
  - {id: A, recipe: r, due: 4, delay-cost: 1}
  - {id: B, recipe: r, due: 4, delay-cost: 1}
  - {id: C, recipe: r, due: 8, delay-cost: 1}
objective: cost
";

const YESTERDAY: &str = "\
kind,order,step,resource,unit,start,end
step,A,cut,mill,M1,0,4
step,B,cut,mill,M2,0,4
step,C,cut,mill,M2,4,8
step,Z,cut,mill,M1,4,8
";

#[test]
fn what_has_moved_is_paid_and_told() {
    let folder = Folder::new();
    folder.file("yesterday.csv", YESTERDAY);
    let previous = "previous: {file: yesterday.csv, move-cost: 1, unit-cost: 3}\n";
    let spec = folder.file("day.yaml", format!("{DAY}{previous}"));
    let out = folder.path("results").display().to_string();
    for engine in ["auto", "zones", "learn"] {
        let ran = takt(&["solve", &spec, "--out", &out, "--json", "--engine", engine]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("1 former row is left out, of 1 order"), "{}", ran.err);
        let summary = ran.json();
        // Only `A` waits for the mill that is down: the others would have to leave their places.
        assert_eq!((&summary["status"], &summary["value"]), (&json!("optimal"), &json!(12)));
        assert_eq!(summary["kpis"]["costs"]["moves"], json!(6));
        let moves = json!({
            "steps": 1, "starts": 1, "units": 0, "furthest": 6, "orders": ["A"],
            "newly_late": ["A"], "new_orders": 0,
        });
        assert_eq!(summary["moves"], moves);
    }
    let told = takt(&["solve", &spec, "--out", &out]).out;
    assert!(told.contains("moved: 1 step of 1 order, by 6 at most"), "{told}");
    assert!(told.contains("newly late: A"), "{told}");
}

#[test]
fn a_search_may_only_begin_at_a_plan() {
    let folder = Folder::new();
    let (spec, plan) = (folder.file("day.yaml", DAY), folder.file("yesterday.csv", YESTERDAY));
    let out = folder.path("results").display().to_string();
    let ran = takt(&["solve", &spec, "--from", &plan, "--out", &out, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("1 former row is left out, of 1 order"), "{}", ran.err);
    let summary = ran.json();
    assert_eq!((&summary["value"], &summary["moves"]), (&json!(6), &json!(null)));
    // The next run begins at what this one has written, and may replace it.
    let plan = folder.path("results").join("schedule.csv").display().to_string();
    let ran = takt(&["solve", &spec, "--from", &plan, "--out", &out, "--json"]);
    assert_eq!((ran.code, &ran.json()["value"]), (0, &json!(6)), "{}", ran.err);
}

#[test]
fn a_plan_that_cannot_be_read_is_told_with_its_place() {
    let folder = Folder::new();
    let spec = folder.file("day.yaml", DAY);
    let plan = folder.file("wrong.csv", YESTERDAY.replace("M2,0,4", "M2,zero,4"));
    let ran = takt(&["solve", &spec, "--from", &plan, "--json"]);
    assert_eq!(ran.code, 2);
    let first = &ran.json()["errors"][0];
    assert_eq!((&first["line"], &first["column"]), (&json!(3), &json!(20)), "{first}");
    let ran = takt(&["solve", &spec, "--from", "nowhere.csv", "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["missing-file".to_owned()]));
}
