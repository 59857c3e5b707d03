//! The JSON Schema of the spec language, for editors, made from the decoder's own table.
//!
//! A schema sees shapes, not meanings: what it accepts may still be wrong in ways that only
//! reading the spec tells.

use super::language::{Form, Keys, SPEC};
use serde_json::{Map, Value, json};

/// The whole schema as one JSON object.
pub fn schema() -> Value {
    let mut writer = Writer { shared: Map::new() };
    let mut root = writer.map(&SPEC);
    let fields = root.as_object_mut().expect("the schema of a map is an object");
    fields["properties"]["takt"]["const"] = json!(1);
    fields.insert(
        "anyOf".to_owned(),
        json!([{"required": ["recipes", "orders"]}, {"required": ["layout"]}]),
    );
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("takt spec"));
    schema.append(fields);
    schema.insert("$defs".to_owned(), Value::Object(writer.shared));
    Value::Object(schema)
}

struct Writer {
    /// Forms that are used in several places, or within themselves.
    shared: Map<String, Value>,
}

impl Writer {
    fn map(&mut self, keys: &Keys) -> Value {
        let mut properties = Map::new();
        for entry in keys.entries {
            let mut property = self.form(&entry.form);
            property["description"] = json!(entry.about);
            properties.insert(entry.name.to_owned(), property);
        }
        let required = keys.entries.iter().filter(|entry| entry.is_required);
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
                json!({"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$"})
            }
            Form::Stretch => json!({"type": "string", "pattern": r"^\d{4}-\d\d-\d\d"}),
            Form::Shift => {
                json!({"type": "string", "pattern": r"^\d\d:\d\d(:\d\d)? ?- ?\d\d:\d\d"})
            }
            Form::Choice(words) => json!({"enum": words}),
            Form::Map(keys) => self.map(keys),
            Form::Named(form) => {
                json!({"type": "object", "additionalProperties": self.form(form)})
            }
            Form::List(form) => json!({"type": "array", "items": self.form(form)}),
            Form::OneOf(forms) => {
                let forms: Vec<_> = forms.iter().map(|form| self.form(form)).collect();
                json!({"anyOf": forms})
            }
            Form::Shared(name, form) => self.shared(name, form),
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
