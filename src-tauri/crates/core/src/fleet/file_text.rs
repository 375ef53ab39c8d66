//! The text of an entity's file.

use serde::Serialize;
use serde_json::{Map, Value};

/// JSON with its keys sorted at every depth, two spaces deep, with a newline at the end: one text for one
/// value, so that a line changes only where something changed.
///
/// # Panics
/// Never for this module's types, which have only text keys.
pub fn file_text(entity: &impl Serialize) -> String {
    let value = serde_json::to_value(entity).expect("it has only text keys");
    let mut text = serde_json::to_string_pretty(&sorted(value)).expect("a value is JSON");
    text.push('\n');
    text
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut pairs: Vec<(String, Value)> = object.into_iter().collect();
            // As JavaScript sorts: by UTF-16 units.
            pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            Value::Object(pairs.into_iter().map(|(key, value)| (key, sorted(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
