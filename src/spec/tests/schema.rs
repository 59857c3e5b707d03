//! The schema accepts what the language accepts, and refuses keys that it does not know.

use super::*;
use serde_json::{Value as Json, json};
use takt_testing::schema;

fn fits(text: &str) -> bool {
    let value: Json = serde_yaml::from_str(text).unwrap();
    let schema = schema();
    schema::accepts(&schema, &schema, &value)
}

#[test]
fn right_specs_fit() {
    assert!(fits(GOOD));
    assert!(fits(RICH));
}

#[test]
fn a_variant_may_leave_out_and_remove_what_it_likes() {
    assert!(fits("{takt: 1, extends: a.yaml}"));
    assert!(fits("{takt: 1, extends: a.yaml, resources: {a: {capacity: null}, b: null}}"));
    assert!(fits("{takt: 1, extends: a.yaml, recipes: {r: {steps: {s: {duration: 1}, t: null}}}}"));
    assert!(fits("{takt: 1, extends: a.yaml, orders: {A: {due: 5}}, heuristics: null}"));
    assert!(!fits("{takt: 1, extends: a.yaml, orders: {A: {du: 5}}}"));
    assert!(!fits("{takt: 1, extends: a.yaml, orders: [{recipe: r}]}"));
    assert!(!fits("{extends: a.yaml}"));
    assert!(!fits("{takt: 1, resources: {}}"));
    assert!(!fits("{takt: 1, extends: null, resources: {}}"));
    assert!(!fits("{takt: 1, recipes: {r: {steps: []}}, orders: []}"));
}

#[test]
fn unknown_keys_and_wrong_shapes_do_not_fit() {
    for (from, to) in [
        ("capacity:", "capasity:"),
        ("interruptible:", "interuptible:"),
        ("delay-cost:", "delay_cost:"),
        ("takt: 1", "takt: 2"),
        ("capacity: 3", "capacity: 0"),
        ("unit: minute", "unit: minutes"),
        ("{vessel: 2}", "{vessel: two}"),
        ("[greedy,", "[gready,"),
        ("{max-active: 3}", "{max-activ: 3}"),
        ("id: A1, ", ""),
        ("count: 3", "count: many"),
        ("{max: 4h}", "{maximum: 4h}"),
    ] {
        assert!(RICH.contains(from));
        assert!(!fits(&RICH.replace(from, to)), "{to}");
    }
}

#[test]
fn a_layout_has_robots_and_robots_have_locks() {
    let layout = |robots: &str| {
        format!(
            "{{takt: 1, layout: {{track: {{load: 1, unload: 1, switch: 1, recover: 1}}, \
             locks: {{ids: [A], depressurize: 1, pressurize: 1}}, robots: {{{robots}}}, \
             chucks: {{ids: [C], swap: 1, measure: 1, expose: 1}}}}}}"
        )
    };
    let robot = |locks: &str| {
        format!(
            "R: {{arms: 1, locks: [{locks}], turn: 1, from-lock: 1, to-lock: 1, to-chuck: 1, \
             from-chuck: 1}}"
        )
    };
    assert!(fits(&layout(&robot("A"))));
    assert!(!fits(&layout(&robot(""))));
    assert!(!fits(&layout("")));
    assert!(fits("{takt: 1, extends: a.yaml, layout: {robots: {}}}"));
}

/// Calls `visit` with the name of every key.
fn keys(schema: &Json, visit: &mut impl FnMut(&str)) {
    match schema {
        Json::Object(fields) => {
            for (name, property) in
                fields.get("properties").and_then(Json::as_object).into_iter().flatten()
            {
                visit(name);
                keys(property, visit);
            }
            for (_, inner) in fields.iter().filter(|(name, _)| *name != "properties") {
                keys(inner, visit);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| keys(item, visit)),
        _ => {}
    }
}

#[test]
fn the_reference_tells_of_every_key() {
    let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("docs/reference.md");
    let reference = std::fs::read_to_string(path).unwrap();
    let mut count = 0;
    keys(&schema(), &mut |name| {
        let forms = [format!("`{name}`"), format!("{name}: "), format!("{name}:\n")];
        assert!(forms.iter().any(|form| reference.contains(form)), "{name}");
        count += 1;
    });
    assert!(count > 80, "{count}");
}

#[test]
fn every_key_is_explained() {
    fn explained(schema: &Json) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            assert!(property["description"].as_str().is_some_and(|d| d.ends_with('.')), "{name}");
            explained(property);
        }
    }
    explained(&schema());
    assert_eq!(schema()["properties"]["takt"]["const"], json!(1));
}
