//! One tiny plant per rule, with a schedule that keeps it and schedules that break it.

use super::*;

fn keeps(spec: &str, rows: &str) {
    assert_eq!(broken(spec, rows), [""; 0], "{rows}");
}

fn breaks(spec: &str, rows: &str, wanted: &[&str]) {
    assert_eq!(broken(spec, rows), wanted, "{rows}");
}

/// One recipe `r` and what the case says.
fn shop(resources: &str, steps: &str, orders: &str) -> String {
    format!(
        "takt: 1\nresources: {{{resources}}}\nrecipes: {{r: {{steps: [{steps}]}}}}\norders: [{orders}]\n"
    )
}

#[test]
fn releases_and_deadlines() {
    let spec = shop(
        "m: {}",
        "{name: s, on: m, duration: 2}",
        "{id: A, recipe: r, release: 3, deadline: 6}",
    );
    keeps(&spec, "A s m 1 3 5");
    keeps(&spec, "A s m 1 4 6");
    breaks(&spec, "A s m 1 2 4", &["A s release"]);
    breaks(&spec, "A s m 1 5 7", &["A s deadline"]);
}

#[test]
fn copies_shift_their_instants() {
    let order = "{id: B, recipe: r, count: 2, every: 4, deadline: 3}";
    let spec = shop("m: {}", "{name: s, on: m, duration: 2}", order);
    keeps(&spec, "B.1 s m 1 1 3; B.2 s m 1 4 6");
    breaks(&spec, "B.1 s m 1 0 2; B.2 s m 1 3 5", &["B.2 s release"]);
    breaks(&spec, "B.1 s m 1 2 4; B.2 s m 1 6 8", &["B.1 s deadline", "B.2 s deadline"]);
    breaks(
        &spec,
        "B s m 1 1 3",
        &["B.1 s missing-step", "B.2 s missing-step", "B s unknown-order"],
    );
}

#[test]
fn civil_instants_before_the_start() {
    let spec = "takt: 1\ntime: {unit: hour, start: 2026-01-05T06:00}\nresources: {m: {}}
recipes: {r: {steps: [{name: s, on: m, duration: 2h}]}}
orders: [{id: A, recipe: r, release: 2026-01-04T00:00, count: 2, every: 1d, due: 2026-01-05T00:00, delay-cost: 1}]
objective: cost\n";
    // The first copy's release counts as 0; the second's shifts first.
    keeps(spec, "A.1 s m - 0 2; A.2 s m - 2 4");
    assert_eq!(value(spec, "A.1 s m - 0 2; A.2 s m - 2 4").as_deref(), Some("8"));
    let later = spec.replace("2026-01-04T00:00", "2026-01-04T08:00");
    breaks(&later, "A.1 s m - 0 2; A.2 s m - 1 3", &["A.2 s release", "A.2 s capacity"]);
}

#[test]
fn lags() {
    let steps = "{name: a, duration: 2}, {name: b, duration: 1, after: {a: {min: 1, max: 3}}}";
    let spec = shop("", steps, "{id: A, recipe: r}");
    keeps(&spec, "A a - - 0 2; A b - - 3 4");
    keeps(&spec, "A a - - 0 2; A b - - 5 6");
    breaks(&spec, "A a - - 0 2; A b - - 2 3", &["A b min-lag"]);
    breaks(&spec, "A a - - 0 2; A b - - 6 7", &["A b max-lag"]);
    breaks(&spec, "A a - - 0 2; A b - - 1 2", &["A b precedence"]);
    let spec = spec.replace("max: 3", "max: 3, from: start");
    keeps(&spec, "A a - - 0 2; A b - - 1 2");
    breaks(&spec, "A a - - 0 2; A b - - 4 5", &["A b max-lag"]);
    breaks(&spec, "A a - - 1 3; A b - - 1 2", &["A b min-lag"]);
}

