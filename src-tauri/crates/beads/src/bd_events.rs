//! The recorded changes of a bead, from rows of bd's table `events`, which all versions have. Performs no
//! I/O.

use crate::tracker::TrackerEvent;
use bc_core::Timestamp;
use serde_json::{Map, Value};

/// Converts rows, newest first, to events, oldest first. An update becomes one event per changed field.
pub(crate) fn events(answer: &Value) -> Vec<TrackerEvent> {
    let rows = answer.as_array().into_iter().flatten().rev();
    let mut events: Vec<TrackerEvent> = rows.filter_map(Value::as_object).flat_map(of_row).collect();
    // bd stores times in whole seconds and returns rows with equal times in any order.
    events.sort_by_key(|event| (event.at, event.kind != "created"));
    events
}

fn of_row(row: &Map<String, Value>) -> Vec<TrackerEvent> {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let Ok(at) = Timestamp::parse_from_rfc3339(text("created_at")) else { return Vec::new() };
    let event = |kind: &str, field: Option<&str>, from: Option<String>, to: Option<String>| TrackerEvent {
        at,
        actor: text("actor").to_owned(),
        kind: kind.to_owned(),
        field: field.map(str::to_owned),
        from,
        to,
    };
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let after = |text: &str, mark: &str| text.split_once(mark).map(|(_, rest)| rest.to_owned());
    let either = Some(text("new_value")).filter(|text| !text.is_empty()).unwrap_or(text("comment"));
    match text("event_type") {
        "updated" | "status_changed" | "claimed" => {
            let map = |key: &str| serde_json::from_str::<Map<String, Value>>(text(key)).unwrap_or_default();
            let (old, new) = (map("old_value"), map("new_value"));
            let fields = new.iter().filter(|(key, value)| old.get(*key) != Some(value));
            let fields = fields.map(|(key, value)| {
                let kind = match (key.as_str(), text("event_type")) {
                    ("status", "claimed") => "claimed",
                    ("status", _) => "status",
                    _ => "field",
                };
                let field = Some(key.as_str()).filter(|_| kind == "field");
                event(kind, field, old.get(key).and_then(shown), shown(value))
            });
            fields.filter(|event| event.from != event.to).collect()
        }
        "label_added" => vec![event("field", Some("labels"), None, after(text("comment"), ": "))],
        "label_removed" => vec![event("field", Some("labels"), after(text("comment"), ": "), None)],
        "dependency_added" => {
            let to = after(either, ": ").map(|edge| after(&edge, " ").unwrap_or(edge));
            vec![event("dependency", None, None, to)]
        }
        "dependency_removed" => vec![event("dependency", None, after(either, " on "), None)],
        "commented" | "comment_added" => vec![event("comment", None, None, some(text("comment")))],
        "created" => vec![event("created", None, None, None)],
        kind => vec![event(kind, None, some(text("old_value")), some(either))],
    }
}

/// A value as text; `None` if it is empty.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_bead_is_created_before_changes_in_the_same_second() {
        let row = |kind: &str, at: &str| json!({"event_type": kind, "created_at": at, "actor": "alice"});
        let (first, second) = ("2026-11-20T10:00:00Z", "2026-11-20T10:00:01Z");
        let rows = [row("closed", second), row("created", first), row("reopened", first)];
        let kinds: Vec<String> = events(&json!(rows)).into_iter().map(|event| event.kind).collect();
        assert_eq!(kinds, ["created", "reopened", "closed"]);
    }

    #[test]
    fn events_of_the_real_bd_are_read() {
        let answer = json!([
            {"event_type": "dependency_removed", "actor": "me", "old_value": "", "new_value": "Removed dependency on tp-2", "created_at": "2026-11-24T23:45:28Z"},
            {"event_type": "dependency_added", "actor": "me", "old_value": "", "new_value": "Added dependency: tp-1 waits-for tp-2", "created_at": "2026-11-24T23:45:26Z"},
            {"event_type": "label_added", "actor": "me", "comment": "Added label: x", "created_at": "2026-11-24T23:45:25Z"},
            {"event_type": "claimed", "actor": "ann", "old_value": "{\"status\":\"open\"}", "new_value": "{\"assignee\":\"ann\",\"status\":\"in_progress\"}", "created_at": "2026-11-24T23:45:24Z"},
            {"event_type": "status_changed", "actor": "me", "old_value": "{\"status\":\"blocked\",\"due_at\":\"2027-01-02T00:00:00Z\",\"priority\":1}", "new_value": "{\"due_at\":null,\"priority\":0,\"status\":\"open\"}", "created_at": "2026-11-24T23:45:23Z"},
            {"event_type": "closed", "actor": "ann", "old_value": "", "new_value": "done", "created_at": "2026-11-24T23:45:22Z"},
            {"event_type": "created", "actor": "me", "created_at": "2026-11-24T23:45:20Z"},
            {"event_type": "created", "created_at": "yesterday"},
            "junk",
        ]);
        let words: Vec<String> = events(&answer)
            .into_iter()
            .map(|event| {
                let part = |text: Option<String>| text.unwrap_or_default();
                format!(
                    "{} {} {} {}>{}",
                    event.actor,
                    event.kind,
                    part(event.field),
                    part(event.from),
                    part(event.to)
                )
            })
            .collect();
        assert_eq!(
            words,
            [
                "me created  >",
                "ann closed  >done",
                "me field due_at 2027-01-02T00:00:00Z>",
                "me field priority 1>0",
                "me status  blocked>open",
                "ann field assignee >ann",
                "ann claimed  open>in_progress",
                "me field labels >x",
                "me dependency  >waits-for tp-2",
                "me dependency  tp-2>",
            ]
        );
    }
}
