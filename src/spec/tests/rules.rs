//! What a spec may not say, rule by rule: each case changes one text of a right spec.

use super::*;

/// Errors after one text was replaced; none if the spec is right.
fn after(from: &str, to: &str) -> Vec<String> {
    assert!(RICH.contains(from), "{from}");
    let text = RICH.replace(from, to);
    match read(&text, FileId(0)) {
        Ok(_) => Vec::new(),
        Err(_) => errors(&text),
    }
}

/// Warnings likewise, as `code@text`.
fn warnings(from: &str, to: &str) -> Vec<String> {
    let text = RICH.replace(from, to);
    let (_, found) = read(&text, FileId(0)).unwrap_or_else(|found| panic!("{found:#?}"));
    let shown = |d: &takt_diagnostic::Diagnostic| {
        let span = d.span.unwrap();
        format!("{}@{}", d.code, &text[span.start as usize..span.end as usize])
    };
    found.iter().map(shown).collect()
}

fn table(cases: &[(&str, &str, &[&str])]) {
    for (from, to, expected) in cases {
        assert_eq!(after(from, to), *expected, "{from} => {to}");
    }
}

#[test]
fn the_reference_is_right_and_nothing_about_it_is_odd() {
    assert_eq!(warnings("", ""), Vec::<String>::new());
}

/// Three orders, the last one with this text.
fn sequel(of_last: &str) -> String {
    format!(
        "takt: 1
recipes: {{r: {{steps: [{{name: s, duration: 1}}]}}}}
orders:
  - {{id: SHAFT, recipe: r, count: 2}}
  - {{id: GEAR, recipe: r, after: SHAFT.1}}
  - {{id: BOX, recipe: r, {of_last}}}
"
    )
}

#[test]
fn orders_come_after_orders_that_exist() {
    for (text, expected) in [
        ("after: [SHAFT, GEAR]", &[][..]),
        ("after: {SHAFT: {min: 2, max: 2}, GEAR: }", &[]),
        ("after: [SHAFT.2, {GEAR: {min: 1}}]", &[]),
        ("after: SHAFT.3", &["unknown-name@SHAFT.3"]),
        ("after: [GEAR, GAER, GEAR]", &["unknown-name@GAER", "duplicate-name@GEAR"]),
        ("after: {GEAR: {min: 3, max: 2}}", &["max-below-min@2"]),
        ("after: {GEAR: {min: -1}}", &["out-of-range@-1"]),
        ("after: {GEAR: {from: start}}", &["unknown-key@from"]),
        ("after: BOX", &["cycle@BOX"]),
    ] {
        let text = sequel(text);
        match read(&text, FileId(0)) {
            Ok(_) => assert_eq!(expected, &[] as &[&str], "{text}"),
            Err(_) => assert_eq!(errors(&text), expected, "{text}"),
        }
    }
}

#[test]
fn orders_do_not_wait_for_each_other() {
    let text = sequel("count: 2, after: GEAR")
        .replace("recipe: r, count: 2}", "recipe: r, count: 2, after: BOX.2}");
    let found = read(&text, FileId(0)).unwrap_err();
    let first = found.iter().next().unwrap();
    assert_eq!(first.code, "cycle");
    assert!(first.message.starts_with("orders wait for each other: "), "{}", first.message);
    assert_eq!(found.iter().count(), 1);
}