#[test]
fn own_predecessors_replace_the_sequence() {
    let steps = "{name: a, duration: 2}, {name: b, duration: 2, after: []}, {name: c, duration: 1, after: [a, b]}";
    let spec = shop("", steps, "{id: A, recipe: r}");
    keeps(&spec, "A a - - 0 2; A b - - 1 3; A c - - 3 4");
    breaks(&spec, "A a - - 0 2; A b - - 1 3; A c - - 2 3", &["A c precedence"]);
    breaks(&spec, "A a - - 5 7; A b - - 6 8; A c - - 4 5", &["A c precedence", "A c precedence"]);
}

#[test]
fn durations_are_rounded_once_and_stretched_by_the_slowest() {
    let spec = |duration: &str, resources: &str| {
        let step = format!("{{name: s, on: [m, n], duration: {duration}}}");
        shop(resources, &step, "{id: A, recipe: r, size: 7}")
    };
    let rows = |end: i64| format!("A s m 1 0 {end}; A s n 1 0 {end}");
    // ceil(7 * 0.3) = 3
    let plain = spec("size * 0.3", "m: {}, n: {}");
    keeps(&plain, &rows(3));
    breaks(&plain, &rows(2), &["A s duration"]);
    // ceil(3 / (0.8 * 0.9)) = ceil(4.17) = 5; from 2.1 it would be 3.
    let slow =
        spec("size * 0.3", "m: {availability: 0.8, performance: 0.9}, n: {performance: 0.9}");
    keeps(&slow, &rows(5));
    breaks(&slow, &rows(3), &["A s duration"]);
    // ceil(80 / (80/168)) is exactly 168.
    keeps(&spec("80", "m: {availability: 80/168}, n: {}"), &rows(168));
}

#[test]
fn amounts_and_capacity() {
    let orders = "{id: A, recipe: r}, {id: B, recipe: r}, {id: C, recipe: r}";
    let spec = shop("m: {capacity: 4}", "{name: s, on: {m: 2}, duration: 2}", orders);
    let rows = "A s m 1 0 2; A s m 2 0 2; B s m 3 0 2; B s m 4 0 2";
    keeps(&spec, &format!("{rows}; C s m 2 2 4; C s m 1 2 4"));
    keeps(&spec, "A s m - 0 2; A s m - 0 2; B s m - 1 3; B s m - 1 3; C s m - 2 4; C s m - 2 4");
    breaks(&spec, &format!("{rows}; C s m - 1 3; C s m - 1 3"), &["C s capacity"]);
    breaks(&spec, &format!("{rows}; C s m 1 2 4"), &["C s resource"]);
    breaks(
        &spec,
        &format!("{rows}; C s m 1 2 4; C s m 1 2 4"),
        &["C s duplicate-row", "C s resource"],
    );
    breaks(&spec, &format!("{rows}; C s m 5 2 4; C s m 0 2 4"), &["C s unit", "C s unit"]);
    breaks(&spec, &format!("{rows}; C s m 1 2 4; C s m 2 3 5"), &["C s rows", "C s duration"]);
    let shared = "A s m 1 0 2; A s m 2 0 2; B s m 2 1 3; B s m 4 1 3; C s m - 3 5; C s m - 3 5";
    breaks(&spec, shared, &["B s overlap"]);
}

#[test]
fn machines_with_names() {
    let orders = "{id: A, recipe: r}, {id: B, recipe: r}";
    let spec = shop("m: {units: [M1, M2]}", "{name: s, on: m, duration: 2}", orders);
    keeps(&spec, "A s m M1 0 2; B s m M2 1 3");
    breaks(&spec, "A s m M1 0 2; B s m M1 1 3", &["B s overlap"]);
    breaks(&spec, "A s m M1 0 2; B s m - 1 3", &["B s unit"]);
    breaks(&spec, "A s m M1 0 2; B s m 2 1 3", &["B s unit"]);
}

