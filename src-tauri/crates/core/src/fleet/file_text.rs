//! The text of the fleet's JSON files and log lines.

use serde::Serialize;
use serde_json::{Map, Number, Value};

/// 2^53: every whole number below it is exact as a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// JSON with sorted keys at every depth, indented by two spaces, with a final newline. Equal values give
/// equal text, so that only changed values change lines.
///
/// # Panics
///
/// Never panics for the fleet's types, which only have text keys.
pub fn file_text(entity: &impl Serialize) -> String {
    let value = serde_json::to_value(entity).expect("it has only text keys");
    let mut text = serde_json::to_string_pretty(&sorted(value)).expect("a value is JSON");
    text.push('\n');
    text
}

/// [`file_text`] on one line, for a log.
///
/// # Panics
///
/// Never panics for the fleet's types, which only have text keys.
pub(super) fn line_text(entity: &impl Serialize) -> String {
    let value = serde_json::to_value(entity).expect("it has only text keys");
    format!("{}\n", sorted(value))
}

/// A status as words: `in_progress` becomes `in progress`.
pub(super) fn status_words(status: &impl Serialize) -> String {
    match serde_json::to_value(status) {
        Ok(Value::String(name)) => name.replace('_', " "),
        _ => String::new(),
    }
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut pairs: Vec<(String, Value)> = object.into_iter().collect();
            // Sort as JavaScript does, by UTF-16 code units.
            pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            Value::Object(pairs.into_iter().map(|(key, value)| (key, sorted(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        Value::Number(number) => Value::Number(whole(number)),
        other => other,
    }
}

/// Writes a whole number as JavaScript does, `0` instead of `0.0`, so that all programs write the same file.
fn whole(number: Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
            Number::from(float as i64)
        }
        _ => number,
    }
}