#[test]
fn names_exist() {
    table(&[
        ("calendar: two-shift", "calendar: two-shaft", &["unknown-name@two-shaft"]),
        ("{calendar: night}", "{calendar: nigth}", &["unknown-name@nigth"]),
        ("initial: {F2: x}", "initial: {F3: x}", &["unknown-name@F3"]),
        ("on: mill", "on: mil", &["unknown-name@mil"]),
        ("{vessel: 2}", "{vesel: 2}", &["unknown-name@vesel"]),
        (
            "any: [filler, hand]",
            "any: [filler, hnd]",
            &["unknown-name@hnd", "missing-key@{filler: 4h, hand: 9h}", "unknown-name@hand"],
        ),
        ("after: [fill,", "after: [fil,", &["unknown-name@fil"]),
        ("from: grind", "from: grnd", &["unknown-name@grnd"]),
        ("resource: tank", "resource: tnk", &["unknown-name@tnk"]),
        ("id: A1, recipe: uni", "id: A1, recipe: unni", &["unknown-name@unni"]),
        ("[greedy,", "[greddy,", &["unknown-name@greddy"]),
        ("Europe/Berlin", "Europe/Berln", &["unknown-name@Europe/Berln"]),
        ("availability:", "availibility:", &["unknown-key@availibility"]),
        ("  line:\n", "  line:\n  any:\n", &["bad-value@any"]),
    ]);
}

#[test]
fn names_do_not_clash() {
    table(&[
        ("name: lab", "name: mix", &["duplicate-name@mix", "unknown-name@lab"]),
        ("id: B,", "id: A1,", &[]),
        ("id: B, recipe: uni, count: 3, every: 1d", "id: A1, recipe: uni", &["duplicate-name@A1"]),
        ("id: A1", "id: B.2", &["duplicate-name@B"]),
        ("[greedy,", "[greedy, greedy,", &["duplicate-name@greedy"]),
        ("{max-active: 3}", "{max-active: 3}, {max-active: 4}", &["duplicate-name@max-active"]),
        ("after: [fill,", "after: [fill, fill,", &["duplicate-name@fill"]),
        ("{F1: {calendar: night}, F2: {}}", "[F2, F2]", &["duplicate-name@F2"]),
        ("family: white", "family: white, family: red", &["duplicate-key@family"]),
    ]);
}

#[test]
fn time_and_its_start() {
    let needs = "missing-start";
    table(&[
        (
            ", start: 2026-01-05T06:00, zone: Europe/Berlin",
            "",
            &[
                &format!("{needs}@two-shift"),
                &format!("{needs}@night"),
                &format!("{needs}@2026-01-09T12:00"),
            ],
        ),
        ("zone: Europe/Berlin", "", &[]),
        (
            "start: 2026-01-05T06:00, ",
            "",
            &[
                "unused@zone",
                &format!("{needs}@two-shift"),
                &format!("{needs}@night"),
                &format!("{needs}@2026-01-09T12:00"),
            ],
        ),
        ("unit: minute", "unit: minutes", &["bad-value@minutes"]),
    ]);
    let text = GOOD.replace("name: pair", "time: {start: 2026-01-05T06:00}");
    assert_eq!(errors(&text), ["missing-unit@start"]);
}

#[test]
fn windows_end_where_they_may() {
    table(&[
        ("[0, 480]", "[480, 480]", &["bad-window@[480, 480]"]),
        ("[0, 480]", "[0, 480, 500]", &["bad-value@[0, 480, 500]"]),
        ("[600, 18h]", "[600, 25h]", &["bad-window@[600, 25h]"]),
        ("[600, 18h]", "[600, 90s]", &["not-whole@90s"]),
        ("[600, 18h]", "[600, 1441min + 30s]", &["not-whole@1441min + 30s"]),
        ("[0, 480]", "[-60, 480]", &["out-of-range@-60"]),
        ("repeat: 1440", "repeat: 0", &["out-of-range@0"]),
        ("repeat: 1440", "repeat: size", &["unknown-name@size"]),
        ("[[0, 480], [600, 18h]], repeat: 1440", "[[-60, 480]]", &[]),
        ("repeat: 1440", "repeat: 1440, weekly: {}", &["bad-value@windows"]),
        ("{windows: [[0, 480], [600, 18h]], repeat: 1440}", "{}", &["missing-key@{}"]),
    ]);
}