#[test]
fn alternatives_follow_from_the_rows() {
    let step = "{name: s, on: [{any: [p, {q: 2}]}, t], duration: {p: 4, q: 2}}";
    let spec = shop("p: {}, q: {capacity: 2}, t: {}", step, "{id: A, recipe: r}");
    keeps(&spec, "A s p 1 0 4; A s t 1 0 4");
    keeps(&spec, "A s q 1 0 2; A s q 2 0 2; A s t 1 0 2");
    breaks(&spec, "A s p 1 0 2; A s t 1 0 2", &["A s duration"]);
    breaks(&spec, "A s p 1 0 4", &["A s resource"]);
    breaks(&spec, "A s p 1 0 4; A s q 1 0 4; A s t 1 0 4", &["A s resource"]);
    // Two ways to take the same are told apart by how long they take.
    let step = "{name: s, on: {any: [[p, t], [t, p]]}, duration: {p: 4, t: 2}}";
    let spec = shop("p: {run-cost: 1}, t: {}", step, "{id: A, recipe: r}") + "objective: cost\n";
    for (end, cost) in [(4, "4"), (2, "2")] {
        let rows = format!("A s p 1 0 {end}; A s t 1 0 {end}");
        keeps(&spec, &rows);
        assert_eq!(value(&spec, &rows).as_deref(), Some(cost));
    }
    breaks(&spec, "A s p 1 0 3; A s t 1 0 3", &["A s duration"]);
}

const HOLD: &str = "takt: 1
resources: {tank: {capacity: 2}, m: {capacity: 9}}
recipes:
  r:
    steps: [{name: a, on: m, duration: 1}, {name: b, on: m, duration: 1}]
    holds: [{resource: tank, from: a, until: b}]
orders: [{id: A, recipe: r}, {id: B, recipe: r}, {id: C, recipe: r}]
";

#[test]
fn holds_count_without_rows_and_must_agree_with_them() {
    let two = "A a m - 0 1; A b m - 4 5; B a m - 0 1; B b m - 3 4";
    keeps(HOLD, &format!("{two}; C a m - 4 5; C b m - 5 6"));
    breaks(HOLD, &format!("{two}; C a m - 3 4; C b m - 5 6"), &["C a capacity"]);
    let all = format!("{two}; C a m - 4 5; C b m - 5 6");
    keeps(HOLD, &format!("{all}; hold A a tank 1 0 5; hold C a tank - 4 6"));
    breaks(HOLD, &format!("{all}; hold A a tank 1 0 4"), &["A a hold"]);
    breaks(HOLD, &format!("{all}; hold A a tank 3 0 5"), &["A a unit"]);
    breaks(HOLD, &format!("{all}; hold A a m 3 0 5"), &["A a hold"]);
    breaks(HOLD, &format!("{all}; hold A c tank 1 0 5"), &["A c unknown-step"]);
    breaks(HOLD, &format!("{all}; hold D a tank 1 0 5"), &["D a unknown-order"]);
    let same = format!("{all}; hold A a tank 1 0 5; hold B a tank 1 0 4");
    breaks(HOLD, &same, &["A a overlap"]);
    let two_each = HOLD.replace("until: b", "until: b, amount: 2");
    let one = "A a m - 0 1; A b m - 1 2; B a m - 2 3; B b m - 3 4; C a m - 4 5; C b m - 5 6";
    keeps(&two_each, one);
    breaks(&two_each, &format!("{one}; hold A a tank 1 0 2"), &["A a hold"]);
}

