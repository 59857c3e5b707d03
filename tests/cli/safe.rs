//! `takt safe` from outside.

use crate::run::{Folder, takt, takt_with};
use serde_json::{Value, json};
use std::fs;

/// A layout of so many locks, all of which the robots reach.
fn layout(locks: &[&str], direction: &str) -> String {
    let ids = locks.join(", ");
    format!(
        "takt: 1\nlayout:\n  track: {{load: 1, unload: 1, switch: 1, recover: 1}}\n  \
         locks: {{ids: [{ids}], depressurize: 1, pressurize: 1, direction: {{{direction}}}}}\n  robots:\n    \
         R: {{arms: 2, locks: [{ids}], turn: 1, from-lock: 1, to-lock: 1, to-chuck: 1, from-chuck: 1}}\n  \
         chucks: {{ids: [C], swap: 1, measure: 1, expose: 1}}\n"
    )
}

#[test]
fn the_base_layout_has_four_classes() {
    let folder = Folder::new();
    let out = folder.path("results").display().to_string();
    let ran = takt(&["safe", "specs/scanner/base.yaml", "--json", "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json = ran.json();
    let counts = ["states", "reachable", "safe", "unsafe", "deadlocked"].map(|key| &json[key]);
    assert_eq!(counts, [59049, 57116, 55369, 1747, 1747].map(Value::from).each_ref());
    assert_eq!((&json["exact"], &json["circular_wait_equals_jam"]), (&true.into(), &true.into()));
    let sizes: Vec<usize> = json["policy"]
        .as_array()
        .expect("a list of classes")
        .iter()
        .map(|class| class.as_array().expect("a list of patterns").len())
        .collect();
    assert_eq!(sizes, [2, 1, 2, 1]);
    let first = json!({"L0": "raw", "L1": "raw", "R0.0": "exposed", "R0.1": "exposed"});
    assert_eq!(json["policy"][0][0], first);
    let file: Value =
        serde_json::from_str(&fs::read_to_string(folder.path("results/policy.json")).unwrap())
            .unwrap();
    assert_eq!(file, json);
    let svg = fs::read_to_string(folder.path("results/policy.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("class 4: 1 pattern"), "{svg}");
    let text = fs::read_to_string(folder.path("results/policy.txt")).unwrap();
    assert!(text.contains("Raw wafers in L0, L1; exposed wafers in both arms of R0."), "{text}");
}

#[test]
fn people_get_sentences() {
    let folder = Folder::new();
    let out = folder.path("results").display().to_string();
    let ran = takt_with(&["safe", "-", "--out", &out], &layout(&["A", "B"], "A: in"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("5 positions, 243 states"), "{}", ran.out);
    assert!(ran.out.contains("locks . . | R > > | chucks #"), "{}", ran.out);
}

#[test]
fn numbers_of_any_length_are_exact() {
    let folder = Folder::new();
    let out = folder.path("results").display().to_string();
    let names: Vec<String> = (0..41).map(|lock| format!("L{lock}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ran = takt_with(&["safe", "-", "--json", "--out", &out], &layout(&names, ""), &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // 3 to the power of 44, as it is written.
    assert!(ran.out.contains("\"states\":984770902183611232881,"), "{}", ran.out);
}

#[test]
fn machines_that_cannot_work_are_a_negative_answer() {
    let folder = Folder::new();
    let out = folder.path("results").display().to_string();
    for (direction, words) in [
        ("A: in, B: in", "Every state with a wafer is unsafe"),
        ("A: out, B: out", "No wafer can ever be loaded"),
    ] {
        let spec = layout(&["A", "B"], direction);
        let ran = takt_with(&["safe", "-", "--out", &out], &spec, &[]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.out.contains(words), "{}", ran.out);
        assert!(takt_with(&["safe", "-", "--json"], &spec, &[]).json()["reason"].is_string());
    }
    assert!(!folder.path("results").exists());
}

#[test]
fn what_is_no_layout_ends_with_2_at_its_place() {
    let ran = takt(&["safe", "specs/ft06.yaml", "--json"]);
    assert_eq!(ran.code, 2);
    let json = ran.json();
    assert_eq!(json["errors"][0]["code"], "no-layout", "{json}");
    assert!(json["errors"][0]["line"].is_number(), "{json}");
    let wrong = layout(&["A", "B"], "").replace("locks: [A, B]", "locks: [A]");
    let ran = takt_with(&["safe", "-", "--json"], &wrong, &[]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["unserved-lock".to_owned()]));
}