/// Hours from 06:30, so that whole hours lie inside units.
#[test]
fn no_window_edge_lies_inside_a_unit() {
    let hours = |weekly: &str, rest: &str| {
        let text = format!(
            "takt: 1\ntime: {{unit: hour, start: 2026-01-05T06:30}}\n\
             calendars: {{c: {{weekly: {{{weekly}}}{rest}}}}}\nresources: {{r: {{calendar: c}}}}\n\
             recipes: {{x: {{steps: [{{name: s, on: r, duration: 1}}]}}}}\norders: [{{id: a, recipe: x}}]\n"
        );
        if read(&text, FileId(0)).is_ok() { Vec::new() } else { errors(&text) }
    };
    let none: [&str; 0] = [];
    assert_eq!(hours("Mon-Fri: [06:30-14:30]", ""), none);
    assert_eq!(hours("Mon-Fri: [06:30-14:00]", ""), ["not-whole@06:30-14:00"]);
    // What touches is one window, also over midnight and over the end of the week.
    assert_eq!(hours("Mon: [06:30-10:00, 10:00-14:30]", ""), none);
    assert_eq!(hours("Mon: [22:30-24:00], Tue: [00:00-06:30]", ""), none);
    assert_eq!(hours("Sun: [22:30-24:00], Mon: [00:00-06:30]", ""), none);
    assert_eq!(hours("Mon-Sun: [00:00-24:00]", ""), none);
    // A closed day makes no edge where nothing is open.
    assert_eq!(hours("Mon-Fri: [06:30-14:30]", ", closed: [2026-01-06]"), none);
    assert_eq!(hours("Mon-Fri: [22:30-06:30]", ", closed: [2026-01-06]"), ["not-whole@2026-01-06"]);
    let cut = "2026-01-06T08:00..2026-01-06T09:00";
    assert_eq!(
        hours("Mon-Fri: [06:30-14:30]", &format!(", closed: [{cut}]")),
        [format!("not-whole@{cut}")]
    );
    let aligned = ", closed: [2026-01-06T08:30..2026-01-06T09:30]";
    assert_eq!(hours("Mon-Fri: [06:30-14:30]", aligned), none);
    assert_eq!(hours("Mon-Fri: [06:30-14:30]", ", open: [2026-01-10]"), ["not-whole@2026-01-10"]);
    // Before the start nothing counts.
    assert_eq!(hours("Mon-Fri: [06:30-14:30]", ", open: [2026-01-01..2026-01-02]"), none);
}

#[test]
fn resources_and_setups() {
    table(&[
        ("{capacity: 3}", "{capacity: 0}", &["out-of-range@0"]),
        ("{capacity: 3}", "{capacity: 2.5}", &["bad-type@2.5"]),
        ("{capacity: 3}", "{capacity: 1}", &["above-capacity@vessel"]),
        (
            "{capacity: 3}",
            "{capacity: 3, units: [a]}",
            &["bad-value@capacity", "above-capacity@vessel"],
        ),
        (
            "{capacity: 3}",
            "{capacity: 3, setup: {time: 1}}",
            &["bad-setup@{time: 1}", "bad-setup@vessel"],
        ),
        ("{capacity: 3}", "{units: [a, b, c], setup: {time: 1}}", &["bad-setup@vessel"]),
        ("tank: {capacity: 2}", "tank: {setup: {time: 1}}", &["bad-setup@tank"]),
        (
            "units: {F1: {calendar: night}, F2: {}}",
            "units: []",
            &["bad-value@[]", "unknown-name@F2"],
        ),
        (
            "{time: 5h, cost: 200}",
            "{time: size, cost: 2h}",
            &["unknown-name@size", "bad-expression@2h"],
        ),
        ("{time: 5h, cost: 200}", "{time: 5h, otherwise: {}}", &["bad-value@time"]),
        ("otherwise: {time: 5m}", "otherwise: {time: 5m, price: 1}", &["unknown-key@price"]),
        ("run-cost: 1.5", "run-cost: size", &["unknown-name@size"]),
        ("red: {blue", "red: {green: {}, blue", &["duplicate-key@green"]),
    ]);
}

