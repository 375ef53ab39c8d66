//! Decodes a tracker program's output leniently: log lines before the document, bare arrays, envelopes,
//! errors on either stream.

use bc_core::ids::BeadId;
use serde_json::{Map, Value};

/// Finds the JSON document in a program's output, if any: the first one that starts at the beginning of a
/// line. Indented lines never start one, so that no part of a truncated document is mistaken for a document.
pub(crate) fn document(output: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(output);
    if let Ok(value) = serde_json::from_str::<Value>(&text) {
        return is_document(&value).then_some(value);
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(['{', '[']) {
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
            if let Some(Ok(value)) = values.next()
                && is_document(&value)
            {
                return Some(value);
            }
        }
        at += line.len();
    }
    None
}

/// Whether the value is an object, or an array of objects or strings. An array such as `[1]` comes from a log
/// line.
fn is_document(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().all(|item| item.is_object() || item.is_string()),
        _ => false,
    }
}

/// The content of the envelope, or the value itself.
pub(crate) fn unwrapped(value: Value) -> Value {
    match value {
        Value::Object(mut map) if map.contains_key("data") && !map.contains_key("id") => {
            map.remove("data").map_or(Value::Null, unwrapped)
        }
        other => other,
    }
}

/// The objects of an answer: a list, `{data}`, `{issues}`, or a single object. Null has no objects; `None`
/// for other values.
pub(crate) fn objects(value: Value) -> Option<Vec<Map<String, Value>>> {
    match unwrapped(value) {
        Value::Null => Some(Vec::new()),
        Value::Array(items) => {
            Some(items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect())
        }
        Value::Object(mut map) => match map.remove("issues") {
            Some(inner @ Value::Array(_)) => objects(inner),
            _ if map.contains_key("id") => Some(vec![map]),
            _ => None,
        },
        _ => None,
    }
}

/// The ids of these objects, in order.
pub(crate) fn ids(maps: &[Map<String, Value>]) -> Vec<BeadId> {
    maps.iter().filter_map(|map| map.get("id")?.as_str()?.parse().ok()).collect()
}

/// Why a program refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// br's machine-readable code.
    pub(crate) code: Option<String>,
    /// The message on one line, truncated to 600 characters.
    pub(crate) message: String,
}

/// Extracts the reason for a failure from stdout and stderr. JSON messages come first; plain text is kept
/// too, because bd's has more detail.
pub(crate) fn refusal(stdout: &[u8], stderr: &[u8]) -> Refusal {
    let mut refusal = Refusal::default();
    let mut parts: Vec<String> = Vec::new();
    for stream in [stdout, stderr] {
        if let Some(Value::Object(map)) = document(stream).map(unwrapped) {
            collect(&map, &mut refusal, &mut parts);
        }
    }
    for stream in [stderr, stdout] {
        for line in String::from_utf8_lossy(stream).lines() {
            let line = line.trim_end();
            let json = line.starts_with(['{', '}', '[', ']', ' ', '"']);
            if !json && !line.is_empty() && !is_log(line) && parts.len() < 6 {
                parts.push(line.strip_prefix("Error: ").unwrap_or(line).to_owned());
            }
        }
    }
    parts.dedup();
    refusal.message = bc_core::text::cut(&bc_core::text::one_line(&parts.join("; ")), 600);
    refusal
}

fn collect(map: &Map<String, Value>, refusal: &mut Refusal, parts: &mut Vec<String>) {
    match map.get("error") {
        Some(Value::String(error)) => parts.push(error.clone()),
        Some(Value::Object(error)) => {
            refusal.code = error.get("code").and_then(Value::as_str).map(str::to_owned);
            parts.extend(error.get("message").and_then(Value::as_str).map(str::to_owned));
        }
        _ => {}
    }
    for failed in map.get("failed").and_then(Value::as_array).into_iter().flatten() {
        parts.extend(failed.get("error").and_then(Value::as_str).map(str::to_owned));
    }
}

/// Whether a line is a log message or a hint, rather than the reason for the failure.
fn is_log(line: &str) -> bool {
    line.contains(" INFO ") || line.starts_with("Warning: ") || line.starts_with("Hint: ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shape_of_a_list_is_read() {
        for text in [
            r#"[{"id":"a-1"}]"#,
            r#"{"data":[{"id":"a-1"}],"schema_version":1}"#,
            r#"{"issues":[{"id":"a-1"}],"total":1}"#,
            r#"{"data":{"issues":[{"id":"a-1"}]}}"#,
            r#"{"id":"a-1"}"#,
            "2026-11-20 INFO starting\n[note] something\n[{\"id\":\"a-1\"}]\ntrailing",
            "Warning: x\n{\n  \"data\": [\n    {\"id\": \"a-1\"}\n  ]\n}\n",
        ] {
            let found = document(text.as_bytes()).and_then(objects);
            assert_eq!(found.map(|rows| rows[0]["id"].clone()), Some(json!("a-1")), "{text}");
        }
        assert_eq!(objects(json!({"data": null})), Some(vec![]));
    }

    #[test]
    fn a_part_of_a_truncated_document_is_not_taken_for_a_document() {
        let cut = b"{\n  \"data\": [\n    {\n      \"id\": \"a-1\"\n    },\n    {\n";
        assert_eq!(document(cut), None);
    }

    #[test]
    fn output_without_an_object_or_list_is_no_document() {
        for bytes in [&b""[..], b"\xff\xfe\x00", b"{", b"[[[[", b"null", b"7", b"[1]", b"\"x\""] {
            assert_eq!(document(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn the_reason_is_found_on_either_stream() {
        let bd = br#"Error updating tp-1: issue already claimed by alice
{"data":{"error":"1 of 1 issues failed to update","failed":[{"id":"tp-1","error":"updating issue: issue already claimed by alice"}]},"schema_version":1}"#;
        assert!(refusal(b"", bd).message.contains("issue already claimed by alice"));
        let shown = br#"{"data":{"error":"no issues found matching the provided IDs","hint":"x"}}"#;
        assert_eq!(refusal(shown, b"").message, "no issues found matching the provided IDs");
        let br = br#"{"error":{"code":"ISSUE_NOT_FOUND","message":"Issue not found: x","retryable":false}}"#;
        let refusal_of_br = refusal(b"", br);
        assert_eq!(refusal_of_br.code.as_deref(), Some("ISSUE_NOT_FOUND"));
        assert_eq!(refusal_of_br.message, "Issue not found: x");
        let plain = b"Warning: permissions\nError: no beads database found\nHint: run 'bd init'\n";
        assert_eq!(refusal(b"", plain).message, "no beads database found");
    }

    #[test]
    fn a_programs_message_contains_no_control_characters() {
        assert_eq!(refusal(b"", b"Error: \x1b[2Jgone\r\n").message, "gone");
    }
}
