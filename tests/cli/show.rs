//! `takt show` from outside.

use crate::run::{Folder, takt};

#[test]
fn a_spec_is_shown_with_its_durations_and_loads() {
    let ran = takt(&["show", "specs/starters/shifts.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("grind 20h on mill"), "{}", ran.out);
    assert!(ran.out.contains("Mon 2026-01-05 06:00 to Mon 2026-01-05 22:00, 16h"), "{}", ran.out);
    let json = takt(&["show", "specs/starters/shifts.yaml", "--json"]).json();
    let step = &json["orders"][0]["steps"][1];
    assert_eq!(step["ways"][0]["duration"], 20, "{step}");
    assert_eq!(step["ways"][0]["needs"]["mill"], 1, "{step}");
    let mill = &json["load"][0];
    assert_eq!((&mill["resource"], &mill["capacity"]), (&"mill".into(), &62.into()), "{mill}");
}

#[test]
fn copies_heuristics_and_warnings_are_told() {
    let json = takt(&["show", "specs/starters/lacquer.yaml", "--json"]).json();
    assert_eq!(json["orders"].as_array().map(Vec::len), Some(5), "{json}");
    assert_eq!(json["heuristics"][0]["name"], "non-overtaking");
    let folder = Folder::new();
    let spec = "takt: 1\nresources: {a: {}, b: {}}\n\
                recipes: {r: {steps: [{name: s, on: a, duration: 3}]}}\n\
                orders: [{id: x, recipe: r, deadline: 2}]\nheuristics: [greedy]\n";
    let json = takt(&["show", &folder.file("s.yaml", spec), "--json"]).json();
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(1), "{json}");
    assert!(json["infeasible"].is_string(), "{json}");
    assert_eq!(json["heuristics"][0]["safe"], false);
}

/// Weeks in which nothing is due stand together; too much work is marked.
#[test]
fn empty_weeks_are_folded_and_overload_is_marked() {
    let folder = Folder::new();
    let spec = "takt: 1
time: {unit: minute, start: 2026-01-05T06:00}
calendars: {day: {weekly: {Mon-Fri: ['06:00-14:00']}}}
resources: {saw: {calendar: day}}
recipes: {r: {steps: [{name: cut, on: saw, duration: 7h}]}}
orders:
  - {id: A, recipe: r, count: 6, due: 2026-01-09, delay-cost: 1}
  - {id: B, recipe: r, count: 6, due: 2026-02-06, delay-cost: 1}
objective: cost
";
    let ran = takt(&["show", &folder.file("s.yaml", spec)]);
    let load: Vec<&str> = ran.out.lines().skip_while(|line| !line.starts_with("load")).collect();
    assert_eq!(
        load[1..4],
        [
            "  saw  Mon 2026-01-05 06:00 to Sun 2026-01-11 24:00: 42h of 40h, 105 %  <-- OVERLOAD, 2h too much",
            "       Mon 2026-01-12 00:00 to Sun 2026-02-01 24:00: nothing of 120h",
            "       Mon 2026-02-02 00:00 to Sun 2026-02-08 24:00: 42h of 40h, 105 %, 2h of it before",
        ],
        "{}",
        ran.out
    );
    assert!(ran.out.contains("A.1 (r), due Fri 2026-01-09 24:00"), "{}", ran.out);
}

#[test]
fn wrong_specs_end_with_2() {
    let folder = Folder::new();
    assert_eq!(takt(&["show", &folder.file("s.yaml", "takt: 2\n")]).code, 2);
}

#[test]
fn layouts_show_who_serves_what() {
    let json = takt(&["show", "specs/starters/wafer-scanner.yaml", "--json"]).json();
    assert_eq!(json["layout"]["locks"][1]["robots"][0], "R0");
    assert_eq!(json["layout"]["robots"][0]["from-chuck"], 54);
    let ran = takt(&["show", "specs/scanner/in-out.yaml"]);
    assert!(ran.out.contains("L3 (out): served by R1"), "{}", ran.out);
}