#[test]
fn demands_and_cycles() {
    table(&[
        ("{vessel: 2}", "{vessel: 4}", &["above-capacity@vessel"]),
        ("{vessel: 2}", "{vessel: 2}, vessel, vessel", &["above-capacity@vessel"]),
        ("{vessel: 2}", "{vessel: 0}", &["out-of-range@0"]),
        ("until: fill", "until: fill, amount: 3", &["above-capacity@tank"]),
        ("from: grind, until: fill", "from: fill, until: grind", &["bad-hold@grind"]),
        ("from: grind, until: fill", "from: fill, until: fill", &[]),
        ("name: lab, duration", "name: lab, after: pack, duration", &["cycle@lab"]),
        ("after: {grind: {max: 4h}}", "after: mix", &["cycle@mix"]),
        ("{max: 4h}", "{max: 4h, min: 5h}", &["max-below-min@4h"]),
        ("{max: 4h}", "{max: 4h, min: 4h}", &[]),
        ("{max: 4h}", "{max: size * 1min, min: 1h}", &["max-below-min@size * 1min"]),
        ("{max: 4h}", "{max: 4h, from: begin}", &["bad-value@begin"]),
        ("{max: 4h}", "", &[]),
        ("on: mill, duration: 6h", "on: mill, duration: 0", &["out-of-range@0"]),
        ("name: lab, duration: 8h", "name: lab, duration: 0", &[]),
        ("{max: 12h}", "yes", &["bad-type@yes"]),
        ("{filler: 4h, hand: 9h}", "{filler: 4h}", &["missing-key@{filler: 4h}"]),
        ("{filler: 4h, hand: 9h}", "{filler: 4h, hand: 9h, mill: 1}", &["unknown-name@mill"]),
        (
            "{any: [filler, hand]}",
            "{any: [filler, hand], mill: 1}",
            &["bad-value@{any: [filler, hand], mill: 1}"],
        ),
        ("{any: [filler, hand]}", "{any: []}", &["bad-value@[]"]),
    ]);
}

#[test]
fn orders() {
    table(&[
        ("due: 5d, ", "", &["missing-key@3", "missing-key@30/h"]),
        ("count: 3", "count: 0", &["out-of-range@0"]),
        ("every: 1d", "every: -1", &["out-of-range@-1"]),
        ("every: 1d", "every: 600000000", &["out-of-range@600000000"]),
        ("size: 5000", "size: -1", &["out-of-range@-1"]),
        ("size: 5000", "size: \"5000\"", &["bad-type@\"5000\""]),
        ("size: 3, ", "", &["unknown-name@size"]),
        (
            "attributes: {rush: 1h}",
            "attributes: {size: 1h}",
            &["unknown-name@rush", "bad-value@size"],
        ),
        ("attributes: {rush: 1h}", "attributes: {rush: high}", &["bad-expression@rush"]),
        ("release: 0", "release: [0]", &["bad-type@[0]"]),
        ("{max-active: 3}", "max-active", &["bad-value@max-active"]),
        ("{max-active: 3}", "{greedy: 1}", &["bad-value@greedy"]),
        ("{start-within: 2d}", "{start-within: -2d}", &["out-of-range@-2d"]),
        ("objective: cost", "objective: throughput", &["bad-value@throughput"]),
    ]);
}

#[test]
fn copies_have_numbers_and_shifts() {
    let (spec, _) = read(RICH, FileId(0)).unwrap();
    let ids: Vec<_> = spec.orders.iter().map(|order| order.id.value.as_str()).collect();
    assert_eq!(ids, ["A1", "B.1", "B.2", "B.3"]);
    assert_eq!(spec.orders[3].shift.as_ref().unwrap().times, 2);
    assert_eq!((spec.orders[0].family(), spec.orders[1].family()), ("white", "uni"));
}

