//! Setups that are work: with rows that say when they run and who does them, and without.

use super::*;

/// Two machines that one technician sets up; he works in the first half of ten hours.
fn shop(more: &str) -> String {
    format!(
        "takt: 1
calendars: {{half: {{windows: [[0, 5]], repeat: 10}}}}
resources:
  m: {{units: [M, N], setup: {{time: 2, on: tech{more}}}, initial: b}}
  tech: {{calendar: half}}
recipes:
  r: {{steps: [{{name: s, on: m, duration: 3}}]}}
  t: {{steps: [{{name: look, on: tech, duration: 2}}]}}
orders:
  - {{id: A, recipe: r, family: a}}
  - {{id: B, recipe: r, family: c}}
  - {{id: T, recipe: t}}
"
    )
}

const STEPS: &str = "A s m M 4 7; B s m N 4 7; T look tech 1 10 12; ";

fn check(more: &str, rows: &str, wanted: &[&str]) {
    assert_eq!(broken(&shop(more), &format!("{STEPS}{rows}")), wanted, "{rows}");
}

#[test]
fn rows_say_when_and_who() {
    let first = "setup A s m M 0 2; setup A s tech 1 0 2; ";
    check("", &format!("{first}setup B s m N 2 4; setup B s tech 1 2 4"), &[]);
    check("", &format!("{first}setup B s m N 2 4"), &[]);
    check("", first, &[]);
    check("", "", &[]);
    check("", &format!("{first}setup B s m N 1 3; setup B s tech 1 1 3"), &["B s capacity"]);
    check("", &format!("{first}setup B s m N 2 5"), &["B s setup", "B s setup"]);
    check("", &format!("{first}setup B s m N 3 5"), &["B s setup"]);
    check("", &format!("{first}setup B s m N 2 4; setup B s m N 2 4"), &["B s setup-row"]);
    check("", &format!("{first}setup B s m N 2 4; setup B s tech 2 2 4"), &["B s setup-row"]);
    check("", &format!("{first}setup B s m N 2 4; setup B s tech 1 0 2"), &["B s setup-row"]);
    check("", &format!("{first}setup T look m N 2 4"), &["T look setup-row"]);
}

#[test]
fn without_rows_there_must_be_a_place() {
    let late = |at: i64| format!("A s m M 2 5; B s m N {at} {}; T look tech 1 10 12", at + 3);
    assert_eq!(broken(&shop(""), &late(4)), [""; 0]);
    assert_eq!(broken(&shop(""), &late(3)), ["B s setup"]);
    // The technician is taken himself.
    assert_eq!(broken(&shop(""), "A s m M 3 6; B s m N 6 9; T look tech 1 0 2"), ["A s setup"]);
    assert_eq!(broken(&shop(""), "A s m M 4 7; B s m N 6 9; T look tech 1 0 2"), [""; 0]);
}

#[test]
fn calendars_count_where_they_are_asked_for() {
    let rows = "A s m M 4 7; B s m M 11 14; T look tech 1 0 2";
    assert_eq!(broken(&shop(""), rows), [""; 0], "at night");
    assert_eq!(broken(&shop(", calendar: true"), rows), ["B s setup"]);
    let rows = rows.replace("11 14", "12 15");
    assert_eq!(broken(&shop(", calendar: true"), &rows), [""; 0]);
    let told = format!("{rows}; setup B s m M 7 9");
    assert_eq!(broken(&shop(", calendar: true"), &told), ["B s calendar"]);
}
