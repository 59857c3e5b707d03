//! The schema accepts what the language accepts, and refuses keys that it does not know.

use super::*;
use serde_json::{Value as Json, json};

/// A validator for the few words that our schema uses.
fn accepts(schema: &Json, root: &Json, value: &Json) -> bool {
    if let Some(name) = schema.get("$ref").and_then(Json::as_str) {
        let name = name.strip_prefix("#/$defs/").unwrap();
        return accepts(&root["$defs"][name], root, value);
    }
    let all = |key: &str, test: &dyn Fn(&Json) -> bool| schema.get(key).is_none_or(test);
    all("type", &|t| match t {
        Json::Array(types) => types.iter().any(|t| has_type(t.as_str().unwrap(), value)),
        t => has_type(t.as_str().unwrap(), value),
    }) && all("const", &|c| c == value)
        && all("enum", &|words| words.as_array().unwrap().contains(value))
        && all("minimum", &|least| value.as_f64().is_none_or(|v| v >= least.as_f64().unwrap()))
        && all("maximum", &|most| value.as_f64().is_none_or(|v| v <= most.as_f64().unwrap()))
        && all("anyOf", &|any| any.as_array().unwrap().iter().any(|s| accepts(s, root, value)))
        && all("required", &|names| {
            let names = names.as_array().unwrap();
            value
                .as_object()
                .is_none_or(|o| names.iter().all(|n| o.contains_key(n.as_str().unwrap())))
        })
        && all("items", &|items| {
            value.as_array().is_none_or(|list| list.iter().all(|v| accepts(items, root, v)))
        })
        && value.as_object().is_none_or(|object| {
            object.iter().all(|(key, value)| {
                match (schema["properties"].get(key), schema.get("additionalProperties")) {
                    (Some(own), _) => accepts(own, root, value),
                    (None, Some(Json::Bool(allowed))) => *allowed,
                    (None, Some(other)) => accepts(other, root, value),
                    (None, None) => true,
                }
            })
        })
}

fn has_type(name: &str, value: &Json) -> bool {
    match name {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("a type that nobody knows: {other}"),
    }
}

fn fits(text: &str) -> bool {
    let value: Json = serde_yaml::from_str(text).unwrap();
    let schema = schema();
    accepts(&schema, &schema, &value)
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
}

#[test]
fn every_example_fits() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let mut folders = vec![folder];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "yaml") {
                assert!(fits(&std::fs::read_to_string(&path).unwrap()), "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 0);
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
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference.md");
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
