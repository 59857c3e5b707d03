//! Why there is no schedule: each snapshot shows a plant with one kind of conflict and what is said.

use crate::run::{Folder, takt};

/// Says why, in words with places, and the same in the summary.
fn check(name: &str, spec: &str) {
    let folder = Folder::new();
    let path = folder.file("plant.yaml", format!("takt: 1\n{spec}"));
    let out = folder.path("out").display().to_string();
    let ran = takt(&["solve", &path, "--out", &out, "--threads", "1", "--color", "never"]);
    assert_eq!(ran.code, 1, "{}\n{}", ran.out, ran.err);
    assert!(!folder.path("out").exists());
    let said = ran.err.replace(&path, "plant.yaml");
    let json = takt(&["solve", &path, "--out", &out, "--threads", "1", "--json"]).json();
    let demands = json["conflict"].as_array().expect("demands").iter().map(|demand| {
        format!("{} {}", demand["kind"].as_str().unwrap(), demand["name"].as_str().unwrap())
    });
    let demands: Vec<String> = demands.collect();
    let reason = json["reason"].as_str().unwrap();
    assert!(said.starts_with(&format!("warning[infeasible]: {reason}\n")), "{said}\n{reason}");
    insta::assert_snapshot!(name, format!("{said}{}\n", demands.join(", ")));
}

#[test]
fn too_much_work() {
    check(
        "too_much_work",
        "\
resources:
  press: {}
  oven: {capacity: 2}
recipes:
  plate:
    steps:
      - {name: form, on: press, duration: 4}
      - {name: bake, on: oven, duration: 3}
orders:
  - {id: A1, recipe: plate, deadline: 20}
  - {id: B1, recipe: plate, deadline: 9}
  - {id: B2, recipe: plate, deadline: 9}
",
    );
}

#[test]
fn waiting_has_a_limit() {
    check(
        "waiting_has_a_limit",
        "\
resources:
  mill: {}
  line: {}
recipes:
  uni:
    steps:
      - {name: grind, on: mill, duration: 2}
      - {name: paint, on: line, duration: 5, after: {grind: {max: 1}}}
  bulk:
    steps:
      - {name: grind, on: mill, duration: 3}
orders:
  - {id: A, recipe: uni, deadline: 9}
  - {id: B, recipe: uni, deadline: 12}
  - {id: C, recipe: bulk, release: 3, deadline: 8}
  - {id: D, recipe: bulk}
",
    );
}

#[test]
fn tanks_that_wait_for_each_other() {
    check(
        "tanks_that_wait_for_each_other",
        "\
resources:
  tank: {}
  pan: {}
recipes:
  up:
    steps:
      - {name: fill, on: tank, duration: 4}
      - {name: pour, on: [tank, pan], duration: 1, after: {fill: {max: 0}}}
  down:
    steps:
      - {name: boil, duration: 3}
      - {name: drain, duration: 4}
    holds:
      - {resource: pan, from: boil, until: drain}
orders:
  - {id: A, recipe: up, deadline: 6}
  - {id: B, recipe: down, deadline: 8}
  - {id: C, recipe: up}
",
    );
}

#[test]
fn closed_at_night() {
    check(
        "closed_at_night",
        "\
time: {unit: hour, start: 2026-01-05T06:00}
calendars:
  day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}}
resources:
  saw: {calendar: day}
  glue: {}
recipes:
  shelf:
    steps:
      - {name: cut, on: saw, duration: 5h}
      - {name: join, on: glue, duration: 3h}
orders:
  - {id: A, recipe: shelf, deadline: 2026-01-06T08:00}
  - {id: B, recipe: shelf, deadline: 2026-01-06T13:00}
  - {id: C, recipe: shelf}
",
    );
}

#[test]
fn setups_in_between() {
    check(
        "setups_in_between",
        "\
resources:
  press:
    setup: {time: 4}
    initial: red
recipes:
  print:
    steps:
      - {name: press, on: press, duration: 3}
orders:
  - {id: A, recipe: print, family: blue, deadline: 8}
  - {id: B, recipe: print, family: red, deadline: 9}
  - {id: C, recipe: print, family: red, deadline: 30}
",
    );
}

/// Every order that is late by itself is told, with its dates and the earliest finish, also where calendars decide.
#[test]
fn late_even_alone() {
    check(
        "late_even_alone",
        "\
time: {unit: minute, start: 2026-01-05T06:00}
calendars:
  day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}}
resources:
  saw: {calendar: day}
recipes:
  shelf:
    steps:
      - {name: cut, on: saw, duration: 5h}
      - {name: glue, duration: 30h}
orders:
  - {id: A, recipe: shelf, deadline: 2026-01-06T12:00}
  - {id: B, recipe: shelf, release: 2026-01-09T15:00, deadline: 2026-01-11}
  - {id: C, recipe: shelf, release: 2026-01-13, deadline: 2026-01-11}
  - {id: D, recipe: shelf, deadline: 2026-01-08}
",
    );
}

#[test]
fn longer_than_every_window() {
    check(
        "longer_than_every_window",
        "\
time: {unit: minute, start: 2026-01-05T06:00}
calendars:
  day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}}
resources:
  saw: {calendar: day}
recipes:
  shelf: {steps: [{name: cut, on: saw, duration: 9h}]}
orders:
  - {id: A, recipe: shelf}
",
    );
}
