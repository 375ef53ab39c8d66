//! Lenient access to the fields of a JSON object: a field of an unexpected type counts as missing.

use bc_core::Timestamp;
use serde_json_borrow::{ObjectAsVec, Value};

/// A JSON object whose strings borrow from the line.
pub(super) type Object<'a> = ObjectAsVec<'a>;

pub(super) fn text<'a>(object: &'a Object<'_>, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

pub(super) fn flag(object: &Object<'_>, key: &str) -> bool {
    object.get(key).and_then(Value::as_bool).unwrap_or(false)
}

pub(super) fn object<'a, 'l>(object: &'a Object<'l>, key: &str) -> Option<&'a Object<'l>> {
    object.get(key)?.as_object()
}

/// A count, which may be written as `3.0`. A negative number counts as missing.
pub(super) fn number(object: &Object<'_>, key: &str) -> Option<u64> {
    let value = object.get(key)?;
    value.as_u64().or_else(|| value.as_f64().filter(|n| *n >= 0.0 && *n < 9e15).map(|n| n as u64))
}

pub(super) fn time(object: &Object<'_>) -> Option<Timestamp> {
    Timestamp::parse_from_rfc3339(text(object, "timestamp")?).ok()
}

/// Milliseconds between two times; `None` if `to` is before `from`.
pub(super) fn millis(from: Timestamp, to: Timestamp) -> Option<u64> {
    u64::try_from((to - from).num_milliseconds()).ok()
}
