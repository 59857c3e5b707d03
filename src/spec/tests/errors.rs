//! What the planner sees when the spec is wrong: each snapshot shows a source and its errors.

use super::*;
use codespan_reporting::diagnostic as shown;
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term;

fn check(name: &str, text: &str) {
    let found = read(text, FileId(0)).expect_err("a wrong spec");
    let file = SimpleFile::new("spec.yaml", text);
    let mut out = String::new();
    for d in found.iter() {
        let range = |span: Span| span.start as usize..span.end as usize;
        let own = d.span.map(|s| shown::Label::primary((), range(s)).with_message(&d.label));
        let related = d.related.iter();
        let related =
            related.map(|r| shown::Label::secondary((), range(r.span)).with_message(&r.message));
        let diagnostic = shown::Diagnostic::error()
            .with_code(d.code)
            .with_message(&d.message)
            .with_labels(own.into_iter().chain(related).collect())
            .with_notes(d.hint.iter().map(|hint| format!("hint: {hint}")).collect());
        out += &term::emit_into_string(&term::Config::default(), &file, &diagnostic).unwrap();
    }
    insta::assert_snapshot!(name, out);
}

#[test]
fn calendars() {
    check(
        "calendars",
        "takt: 1
time: {unit: minute, start: 2026-01-05T06:00, zone: Europe/Berlin}
calendars:
  c1: {weekly: {Mon-Tho: [\"06:00-22:00\"], Fri: [\"6:00-14:00\", \"22:00–06:00\"]}}
  c2: {closed: [2026-02-30, 2026-01-05..2026-01-04, 2026-01-05T10:00]}
  c3: {windows: [[5, 3], [0, 100], [90s, 4h]], repeat: 50}
  c4: {weekly: {Mon: [\"06:00:30-14:00\"]}}
recipes: {r: {steps: [{name: a, duration: 1}]}}
orders: [{id: x, recipe: r}]
",
    );
}

#[test]
fn recipes() {
    check(
        "recipes",
        "takt: 1
time: {unit: minute}
resources:
  vessel: {capacity: 3, setup: {time: 5}}
  f: {}
  g: {units: [A, B], setup: {time: 5}, initial: {C: red}}
recipes:
  uni:
    steps:
      - {name: a, on: {vessel: 4}, duration: \"2h + sizee * 0.2min\"}
      - {name: b, on: [vessel, vessel, {vessel: 2}], duration: \"2h * 3h\", after: c}
      - {name: c, on: {any: [f, g]}, duration: {f: 4h, h: 9h}, after: {b: {min: 2h, max: 1h}}}
      - {name: d, duration: 'size * 0,5', interruptible: yes}
      - {name: e, duration: \"size - 10\", after: [d, d]}
    holds:
      - {resource: g, from: d, until: a}
orders:
  - {id: A1, recipe: uni, size: 5}
",
    );
}

#[test]
fn orders() {
    check(
        "orders",
        "takt: 1
time: {unit: minute}
recipes: {uni: {steps: [{name: a, duration: 1}]}}
orders:
  - {id: A1, recipe: uni, size: 5, delay-cost: 3, due: 2026-02-30}
  - {id: B, recipe: uni, count: 2, size: 5, delay-cost: 5}
  - {id: B.1, recipe: unii, size: 5, holding-cost: 500/h, deadline: 2026-01-09T06:00}
heuristics: [gredy, max-active, {max-active: 0}, greedy, greedy]
",
    );
}

/// What would do instead is told with each rate that does not come out even.
#[test]
fn rates() {
    check(
        "rates",
        "takt: 1
time: {unit: minute}
resources: {m: {run-cost: 10/h}}
recipes: {r: {steps: [{name: a, on: m, duration: 1}]}}
orders:
  - {id: A, recipe: r, due: 5, delay-cost: 1/h}
  - {id: B, recipe: r, due: 5, delay-cost: 100/d}
  - {id: C, recipe: r, due: 5, delay-cost: 0.1234567}
  - {id: D, recipe: r, due: 5, delay-cost: 1/3}
",
    );
}

/// The first line was forgotten; times with a length where a tick has none.
#[test]
fn beginnings() {
    check(
        "beginnings",
        "resources: {m: {}}
recipes: {r: {steps: [{name: a, on: m, duration: 2h}, {name: b, on: m, duration: 90m}]}}
orders: [{id: A, recipe: r, due: 2026-11-05}]
",
    );
}

/// Maps for lists, lists for maps, commas, percents and hours that are none.
#[test]
fn shapes() {
    check(
        "shapes",
        "takt: 1
time: minute
resources: [saw]
recipes:
  r: {steps: {a: {on: saw, duration: 2h}}}
  q: {steps: [{name: a, duration: 1,5h}]}
orders: {A: {recipe: r}}
",
    );
    check(
        "shapes-of-values",
        "takt: 1
time: {unit: hour}
resources: {saw: {performance: 90%}}
recipes: {r: {steps: [{name: a, on: saw, duration: 90m}]}}
orders: [{id: A, recipe: r}]
",
    );
}

#[test]
fn layouts() {
    check(
        "layouts",
        "takt: 1
layout:
  track: {load: 0, unload: 25, switch: -5, recover: 50}
  locks: {ids: [L0, L1, L2, track, R0.1], depressurize: 670, pressurize: 120, direction: {L7: in}}
  robots:
    R0: {arms: 2, locks: [L0, L0], turn: 10, from-lock: 23, to-lock: 23, to-chuck: 40, from-chuck: 0}
    L1: {arms: 1, locks: [L1, track], turn: 1, from-lock: 2, to-lock: 2, to-chuck: 4, from-chuck: 5}
  chucks: {ids: [C0, C1, C2], swap: 10, measure: 140, expose: 250}
",
    );
    check(
        "layouts-without",
        "takt: 1
layout:
  track: {load: 1, unload: 25, switch: 5, recover: 50}
  locks: {ids: [L0, L1], depressurize: 670, pressurize: 120}
  robots:
    R0: {arms: 2, locks: [], turn: 0, from-lock: 23, to-lock: 23, to-chuck: 40, from-chuck: 9}
  chucks: {ids: [], swap: 10, measure: 140, expose: 250}
",
    );
}
