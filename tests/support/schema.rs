//! Judges a JSON value by a JSON Schema, for the words that takt's own schema uses. A word that it
//! does not know is a panic, so that none is silently passed over.

use regex::Regex;
use serde_json::Value as Json;

/// Words that say nothing about the value itself.
const SILENT: [&str; 4] = ["$schema", "$defs", "title", "description"];

/// Whether the value fits a schema; references lead into `root`.
pub fn accepts(schema: &Json, root: &Json, value: &Json) -> bool {
    let words = schema.as_object().expect("a schema is an object");
    let judged = words.iter().filter(|(word, _)| !SILENT.contains(&word.as_str()));
    judged.into_iter().all(|(word, says)| fits(word, says, schema, root, value))
}

fn fits(word: &str, says: &Json, schema: &Json, root: &Json, value: &Json) -> bool {
    let list = || says.as_array().expect("a list");
    match word {
        "$ref" => {
            let name =
                says.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a name");
            accepts(&root["$defs"][name], root, value)
        }
        "type" => match says {
            Json::Array(types) => types.iter().any(|one| has_type(one, value)),
            one => has_type(one, value),
        },
        "const" => says == value,
        "enum" => list().contains(value),
        "minimum" => value.as_f64().is_none_or(|v| v >= says.as_f64().expect("a number")),
        "maximum" => value.as_f64().is_none_or(|v| v <= says.as_f64().expect("a number")),
        "minItems" => {
            let least = says.as_u64().expect("a number");
            value.as_array().is_none_or(|all| all.len() as u64 >= least)
        }
        "minProperties" => {
            let least = says.as_u64().expect("a number");
            value.as_object().is_none_or(|all| all.len() as u64 >= least)
        }
        "pattern" => value.as_str().is_none_or(|text| {
            Regex::new(says.as_str().expect("a text")).expect("a pattern").is_match(text)
        }),
        "anyOf" => list().iter().any(|one| accepts(one, root, value)),
        "required" => value.as_object().is_none_or(|object| {
            list().iter().all(|name| object.contains_key(name.as_str().expect("a name")))
        }),
        "items" => value.as_array().is_none_or(|all| all.iter().all(|v| accepts(says, root, v))),
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(key, v)| says.get(key).is_none_or(|own| accepts(own, root, v)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|object| {
            let others = object.iter().filter(|(key, _)| schema["properties"].get(key).is_none());
            others.into_iter().all(|(_, v)| match says {
                Json::Bool(allowed) => *allowed,
                other => accepts(other, root, v),
            })
        }),
        other => panic!("a word that nobody knows: {other}"),
    }
}

fn has_type(name: &Json, value: &Json) -> bool {
    match name.as_str().expect("a type has a name") {
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