#[test]
fn a_hold_keeps_one_machine_throughout() {
    let spec = HOLD.replace("tank: {capacity: 2}", "tank: {units: [T1, T2]}").replace(
        "{name: b, on: m, duration: 1}",
        "{name: b, on: m, duration: 1}, {name: t, on: tank, duration: 1, after: []}",
    );
    let others = "B a m - 9 10; B b m - 10 11; C a m - 9 10; C b m - 10 11; B t tank T1 20 21; C t tank T2 20 21";
    // T1 is taken in the middle of the hold; T2 is free.
    keeps(&spec, &format!("A a m - 0 1; A b m - 4 5; A t tank T1 2 3; {others}"));
    // Each instant has a free machine, but none is free throughout.
    let swapped = others.replace("T1 20 21", "T2 0 1").replace("T2 20 21", "T2 12 13");
    breaks(&spec, &format!("A a m - 0 1; A b m - 4 5; A t tank T1 2 3; {swapped}"), &["A a hold"]);
    let told = format!("A a m - 0 1; A b m - 4 5; A t tank T1 2 3; {others}; hold A a tank T1 0 5");
    breaks(&spec, &told, &["A t overlap"]);
}

const SETUP: &str = "takt: 1
resources:
  press: {units: [P1, P2], initial: {P1: red}, setup: {matrix: {red: {blue: {time: 2, cost: 0.5}, red: {cost: 0.1}}}, otherwise: {time: 1, cost: 10}}}
recipes: {r: {steps: [{name: s, on: press, duration: 2}]}}
orders: [{id: A, recipe: r, family: red}, {id: B, recipe: r, family: blue}, {id: C, recipe: r}]
objective: cost
";

#[test]
fn setups_between_neighbours() {
    let good = "A s press P1 0 2; B s press P1 4 6; C s press P1 7 9";
    keeps(SETUP, good);
    assert_eq!(value(SETUP, good).as_deref(), Some("10.6"));
    // The first step on P2 needs no setup, that on P1 comes after red.
    let other = "A s press P2 0 2; B s press P1 2 4; C s press P1 5 7";
    keeps(SETUP, other);
    assert_eq!(value(SETUP, other).as_deref(), Some("10.5"));
    breaks(SETUP, "A s press P2 0 2; B s press P1 1 3; C s press P1 4 6", &["B s setup"]);
    breaks(SETUP, "A s press P1 0 2; B s press P1 3 5; C s press P1 6 8", &["B s setup"]);
    breaks(SETUP, "A s press P1 0 2; B s press P1 4 6; C s press P1 6 8", &["C s setup"]);
    breaks(SETUP, "A s press P1 0 2; B s press P1 1 3; C s press P1 4 6", &["B s overlap"]);
    let lost = "A s press P1 0 2; B s press P1 4 6; C s press - 7 9";
    breaks(SETUP, lost, &["C s unit"]);
    assert_eq!(value(SETUP, lost), None);
}

#[test]
fn setup_rows_must_agree() {
    let good = "A s press P1 0 2; B s press P1 5 7; C s press P1 8 10";
    keeps(SETUP, &format!("{good}; setup B s press P1 3 5; setup C s press P1 7 8"));
    keeps(SETUP, &format!("{good}; setup B s press P1 3 5"));
    for row in ["B s press P1 2 4", "B s press P2 3 5", "B s press P1 4 5", "A s press P1 0 0"] {
        let wanted = format!("{} s setup-row", &row[..1]);
        breaks(SETUP, &format!("{good}; setup {row}"), &[&wanted]);
    }
    breaks(SETUP, &format!("{good}; setup B t press P1 3 5"), &["B t unknown-step"]);
    breaks(SETUP, &format!("{good}; setup D s press P1 3 5"), &["D s unknown-order"]);
    breaks(SETUP, &format!("{good}; setup B s prass P1 3 5"), &["B s unknown-resource"]);
}

#[test]
fn a_step_may_have_a_family_of_its_own() {
    let spec = shop(
        "m: {setup: {time: 3}, initial: x}",
        "{name: s, on: m, duration: 1, family: x}, {name: t, on: m, duration: 1}",
        "{id: A, recipe: r}",
    );
    keeps(&spec, "A s m - 0 1; A t m - 4 5");
    breaks(&spec, "A s m - 0 1; A t m - 3 4", &["A t setup"]);
}

