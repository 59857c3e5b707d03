//! `takt solve` from outside.

use crate::run::{Folder, end, root, start, takt, takt_with};
use serde_json::{Value, json};
use std::path::Path;

const SHELVES: &str = "\
takt: 1
name: shelves
resources: {saw: {}, drill: {}}
recipes:
  shelf: {steps: [{name: cut, on: saw, duration: 4}, {name: bore, on: drill, duration: 2}]}
orders: [{id: A, recipe: shelf}, {id: B, recipe: shelf}, {id: C, recipe: shelf}]
";

const FILES: [&str; 6] =
    ["model.xta", "orders.csv", "report.html", "schedule.csv", "schedule.svg", "summary.json"];

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn writes_a_proved_schedule_that_validates() {
    let folder = Folder::new();
    let spec = folder.file("shelves.yaml", SHELVES);
    let out = folder.path("results");
    let place = out.display().to_string();
    let ran = takt(&["solve", &spec, "--out", &place, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with("found 14, no less than 14"), "{}", ran.err);
    assert_eq!(names(&out), FILES);
    let summary = ran.json();
    for (key, value) in [
        ("takt", json!(1)),
        ("spec", json!("shelves")),
        ("objective", json!("makespan")),
        ("status", json!("optimal")),
        ("value", json!(14)),
        ("bound", json!(14)),
        ("gap", json!(0.0)),
        ("heuristics", json!([])),
        ("replayed", json!(true)),
        ("valid", json!(true)),
    ] {
        assert_eq!(summary[key], value, "{key}");
    }
    assert_eq!(summary["kpis"]["utilisation"], json!({"saw": 0.8571, "drill": 0.4286}));
    let written = std::fs::read_to_string(out.join("summary.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), summary);
    let csv = out.join("schedule.csv").display().to_string();
    let ran = takt(&["validate", &spec, &csv, "--json"]);
    assert_eq!(ran.json(), json!({"valid": true, "value": 14, "errors": []}));
    let model = out.join("model.xta").display().to_string();
    let ran = takt(&["check", &model, "-q", "inf{done}: now", "--json"]);
    assert_eq!(ran.json()["queries"][0]["value"], 14);
}

/// Nowhere is a schedule called optimal that is the best of some only.
#[test]
fn what_a_heuristic_may_have_cut_is_said_everywhere() {
    let folder = Folder::new();
    let spec = folder.file("shelves.yaml", format!("{SHELVES}heuristics: [{{max-active: 1}}]\n"));
    let out = folder.path("results");
    let ran = takt(&["solve", &spec, "--out", &out.display().to_string()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let chart = std::fs::read_to_string(out.join("schedule.svg")).unwrap();
    let summary = std::fs::read_to_string(out.join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["value"], json!(18));
    assert_eq!(summary["status"], json!("restricted"));
    for text in [&ran.out, &chart] {
        assert!(text.contains("restricted") && !text.contains("optimal"), "{text}");
    }
}

#[test]
fn equal_inputs_give_equal_schedules() {
    let folder = Folder::new();
    let solve = |name: &str| {
        let out = folder.path(name);
        let ran =
            takt(&["solve", "specs/ft06.yaml", "--quiet", "--out", &out.display().to_string()]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
        std::fs::read_to_string(out.join("schedule.csv")).unwrap()
    };
    assert_eq!(solve("one"), solve("two"));
}

#[test]
fn the_famous_job_shop_takes_55() {
    let folder = Folder::new();
    let out = folder.path("ft06").display().to_string();
    let ran = takt(&["solve", "specs/ft06.yaml", "--out", &out]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("ft06: makespan 55, optimal\n"), "{}", ran.out);
    assert!(ran.out.contains("replayed and validated"), "{}", ran.out);
}

#[test]
fn an_unusable_place_is_found_before_solving() {
    let folder = Folder::new();
    let file = folder.file("file", "keep me");
    for out in [file.clone(), format!("{file}/below")] {
        let ran = takt_with(&["solve", "-", "--out", &out, "--json"], SHELVES, &[]);
        assert_eq!((ran.code, ran.error_codes()), (2, vec!["unusable-output".to_owned()]));
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "keep me");
    assert_eq!(names(&folder.path(".")), ["file"]);
}

#[test]
fn a_wrong_spec_leaves_earlier_results_alone() {
    let folder = Folder::new();
    let out = folder.path("results");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("schedule.csv"), "earlier").unwrap();
    let place = out.display().to_string();
    let wrong = SHELVES.replace("on: drill", "on: dril");
    let ran = takt_with(&["solve", "-", "--out", &place], &wrong, &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `drill`?"), "{}", ran.err);
    assert_eq!(names(&out), ["schedule.csv"]);
    let ran = takt_with(&["solve", "-", "--out", &place, "--quiet"], SHELVES, &[]);
    assert_eq!(ran.code, 0);
    assert_eq!(names(&out), FILES);
    assert!(std::fs::read_to_string(out.join("schedule.csv")).unwrap().starts_with("kind,"));
}

#[test]
fn templates_that_misread_the_spec_are_found_out() {
    let folder = Folder::new();
    let own = std::fs::read_to_string(root().join("templates/plant.xta")).unwrap();
    folder.file("plant.xta", own.replace("bool done = orders == 0;", "bool done = true;"));
    let here = folder.path(".").display().to_string();
    let out = folder.path("out").display().to_string();
    let args = ["solve", "-", "--templates", &here, "--out", &out, "--json"];
    let ran = takt_with(&args, SHELVES, &[]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["bad-template".to_owned()]), "{}", ran.err);
    assert!(!folder.path("out").exists());
}

#[test]
fn any_schedule_will_do_where_none_is_best() {
    let folder = Folder::new();
    let out = folder.path("out").display().to_string();
    let spec = format!("{SHELVES}objective: feasible\n");
    let ran = takt_with(&["solve", "-", "--out", &out, "--json"], &spec, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let summary = ran.json();
    assert_eq!((&summary["status"], &summary["valid"]), (&json!("optimal"), &json!(true)));
    for key in ["value", "bound", "gap"] {
        assert_eq!(summary[key], Value::Null, "{key}");
    }
}

#[test]
fn both_views_are_written_when_asked_for() {
    let folder = Folder::new();
    let out = folder.path("out");
    let place = out.display().to_string();
    let ran = takt_with(&["solve", "-", "--view", "both", "--out", &place, "--json"], SHELVES, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let summary = ran.json();
    let paths = ["svg", "svg_orders"].map(|key| summary["files"][key].as_str().unwrap().to_owned());
    let charts = paths.map(|path| std::fs::read_to_string(path).unwrap());
    assert!(charts[0].contains(">\nsaw\n<") && charts[0] != charts[1]);
    let ran =
        takt_with(&["solve", "-", "--view", "orders", "--out", &place, "--quiet"], SHELVES, &[]);
    assert_eq!(ran.code, 0);
    assert_eq!(std::fs::read_to_string(out.join("schedule.svg")).unwrap(), charts[1]);
    assert!(!out.join("schedule-orders.svg").exists(), "a chart of an earlier run is left");
}

/// Decimal places of prices come out as they went in.
#[test]
fn costs_are_exact_in_all_results() {
    let spec = "\
takt: 1
name: paint
time: {unit: minute, start: 2026-01-05T06:00}
resources: {booth: {setup: {time: 3, cost: 0.1}, run-cost: 0.000001}}
recipes: {coat: {steps: [{name: spray, on: booth, duration: 10}]}}
orders:
  - {id: A, recipe: coat, family: red, due: 2026-01-05T06:10, delay-cost: 0.1}
  - {id: B, recipe: coat, family: blue, due: 2026-01-05T06:20, delay-cost: 0.1, holding-cost: 0.02}
objective: cost
";
    let folder = Folder::new();
    let out = folder.path("out");
    let place = out.display().to_string();
    let ran = takt_with(&["solve", "-", "--out", &place, "--json"], spec, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("\"value\":0.60002,\"bound\":0.60002"), "{}", ran.out);
    let costs = r#""costs":{"delay":0.3,"storage":0,"holding":0.2,"setup":0.1,"run":0.00002}"#;
    assert!(ran.out.contains(costs), "{}", ran.out);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(
        read("orders.csv"),
        "order,recipe,start,finish,due,lateness,delay_cost,storage_cost,holding_cost,late_cost,start_time,finish_time,due_time,late,rejected
A,coat,0,10,10,0,0,0,0,0,2026-01-05T06:00,2026-01-05T06:10,2026-01-05T06:10,false,false
B,coat,13,23,20,3,0.3,0,0.2,0,2026-01-05T06:13,2026-01-05T06:23,2026-01-05T06:20,true,false
"
    );
    assert_eq!(
        read("schedule.csv"),
        "kind,order,recipe,step,resource,unit,start,end,work,start_time,end_time
step,A,coat,spray,booth,1,0,10,10,2026-01-05T06:00,2026-01-05T06:10
setup,B,coat,spray,booth,1,10,13,,2026-01-05T06:10,2026-01-05T06:13
step,B,coat,spray,booth,1,13,23,10,2026-01-05T06:13,2026-01-05T06:23
"
    );
}

#[test]
fn names_keep_their_white_space_from_spec_to_schedule_and_back() {
    let folder = Folder::new();
    let spec = folder.file(
        "s.yaml",
        "takt: 1\nresources: {m: {}}\nrecipes: {r: {steps: [{name: s, on: m, duration: 4}]}}\n\
         orders: [{id: ' x ', recipe: r}, {id: 'y,\"z\"', recipe: r}]\n",
    );
    let out = folder.path("out").display().to_string();
    let ran = takt(&["solve", &spec, "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = takt(&["validate", &spec, &format!("{out}/schedule.csv")]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn help_and_version_are_json_where_it_is_asked_for() {
    for args in [
        &["help", "--json"][..],
        &["help", "solve", "--json"],
        &["--json", "help", "solve"],
        &["solve", "--help", "--json"],
        &["--version", "--json"],
    ] {
        let ran = takt(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        let json = ran.json();
        assert!(json["text"].as_str().is_some_and(|text| text.contains("takt")), "{json}");
    }
}

/// `--time` began only when the spec was read: a pipe that nobody closes was waited for.
#[test]
fn a_limit_holds_while_a_pipe_is_read() {
    let queries: &[&str] = &["check", "-", "-q", "E<> true", "--time", "200ms", "--json"];
    let commands: [&[&str]; 3] = [
        &["solve", "-", "--time", "200ms", "--json"],
        &["compare", "-", "specs/bakery.yaml", "--time", "200ms", "--json"],
        queries,
    ];
    for args in commands {
        let mut child = start(args);
        let open = child.stdin.take();
        let ran = end(child);
        drop(open);
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.err);
        assert!(ran.out.contains("unknown"), "{args:?}: {}", ran.out);
    }
}

/// A step that takes ten thousand units had ten thousand rows in the chart, and each was looked for
/// among all of them.
#[test]
fn many_units_are_one_row_of_the_chart() {
    let spec = "\
takt: 1
resources: {place: {capacity: 10000}, gate: {capacity: 3}}
recipes: {fill: {steps: [{name: in, on: {place: 4000, gate: 2}, duration: 3}]}}
orders: [{id: A, recipe: fill, count: 3}]
objective: feasible
";
    let folder = Folder::new();
    let out = folder.path("out");
    let place = out.display().to_string();
    let ran = takt_with(&["solve", "-", "--out", &place, "--json"], spec, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows = std::fs::read_to_string(out.join("schedule.csv")).unwrap();
    assert_eq!(rows.lines().filter(|row| row.contains(",place,")).count(), 12_000);
    let chart = std::fs::read_to_string(out.join("schedule.svg")).unwrap();
    assert!(chart.contains("place (of 10000)") && chart.contains("gate 2"), "{chart}");
    assert!(chart.len() < 20_000, "{}", chart.len());
}

/// Every order with costs has two automata, and 5000 of them were one process too many.
#[test]
fn orders_with_costs_may_be_more_than_five_thousand() {
    let spec = "\
takt: 1
objective: cost
resources: {m: {capacity: 20000}}
recipes: {r: {steps: [{name: s, on: m, duration: 2}]}}
orders: [{id: A, recipe: r, count: 5100, due: 2, delay-cost: 1}]
";
    let folder = Folder::new();
    let place = folder.path("out").display().to_string();
    let ran = takt_with(&["solve", "-", "--out", &place, "--json"], spec, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["status"], "optimal");
}

/// Schedules that no automaton was searched for were told as if they came from the automata.
#[test]
fn who_found_and_who_proved_is_told() {
    let folder = Folder::new();
    let out = folder.path("out").display().to_string();
    let told = |args: &[&str]| {
        let args = [&["solve"], args, &["--json", "--threads", "1", "--out", &out]].concat();
        let json = takt(&args).json();
        let text = |key: &str| json[key].as_str().unwrap_or("nobody").to_owned();
        (text("found_by"), text("proved_by"), json["states"]["explored"].as_u64().unwrap())
    };
    let pair = |found: &str, proved: &str| (found.to_owned(), proved.to_owned());
    let (found, proved, _) = told(&["specs/ft06.yaml"]);
    assert_eq!((found, proved), pair("local-search", "zones"));
    let (found, proved, explored) = told(&["specs/ft06.yaml", "--engine", "learn"]);
    assert_eq!((found, proved, explored), ("learn".to_owned(), "learn".to_owned(), 0));
    let (found, proved, explored) = told(&["specs/ft06.yaml", "--engine", "zones"]);
    assert_eq!((found, proved), pair("zones", "zones"));
    assert!(explored > 0);
    let (_, proved, explored) = told(&["specs/bakery.yaml"]);
    assert_eq!((proved.as_str(), explored), ("floor", 0));
    let (found, proved, explored) = told(&["specs/scanner/base.yaml"]);
    assert_eq!((found, proved, explored), ("closure".to_owned(), "relaxation".to_owned(), 0));
    let late = "takt: 1\nresources: {m: {}}\nrecipes: {r: {steps: [{name: a, on: m, duration: 9}]}}\n\
                orders: [{id: A, recipe: r, deadline: 5}]\n";
    let late = folder.file("late.yaml", late);
    let (found, proved, _) = told(&[&late]);
    assert_eq!((found, proved), pair("nobody", "floor"));
}

/// What was asked for in an earlier run, and no more, does not stay beside other results.
#[test]
fn more_files_are_written_where_they_are_asked_for() {
    let folder = Folder::new();
    let spec = folder.file("shelves.yaml", SHELVES);
    let out = folder.path("out").display().to_string();
    let call = ["solve", &spec, "--out", &out, "--threads", "1", "--json"];
    let ran = takt(&[&call[..], &["--write", "xlsx,dispatch"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.json()["files"]["xlsx"].as_str().unwrap().ends_with("schedule.xlsx"));
    let more = ["dispatch.csv", "schedule.xlsx"];
    assert!(more.iter().all(|name| names(Path::new(&out)).contains(&(*name).to_owned())));
    let page = || std::fs::read(Path::new(&out).join("report.html")).unwrap();
    let first = page();
    assert_eq!(takt(&call).code, 0);
    assert_eq!(names(Path::new(&out)), FILES);
    assert!(first == page(), "the same result gives another page");
    let ran = takt(&["solve", &spec, "--out", &out, "--write", "ics"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("civil time"), "{}", ran.err);
}
