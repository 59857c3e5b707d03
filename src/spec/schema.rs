//! The JSON Schema of the spec language, for editors, made from the decoder's own table.
//!
//! A schema sees shapes, not meanings: what it accepts may still be wrong in ways that only
//! reading the spec tells.

use super::form::{Form, Keys};
use super::language::SPEC;
use serde_json::{Map, Value, json};

/// The whole schema as one JSON object: the keys of any spec, and beyond that either `extends`,
/// which leaves the rest to another spec, or all that a spec needs which stands alone.
pub fn schema() -> Value {
    let mut writer = Writer { shared: Map::new(), is_variant: false };
    let mut alone = writer.map(&SPEC);
    alone["anyOf"] = json!([
        {"required": ["recipes", "orders"]},
        {"required": ["routings", "orders"]},
        {"required": ["layout"]},
    ]);
    writer.is_variant = true;
    let mut root = writer.map(&SPEC);
    // These two are never nothing.
    for name in ["takt", "extends"] {
        root["properties"][name] = alone["properties"][name].clone();
    }
    root["properties"]["takt"]["const"] = json!(1);
    root["required"] = json!(["takt"]);
    root["anyOf"] = json!([{"required": ["extends"]}, alone]);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("takt spec");
    root["$defs"] = Value::Object(writer.shared);
    root
}

struct Writer {
    /// Forms that are used in several places, or within themselves.
    shared: Map<String, Value>,
    /// What is written extends another spec: every key may be missing, or nothing.
    is_variant: bool,
}

impl Writer {
    fn map(&mut self, keys: &Keys) -> Value {
        let mut properties = Map::new();
        for entry in keys.entries {
            let mut property = self.form(&entry.form);
            if self.is_variant {
                property = json!({"anyOf": [property, {"type": "null"}]});
            }
            property["description"] = json!(entry.about);
            properties.insert(entry.name.to_owned(), property);
        }
        let required = keys.entries.iter().filter(|entry| entry.is_required && !self.is_variant);
        let required: Vec<_> = required.map(|entry| entry.name).collect();
        let mut schema = json!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    fn form(&mut self, form: &Form) -> Value {
        match form {
            // Numbers may serve as names.
            Form::Text | Form::Value => json!({"type": ["string", "number", "boolean"]}),
            Form::Null => json!({"type": "null"}),
            Form::Flag => json!({"type": "boolean"}),
            Form::Whole { least } => json!({"type": "integer", "minimum": least}),
            Form::Decimal => json!({"type": "number"}),
            Form::Fraction => json!({"type": ["number", "string"], "maximum": 1}),
            Form::Duration | Form::Instant => json!({"type": ["integer", "string"]}),
            Form::Cost | Form::Rate => json!({"type": ["number", "string"], "minimum": 0}),
            Form::DateTime => {
                json!({"type": "string", "pattern": r"^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$"})
            }
            Form::Stretch => json!({"type": "string", "pattern": r"^\d{4}-\d\d-\d\d"}),
            Form::Shift => {
                json!({"type": "string", "pattern": r"^\d\d:\d\d(:\d\d)? ?- ?\d\d:\d\d"})
            }
            Form::Choice(words) => json!({"enum": words}),
            Form::Map(keys) => self.map(keys),
            Form::Named(form) => self.named(form),
            Form::SomeNamed(form) => {
                let mut named = self.named(form);
                if !self.is_variant {
                    named["minProperties"] = json!(1);
                }
                named
            }
            Form::List(form) => self.list(form, 0),
            Form::Some(form) => self.list(form, 1),
            Form::OneOf(forms) => {
                let forms: Vec<_> = forms.iter().map(|form| self.form(form)).collect();
                json!({"anyOf": forms})
            }
            Form::Shared(name, form) => self.shared(name, form),
        }
    }

    fn named(&mut self, form: &Form) -> Value {
        let mut value = self.form(form);
        if self.is_variant {
            value = json!({"anyOf": [value, {"type": "null"}]});
        }
        json!({"type": "object", "additionalProperties": value})
    }

    /// A variant replaces a list as a whole, or changes some of its maps by their names.
    fn list(&mut self, form: &Form, least: usize) -> Value {
        let changes = self.is_variant.then(|| self.named(form));
        let was_variant = std::mem::take(&mut self.is_variant);
        let mut list = json!({"type": "array", "items": self.form(form)});
        if least > 0 {
            list["minItems"] = json!(least);
        }
        self.is_variant = was_variant;
        match changes {
            Some(changes) if has_map(form) => json!({"anyOf": [list, changes]}),
            _ => list,
        }
    }

    fn shared(&mut self, name: &str, form: &Form) -> Value {
        if !self.shared.contains_key(name) {
            // Its place is taken before it is made, as it may contain itself.
            self.shared.insert(name.to_owned(), Value::Null);
            let schema = self.form(form);
            self.shared.insert(name.to_owned(), schema);
        }
        json!({"$ref": format!("#/$defs/{name}")})
    }
}

fn has_map(form: &Form) -> bool {
    match form {
        Form::Map(_) => true,
        Form::OneOf(forms) => forms.iter().any(has_map),
        _ => false,
    }
}