#[test]
fn alternatives_are_complete() {
    let (spec, _) = read(RICH, FileId(0)).unwrap();
    let show = |step: &str| -> Vec<String> {
        let step = spec.recipes[0].step(step).unwrap();
        let one = |a: &Alternative| {
            let needs = a.requirements.iter();
            let needs = needs.map(|r| format!("{}*{}", r.resource.value, r.amount.value));
            needs.collect::<Vec<_>>().join(" ")
        };
        step.alternatives.iter().map(one).collect()
    };
    assert_eq!(show("dose"), ["spinner*1 vessel*2"]);
    assert_eq!(show("lab"), [""]);
    assert_eq!(show("fill"), ["filler*1", "hand*1"]);
    assert_eq!(show("pack"), ["press*1 hand*1", "press*1 line*1 vessel*1"]);
    let fill = &spec.recipes[0].step("fill").unwrap().alternatives;
    assert_eq!(fill[1].duration.duration(spec.constants()), Ok(Exact::from(540)));
}

#[test]
fn what_is_probably_a_mistake_is_told() {
    assert_eq!(warnings("objective: cost", ""), ["unused@1.5"]);
    assert_eq!(warnings("mill: {", "mill: {calendar: night, "), ["counted-twice@80/168"]);
    assert_eq!(warnings("  line:", "  lime:\n  line:"), ["unused@lime"]);
    assert_eq!(
        warnings("recipes:", "recipes:\n  no: {steps: [{name: a, duration: 1}]}"),
        ["unused@no"]
    );
    assert_eq!(warnings("  night:", "  day: {windows: []}\n  night:"), ["unused@day"]);
    assert_eq!(warnings("{rush: 1h}", "{rush: 1h, colour: red}"), ["unused@colour"]);
    assert_eq!(
        warnings("mill, duration: 6h", "mill, duration: 6h, interruptible: true"),
        ["unused@true"]
    );
    assert_eq!(warnings("  line:", "  line: {initial: x}"), ["unused@x"]);
    assert_eq!(warnings("count: 3, every", "every"), ["unused@1d"]);
    let hold = "{resource: tank, from: grind, until: fill}";
    let two = "{resource: line, from: grind, until: mix}";
    assert_eq!(
        warnings(hold, &format!("{hold}, {two}").replace(", {", "\n      - {")),
        ["own-hold@mix"]
    );
}

const LAYOUT: &str = "takt: 1
layout:
  track: {load: 25, unload: 25, switch: 50, recover: 50}
  locks: {ids: [L0, L1], depressurize: 670, pressurize: 120, direction: {L0: in}}
  robots:
    R0: {arms: 2, locks: [L0, L1], turn: 10, from-lock: 23, to-lock: 23, to-chuck: 40, from-chuck: 54}
  chucks: {ids: [C0, C1], swap: 10, measure: 140, expose: 250}
";

#[test]
fn layouts() {
    let (spec, warnings) = read(LAYOUT, FileId(0)).unwrap();
    assert!(warnings.is_empty());
    assert_eq!(spec.objective, Objective::Throughput);
    let layout = spec.layout.unwrap();
    assert_eq!(layout.robots[0].locks[1].value, "L1");
    assert_eq!(layout.locks.direction[0].1.value, Direction::In);
    for (from, to, expected) in [
        ("arms: 2", "arms: 3", "out-of-range@3"),
        ("locks: [L0, L1]", "locks: [L0, L9]", "unknown-name@L9"),
        ("{L0: in}", "{L9: in}", "unknown-name@L9"),
        ("{L0: in}", "{L0: inn}", "bad-value@inn"),
        ("[C0, C1]", "[C0, C1, C2]", "out-of-range@C2"),
        ("[C0, C1]", "[C0, L1]", "duplicate-name@L1"),
        ("swap: 10", "swap: -1", "out-of-range@-1"),
        ("swap: 10", "swap: 0", "out-of-range@0"),
        ("ids: [L0, L1]", "ids: [L0, L1, L2]", "unserved-lock@L2"),
        ("[C0, C1]", "[]", "bad-value@[]"),
        ("locks: [L0, L1]", "locks: []", "bad-value@[]"),
        ("locks: [L0, L1]", "locks: [L0, L1, L0]", "duplicate-name@L0"),
        ("ids: [L0, L1]", "ids: [L0, L1, L1]", "duplicate-name@L1"),
        ("ids: [L0, L1]", "ids: L0", "bad-type@L0"),
        ("turn: 10", "turn: x", "unknown-name@x"),
        ("[C0, C1]", "[C0, track]", "reserved-name@track"),
        ("[C0, C1]", "[C0, R0.1]", "duplicate-name@R0.1"),
        ("swap: 10, ", "", "missing-key@{ids: [C0, C1], measure: 140, expose: 250}"),
        // what is misspelt is not missing as well
        ("{load: 25", "{laod: 25", "unknown-key@laod"),
        ("swap: 10", "swpa: 10", "unknown-key@swpa"),
        ("layout:", "orders: []\nlayout:", "layout-and-plant@orders"),
        ("layout:", "objective: cost\nlayout:", "bad-value@cost"),
    ] {
        assert!(LAYOUT.contains(from));
        assert_eq!(errors(&LAYOUT.replace(from, to)), [expected], "{to}");
    }
}

