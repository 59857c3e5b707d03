//! Setups by attributes and of several parts.

use super::*;

fn spec(setup: &str, orders: &str) -> String {
    format!(
        "takt: 1
resources:
  line: {{units: [L1, L2], {setup}}}
recipes: {{pack: {{steps: [{{name: fill, on: line, duration: 1}}]}}}}
orders:
{orders}"
    )
}

const FULL: &str = "  - {id: A, recipe: pack, attributes: {format: 330, flavour: cola}}
  - {id: B, recipe: pack, family: x, attributes: {format: 500, flavour: lime}}
";

fn codes_of(setup: &str, orders: &str) -> Vec<String> {
    let text = spec(setup, orders);
    match read(&text, FileId(0)) {
        Ok(_) => Vec::new(),
        Err(_) => errors(&text),
    }
}

#[test]
fn parts_go_by_attributes_as_they_are_written() {
    let setup =
        "setup: [{by: format, matrix: {330: {500: {time: 3}}}, initial: {L1: 330}}, {time: 2}]";
    let (spec, found) = read(&spec(setup, FULL), FileId(0)).unwrap();
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["unused"], "flavour");
    let line = &spec.resources[0];
    let [by_format, by_family] = &line.setup.as_ref().unwrap().parts[..] else { panic!("two") };
    assert_eq!(line.initial(by_format, "L1"), Some("330"));
    assert_eq!((line.initial(by_format, "L2"), line.initial(by_family, "L1")), (None, None));
    let step = &spec.recipes[0].steps[0];
    let families = |part: &SetupPart| {
        spec.orders.iter().map(|order| part.family(order, step).unwrap().to_owned()).collect()
    };
    let (formats, names): (Vec<String>, Vec<String>) = (families(by_format), families(by_family));
    assert_eq!((formats.join(" "), names.join(" ")), ("330 500".to_owned(), "pack x".to_owned()));
}

#[test]
fn what_a_setup_goes_by_is_there_and_said_once() {
    let cases = [
        ("setup: {by: format, time: 1}", FULL, &[][..]),
        ("setup: []", FULL, &["bad-value@[]"]),
        ("setup: {by: formt, time: 1}", FULL, &["unknown-name@A"]),
        ("setup: {by: family, time: 1}", FULL, &["unknown-name@A"]),
        (
            "setup: [{by: format}, {by: format, time: 1}]",
            FULL,
            &["duplicate-name@{by: format, time: 1}"],
        ),
        ("setup: [{time: 1}, {time: 2}]", FULL, &["duplicate-name@{time: 2}"]),
        ("setup: [{time: 1}, {by: format}], initial: x", FULL, &["bad-setup@line"]),
        ("setup: {time: 1, initial: x}, initial: y", FULL, &["bad-setup@line"]),
        ("setup: [{by: format, initial: {L3: 330}}]", FULL, &["unknown-name@L3"]),
        (
            "setup: {by: format, time: 1}",
            "  - {id: A, recipe: pack}\n  - {id: B, recipe: pack}\n",
            &["unknown-name@A"],
        ),
    ];
    for (setup, orders, expected) in cases {
        assert_eq!(codes_of(setup, orders), expected, "{setup}");
    }
}

#[test]
fn crews_are_resources_that_can_work() {
    let text = |setup: &str, more: &str| {
        format!(
            "takt: 1
resources:
  line: {{units: [L1, L2], setup: {setup}}}
  tech: {{capacity: 2}}
  lift:
recipes: {{pack: {{steps: [{{name: fill, on: line, duration: 1}}]}}}}
orders: [{{id: A, recipe: pack}}]
{more}"
        )
    };
    let cases = [
        ("{time: 1, on: tech}", "", &[][..]),
        ("{time: 1, on: {tech: 2}, calendar: true}", "", &[]),
        ("{time: 1, on: [tech, lift]}", "", &[]),
        ("{time: 1, on: techs}", "", &["unknown-name@techs"]),
        ("{time: 1, on: {tech: 3}}", "", &["above-capacity@tech"]),
        ("{time: 1, on: line}", "", &["bad-setup@line"]),
        ("{time: 1, on: {any: [tech, lift]}}", "", &["bad-value@{any: [tech, lift]}"]),
        ("{time: 1, calendar: two-shift}", "", &["bad-type@two-shift"]),
        ("{time: 1, on: tech}", "heuristics: [max-active: 1]", &[]),
        ("{time: 1, on: tech}", "heuristics: [greedy]", &["bad-heuristic@greedy"]),
        ("{time: 1, calendar: true}", "heuristics: non-lazy", &["bad-heuristic@non-lazy"]),
    ];
    for (setup, more, expected) in cases {
        let text = text(setup, more);
        let found = match read(&text, FileId(0)) {
            Ok(_) => Vec::new(),
            Err(_) => errors(&text),
        };
        assert_eq!(found, expected, "{setup} {more}");
    }
}