#[test]
fn costs_are_exact() {
    let spec = "takt: 1\ntime: {unit: minute}
resources: {m: {capacity: 2, run-cost: 0.6/h, performance: 0.5}, n: {run-cost: 1}}
recipes: {r: {steps: [{name: s, on: {m: 2}, duration: 3}, {name: t, on: n, duration: 1}]}}
orders:
  - {id: A, recipe: r, due: 9, delay-cost: 0.1, storage-cost: 7, holding-cost: \"weight / 3\", attributes: {weight: 1}}
  - {id: B, recipe: r, due: 20, delay-cost: 5, storage-cost: 0.000001}
objective: cost\n";
    // Work: 2 * (2 * 6 * 0.01 + 1); A: 2 late, 10 * 0.333334 held; B: 3 early.
    let rows = "A s m 1 1 7; A s m 2 1 7; A t n 1 10 11; B s m 1 7 13; B s m 2 7 13; B t n 1 16 17";
    keeps(spec, rows);
    assert_eq!(value(spec, rows).as_deref(), Some("5.773343"));
    let feasible = spec.replace("objective: cost", "objective: feasible");
    assert_eq!(value(&feasible, rows), None);
    let late = rows.replace("10 11", "8 9").replace("16 17", "8 9");
    breaks(spec, &late, &["B t precedence", "B t capacity"]);
    assert!(value(spec, &late).is_some());
}

#[test]
fn a_late_cost_is_paid_once_after_the_due_instant() {
    let spec = shop(
        "m: {}",
        "{name: s, on: m, duration: 2}",
        "{id: A, recipe: r, due: 5, late-cost: \"size * 0.25\", size: 3}",
    ) + "objective: cost\n";
    for (end, cost) in [(4, "0"), (5, "0"), (6, "0.75"), (60, "0.75")] {
        assert_eq!(value(&spec, &format!("A s m - {} {end}", end - 2)).as_deref(), Some(cost));
    }
}

#[test]
fn orders_follow_orders() {
    let spec = shop(
        "m: {capacity: 3}",
        "{name: s, on: m, duration: 2}",
        "{id: A, recipe: r, count: 2}, {id: B, recipe: r, after: {A: {min: 1, max: 3}}}",
    );
    let rows = |start: i64| format!("A.1 s m 1 0 2; A.2 s m 1 2 4; B s m 2 {start} {}", start + 2);
    keeps(&spec, &rows(5));
    keeps(&spec, &rows(7));
    breaks(&spec, &rows(3), &["B s precedence"]);
    breaks(&spec, &rows(4), &["B s min-lag"]);
    breaks(&spec, &rows(8), &["B s max-lag"]);
}

#[test]
fn decimals_are_written_plainly() {
    let show = |numerator: i128, denominator: i128| decimal(&Exact::new(numerator, denominator));
    assert_eq!(show(5, 1), "5");
    assert_eq!(show(0, 1), "0");
    assert_eq!(show(-1, 2), "-0.5");
    assert_eq!(show(1, 1_000_000), "0.000001");
    assert_eq!(show(123_456_789_012_345_678_901, 10), "12345678901234567890.1");
}

#[test]
fn heuristics_play_no_part() {
    let spec =
        shop("m: {}", "{name: s, on: m, duration: 2}", "{id: A, recipe: r}, {id: B, recipe: r}");
    keeps(
        &format!("{spec}heuristics: [greedy, non-overtaking, {{max-active: 1}}]\n"),
        "A s m 1 9 11; B s m 1 3 5",
    );
}

#[test]
fn hostile_times_do_no_harm() {
    let spec = shop(
        "m: {calendar: c}",
        "{name: s, on: m, duration: 2, interruptible: true}",
        "{id: A, recipe: r}",
    ) + "calendars: {c: {windows: [[0, 1]], repeat: 2}}\n";
    let (max, min) = (i64::MAX, i64::MIN);
    for (start, end) in [(0, max), (min, max), (max - 1, max), (min, min), (max, min)] {
        assert!(!broken(&spec, &format!("A s m 1 {start} {end}")).is_empty());
    }
}

/// Facts are as they are, whatever rules they break among themselves; all others keep the rules towards them.
#[test]
fn facts_now_and_pins() {
    let plain = shop(
        "m: {units: [M1, M2], setup: {time: 2}}",
        "{name: s, on: m, duration: 3}",
        "{id: A, recipe: r, family: a}, {id: B, recipe: r, family: b, release: 9}, \
         {id: C, recipe: r, family: c, pins: {s: {start: 8, unit: M1}}}",
    );
    let spec = plain
        + "now: 4\nfixed:\n  - {order: A, step: s, resource: m, unit: M1, start: 0, end: 5}\n  \
           - {order: B, step: s, resource: m, unit: M1, start: 3, end: 6}\n";
    keeps(&spec, "A s m M1 0 5; B s m M1 3 6; C s m M1 8 11");
    breaks(&spec, "A s m M1 0 4; B s m M1 3 6; C s m M1 8 11", &["A s fixed"]);
    breaks(&spec, "A s m M2 0 5; B s m M1 3 6; C s m M1 8 11", &["A s fixed", "A s fixed"]);
    breaks(&spec, "A s m M1 0 5; B s m M1 3 6; C s m M2 8 11", &["C s pin"]);
    breaks(&spec, "A s m M1 0 5; B s m M1 3 6; C s m M1 7 10", &["C s pin", "C s setup"]);
    breaks(&spec, "A s m M1 0 5; B s m M1 3 6; C s m M1 5 8", &["C s pin", "C s overlap"]);
    breaks(&spec, "A s m M1 0 5; B s m M1 3 6; C s m M2 2 5", &["C s now", "C s pin", "C s pin"]);
    breaks(&spec, "A s m M1 0 5; C s m M1 8 11", &["B s missing-step"]);
}

/// A setup does not begin before now, whatever stood there before.
#[test]
fn setups_begin_from_now_on() {
    let spec = shop(
        "m: {setup: {time: 2}, initial: x}",
        "{name: s, on: m, duration: 3}",
        "{id: A, recipe: r}",
    ) + "now: 4\n";
    keeps(&spec, "A s m 1 6 9");
    breaks(&spec, "A s m 1 5 8", &["A s setup"]);
}

/// An earlier plan costs by what its rows say: starts by their distance, units by their names, facts nothing.
#[test]
fn what_departs_from_an_earlier_plan_is_paid() {
    struct Former;
    impl takt_spec::Files for Former {
        fn read(&mut self, _: &str) -> Result<(FileId, String), takt_spec::Unread> {
            let rows = "kind,order,step,resource,unit,start,end\nstep,a,x,m,B,4,6\nstep,b,x,m,,1,3\n\
                        step,c,x,m,A,9,9\n";
            Ok((FileId(1), rows.to_owned()))
        }
    }
    let text = "takt: 1\nresources: {m: {units: [A, B]}}\nrecipes: {r: {steps: [{name: x, on: m, duration: 2}]}}\n\
        orders: [{id: a, recipe: r}, {id: b, recipe: r}, {id: c, recipe: r}]\nobjective: cost\n\
        fixed: [{order: c, step: x, resource: m, unit: B, start: 0, end: 2}]\n\
        previous: {file: former.csv, move-cost: 0.25, unit-cost: 10}\n";
    let spec = takt_spec::read_with(text, FileId(0), &mut Former).unwrap().0;
    let rows = "kind,order,step,resource,unit,start,end\nstep,a,x,m,A,2,4\nstep,b,x,m,B,3,5\n\
                step,c,x,m,B,0,2\n";
    let schedule = read_csv(rows, FileId(2), &spec.time).unwrap();
    let report = validate(&spec, &schedule);
    assert!(report.valid, "{:?}", report.errors);
    // `a` starts 2 before and has another unit; `b` starts 2 later, and its row named any unit.
    assert_eq!(report.value, Some(Exact::from(11)));
}