#[test]
fn what_is_wrong_in_a_layout_hides_nothing_else() {
    let text = LAYOUT
        .replace("R0: {arms: 2, locks: [L0, L1]", "L0: {arms: two, locks: [L0, L1, LX]")
        .replace("turn: 10", "turn: 1.5")
        .replace("from-chuck: 54", "from-chuck: null")
        .replace("{load: 25", "{load: 99999999999999999999999999999999999999999999")
        .replace("swap: 10", "swap: -1");
    let mut found = errors(&text);
    found.sort_unstable();
    let expected = [
        "bad-type@null",
        "bad-type@two",
        "bad-value@99999999999999999999999999999999999999999999",
        "duplicate-name@L0",
        "not-whole@1.5",
        "out-of-range@-1",
        "unknown-name@LX",
    ];
    assert_eq!(found, expected);
}

/// Several things are wrong, and each is told once, as what it is.
#[test]
fn what_is_wrong_is_told_once_and_with_all_else() {
    let found = |text: &str| read(text, FileId(0)).expect_err("it is wrong");
    let twice = found(
        "takt: 1
resources: {m: {}, f: {}, g: {}, h: {}}
recipes: {r: {steps: [{name: s, on: [{any: [m, f]}, {any: [h, g]}], duration: {m: 1, f: 2, h: 3, g: 4}}]}}
orders: [{id: A, recipe: r}]
",
    );
    let shown: Vec<_> = twice.iter().map(|d| (d.code, d.message.as_str())).collect();
    let more = |name: &str| format!("the alternative `{name}` has more than one duration");
    let (m, f) = (more("m"), more("f"));
    assert_eq!(shown, [("duplicate-key", m.as_str()), ("duplicate-key", f.as_str())]);
    let torn = found(
        "takt: 1
time: {unit: hours}
resources: {m: {capacity: 1.5}}
recipes: {r: {steps: [{name: s, on: m, duration: batch-size * 1h}]}}
orders: [{id: A, recipe: r, attributes: {batch-size: 3}}]
",
    );
    let shown: Vec<_> = torn.iter().map(|d| (d.code, d.label.as_str())).collect();
    assert_eq!(shown, [("bad-value", ""), ("bad-type", "1.5 is not whole"), ("unknown-name", "")]);
    let hint = torn.iter().last().and_then(|d| d.hint.as_deref());
    assert!(hint.is_some_and(|hint| hint.contains("`batch_size`")), "{hint:?}");
}

#[test]
fn a_spec_of_costs_without_any_is_warned_of() {
    let text = "takt: 1
resources: {m: {}}
recipes: {r: {steps: [{name: s, on: m, duration: 1}]}}
orders: [{id: A, recipe: r, due: 3}]
objective: cost
";
    let codes = |text: &str| -> Vec<_> {
        read(text, FileId(0)).unwrap().1.iter().map(|d| d.code).collect()
    };
    assert_eq!(codes(text), ["no-costs"]);
    assert!(codes(&text.replace("due: 3", "due: 3, delay-cost: 1")).is_empty());
    assert!(codes(&text.replace("m: {}", "m: {setup: {cost: 1}}")).is_empty());
}
