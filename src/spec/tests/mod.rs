//! Specs as a planner might write or mistype them, and hostile ones.

mod errors;
mod extend;
mod facts;
mod hostile;
mod like;
mod mapped;
mod places;
mod random;
mod routings;
mod rules;
mod same;
mod schema;
mod setups;
mod table;
mod units;
mod values;

use super::*;

/// The language of the reference, all of it in one plant.
const RICH: &str = "takt: 1
name: plant
time: {unit: minute, start: 2026-01-05T06:00, zone: Europe/Berlin}
calendars:
  two-shift:
    weekly: {Mon-Thu: [\"06:00-22:00\"], Fri: [\"06:00-14:00\"]}
    closed: [2026-01-06, 2026-12-24..2026-12-31, 2026-01-08T10:00..2026-01-08T14:00]
    open: [2026-01-10T06:00..2026-01-10T12:00]
  night: {weekly: {Fri-Mon: 22:00-06:00}}
  pattern: {windows: [[0, 480], [600, 18h]], repeat: 1440}
resources:
  vessel: {capacity: 3}
  spinner: {capacity: 2, calendar: two-shift, performance: 0.9}
  filler: {units: {F1: {calendar: night}, F2: {}}, setup: {time: 5h, cost: 200}, initial: {F2: x}}
  press:
    setup:
      matrix: {red: {blue: {time: 20m}, green: {time: 45m, cost: 10}}}
      otherwise: {time: 5m}
    initial: red
    run-cost: 1.5
  mill: {availability: 80/168}
  line:
  hand: {calendar: pattern}
  tank: {capacity: 2}
recipes:
  uni:
    steps:
      - {name: grind, on: mill, duration: 6h}
      - {name: mix, on: line, duration: 10h, after: {grind: {max: 4h}}}
      - {name: dose, on: [spinner, {vessel: 2}], duration: 2h + size * 0.2min, interruptible: {max: 12h}}
      - {name: lab, duration: 8h}
      - {name: fill, on: {any: [filler, hand]}, duration: {filler: 4h, hand: 9h}}
      - name: pack
        on: [press, {any: [hand, [line, vessel]]}]
        duration: rush * 2
        after: [fill, {lab: {from: start, min: 1h}}]
        family: red
    holds:
      - {resource: tank, from: grind, until: fill}
orders:
  - {id: A1, recipe: uni, release: 0, due: 5d, deadline: 7d, size: 5000, attributes: {rush: 1h},
     family: white, delay-cost: 3, storage-cost: 30/h, holding-cost: size * 0.1 / d}
  - {id: B, recipe: uni, count: 3, every: 1d, size: 3, due: 2026-01-09T12:00, attributes: {rush: 2}}
objective: cost
heuristics: [greedy, {max-active: 3}, {start-within: 2d}]
";

const GOOD: &str = "takt: 1
name: pair
resources: {saw: {}, drill: {capacity: 1}}
recipes:
  box:
    steps:
      - {name: cut, on: saw, duration: 3}
      - {name: dry, duration: 2}
orders:
  - {id: A, recipe: box}
  - id: 7
    recipe: box
";

/// Each error as `code@text`: the text that is underlined.
fn errors(text: &str) -> Vec<String> {
    let found = read(text, FileId(0)).expect_err("a wrong spec");
    let shown = |d: &takt_diagnostic::Diagnostic| match d.span {
        Some(span) => format!("{}@{}", d.code, &text[span.start as usize..span.end as usize]),
        None => d.code.to_owned(),
    };
    found.iter().map(shown).collect()
}

#[test]
fn reads_values_with_their_places() {
    let (spec, warnings) = read(GOOD, FileId(0)).unwrap();
    assert_eq!(spec.name.as_ref().unwrap().value, "pair");
    assert_eq!(spec.orders[1].id.value, "7");
    let step = &spec.recipes[0].steps[0];
    let alternative = &step.alternatives[0];
    let on = &alternative.requirements[0].resource;
    assert_eq!(on.value, "saw");
    assert_eq!(alternative.duration.duration(spec.constants()), Ok(Exact::from(3)));
    let span = on.span;
    assert_eq!(&GOOD[span.start as usize..span.end as usize], "saw");
    assert!(spec.recipes[0].steps[1].alternatives[0].requirements.is_empty());
    let codes: Vec<_> = warnings.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["unused"]);
}

#[test]
fn shows_all_errors_at_once_at_their_places() {
    let text = "takt: 2
nmae: x
time: {unit: minutes, start: 2026-01-05T06:00}
calendars: {}
resources:
  saw: {capacity: 3}
  saw: {}
recipes:
  box:
    steps:
      - {name: cut, on: sew, duration: 3}
      - {name: cut, on: [saw], duration: 0.5}
      - {name: dry, on: saw, duration: 0}
      - {name: dry, duration: 2h30m}
    holds: []
  none: {steps: []}
orders:
  - {id: A, recipe: bix, due: 4}
  - {recipe: box}
  - file: orders.csv
objective: fast
";
    assert_eq!(
        errors(text),
        [
            "bad-version@2",
            "unknown-key@nmae",
            "bad-value@minutes",
            "duplicate-key@saw",
            "unknown-name@sew",
            "duplicate-name@cut",
            "not-whole@0.5",
            "out-of-range@0",
            "duplicate-name@dry",
            "bad-value@[]",
            "unknown-name@bix",
            "missing-key@{recipe: box}",
            "unreadable-file@orders.csv",
            "bad-value@fast",
        ]
    );
}

#[test]
fn suggests_the_nearest_name() {
    let found = read("takt: 1\nresuorces: {}\nrecipes: {}\norders: []\n", FileId(0)).unwrap_err();
    assert_eq!(found.iter().next().unwrap().hint.as_deref(), Some("did you mean `resources`?"));
}

#[test]
fn booleans_and_dates_are_text_where_names_are_wanted() {
    let text = "takt: 1
resources: {on: {}, 2026-01-05: {}}
recipes: {no: {steps: [{name: yes, on: on, duration: 1}, {name: b, on: 2026-01-05, duration: 1}]}}
orders: [{id: true, recipe: no}]
";
    let (spec, _) = read(text, FileId(0)).unwrap();
    assert_eq!(
        spec.recipes[0].steps[1].alternatives[0].requirements[0].resource.value,
        "2026-01-05"
    );
    assert_eq!(spec.orders[0].id.value, "true");
}

#[test]
fn a_quoted_number_is_no_number() {
    let text = "takt: \"1\"\nrecipes: {}\norders: []\n";
    assert_eq!(errors(text), ["bad-type@\"1\""]);
}

#[test]
fn clashing_names_are_reported_with_the_first() {
    let text = GOOD.replace("id: 7", "id: A").replace("dry", "cut");
    assert_eq!(errors(&text), ["duplicate-name@cut", "duplicate-name@A"]);
}

#[test]
fn a_missing_value_is_shown_at_its_key() {
    let text = GOOD.replace("duration: 2", "duration:");
    assert_eq!(errors(&text), ["bad-type@duration"]);
}

#[test]
fn syntax_errors_have_a_place() {
    let text = "takt: 1\nname: [a\norders: ]\n";
    let found = read(text, FileId(0)).unwrap_err();
    let first = found.iter().next().unwrap();
    assert_eq!(first.code, "yaml");
    assert!(first.span.is_some());
}

#[test]
fn a_value_behind_an_alias_is_shown_where_it_is_used() {
    let text = GOOD.replace("duration: 3", "duration: &d 0").replace("duration: 2", "duration: *d");
    assert_eq!(errors(&text), ["out-of-range@0"]);
    let text =
        GOOD.replace("duration: 3", "duration: &d -1").replace("duration: 2", "duration: *d");
    assert_eq!(errors(&text), ["out-of-range@-1", "out-of-range@*d"]);
}

#[test]
fn one_document_is_enough() {
    assert_eq!(read(&format!("{GOOD}---\n{GOOD}"), FileId(0)).unwrap_err().iter().count(), 1);
    assert!(read(&format!("---\n{GOOD}"), FileId(0)).is_ok());
    assert!(read(&format!("\u{feff}{GOOD}"), FileId(0)).is_ok());
}

#[test]
fn places_count_bytes_whatever_the_letters() {
    let wrong = GOOD.replace("pair", "Bäckerei 🥐").replace("on: saw", "on: säw");
    assert_eq!(errors(&wrong), ["unknown-name@säw"]);
    assert_eq!(errors(&format!("\u{feff}{wrong}")), ["unknown-name@säw"]);
    assert_eq!(errors(&wrong.replace('\n', "\r\n")), ["unknown-name@säw"]);
}

#[test]
fn a_wrong_duration_hides_nothing_else_about_its_step() {
    let text = GOOD.replace("on: saw, duration: 3", "on: sew, duration: -3");
    assert_eq!(errors(&text), ["unknown-name@sew", "out-of-range@-3"]);
}
