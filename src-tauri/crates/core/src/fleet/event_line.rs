//! The lines of an event log: `{"category", "details", "id", "message", "severity", "timestamp"}`, plus
//! `agentId` and `convoyId` if present. Each line is one event with sorted keys. Other programs that share
//! the fleet's files use the same format.
//!
//! Earlier builds wrote `{"at", "event", …}` into files with the same names; such lines are still read.
//! Reading is lenient, because logs are never rewritten: a missing field is empty, and an unknown category or
//! severity is kept.

use super::{
    AgentStatus, FleetEventKind, MergeStatus,
    file_text::{line_text, status_words},
};
use crate::{Extra, Timestamp, ids::ConvoyId};
use chrono::{SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of an event log.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default, rename_all = "camelCase")]
pub struct FleetEvent {
    /// The event's id, a UUID; empty in lines of earlier builds.
    pub id: String,
    /// The time in RFC 3339. Other programs compare it as text, so it is in UTC with milliseconds, except in
    /// lines of earlier builds.
    pub timestamp: String,
    /// The category: `registry`, `routing`, `execution`, or another program's.
    pub category: String,
    /// The severity: `debug`, `info`, `warn`, `error` or `critical`.
    pub severity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The convoy whose log contains the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub convoy_id: Option<String>,
    pub message: String,
    /// Data for programs. This program writes `event` (the kind) and the kind's fields.
    #[specta(type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub details: Extra,
}

impl FleetEvent {
    /// Creates an event of this kind.
    pub fn new(id: String, at: Timestamp, convoy: Option<&ConvoyId>, what: &FleetEventKind) -> FleetEvent {
        let details = match serde_json::to_value(what) {
            Ok(Value::Object(details)) => details,
            _ => Extra::new(),
        };
        FleetEvent {
            id,
            timestamp: at.with_timezone(&Utc).to_rfc3339_opts(SecondsFormat::Millis, true),
            category: category(what).to_owned(),
            severity: severity(what).to_owned(),
            agent_id: what.agent().map(ToString::to_string),
            convoy_id: convoy.map(ToString::to_string),
            message: message(what),
            details,
        }
    }

    /// The event as a log line, with a final newline.
    pub fn line(&self) -> String {
        line_text(self)
    }

    /// Parses a line in either format; `None` if it is not an event.
    pub fn read(line: &[u8]) -> Option<FleetEvent> {
        let Value::Object(mut fields) = serde_json::from_slice(line).ok()? else { return None };
        if fields.contains_key("category") || fields.contains_key("message") {
            return Some(lenient(fields));
        }
        match fields.remove("at") {
            Some(Value::String(at)) if fields.get("event").is_some_and(Value::is_string) => {
                Some(earlier(at, fields))
            }
            _ => None,
        }
    }

    /// The kind of the event, if this build knows it.
    pub fn what(&self) -> Option<FleetEventKind> {
        serde_json::from_value(Value::Object(self.details.clone())).ok()
    }
}

/// Parses a line of the current format. A field of an unexpected type counts as missing.
fn lenient(mut fields: Extra) -> FleetEvent {
    let details = match fields.remove("details") {
        Some(Value::Object(details)) => details,
        _ => Extra::new(),
    };
    let mut text = |key: &str| match fields.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    FleetEvent {
        id: text("id").unwrap_or_default(),
        timestamp: text("timestamp").unwrap_or_default(),
        category: text("category").unwrap_or_default(),
        severity: text("severity").unwrap_or_default(),
        agent_id: text("agentId"),
        convoy_id: text("convoyId"),
        message: text("message").unwrap_or_default(),
        details,
    }
}

/// Converts a line of an earlier build, with the time `timestamp`.
fn earlier(timestamp: String, fields: Extra) -> FleetEvent {
    let what: Option<FleetEventKind> = serde_json::from_value(Value::Object(fields.clone())).ok();
    match (what, timestamp.parse::<Timestamp>()) {
        (Some(what), Ok(at)) => FleetEvent { timestamp, ..FleetEvent::new(String::new(), at, None, &what) },
        (Some(what), Err(_)) => FleetEvent {
            timestamp,
            category: category(&what).to_owned(),
            severity: severity(&what).to_owned(),
            message: message(&what),
            details: fields,
            ..FleetEvent::default()
        },
        (None, _) => {
            let words = fields.values().filter_map(Value::as_str).map(|word| word.replace('_', " "));
            let message = words.collect::<Vec<_>>().join(" ");
            let severity = "info".to_owned();
            FleetEvent { timestamp, severity, message, details: fields, ..FleetEvent::default() }
        }
    }
}

fn category(what: &FleetEventKind) -> &'static str {
    use FleetEventKind as E;
    match what {
        E::AgentCreated { .. } | E::AgentStatus { .. } | E::AgentSession { .. } => "registry",
        E::WorkCreated { .. }
        | E::HookSet { .. }
        | E::HookCleared { .. }
        | E::WorkHandedOn { .. }
        | E::ConvoyCreated { .. }
        | E::ConvoyChanged { .. }
        | E::ConvoyClosed { .. } => "routing",
        E::WorkStatus { .. }
        | E::HookActivated { .. }
        | E::HookCompleted { .. }
        | E::ConvoyProgress { .. }
        | E::MergeQueued { .. }
        | E::MergeStatus { .. }
        | E::MergeCancelled { .. } => "execution",
    }
}

fn severity(what: &FleetEventKind) -> &'static str {
    use FleetEventKind as E;
    match what {
        E::AgentStatus { status: AgentStatus::Stalled, .. }
        | E::MergeStatus { status: MergeStatus::Conflicted, .. }
        | E::WorkHandedOn { .. } => "warn",
        _ => "info",
    }
}

fn message(what: &FleetEventKind) -> String {
    use FleetEventKind as E;
    match what {
        E::AgentCreated { agent } => format!("{agent} created"),
        E::AgentStatus { agent, status } => format!("{agent} is {}", status_words(status)),
        E::AgentSession { agent, session: Some(session) } => {
            format!("{agent} works in session {}", session.short())
        }
        E::AgentSession { agent, session: None } => format!("{agent} has no session"),
        E::WorkCreated { bead } => format!("{bead} added as work"),
        E::WorkStatus { bead, status } => format!("{bead} is {}", status_words(status)),
        E::HookSet { agent, bead } => format!("{bead} assigned to {agent}"),
        E::HookActivated { agent, bead } => format!("{agent} started {bead}"),
        E::HookCompleted { agent, bead } => format!("{agent} completed {bead}"),
        E::HookCleared { agent, bead: Some(bead) } => format!("{bead} unassigned from {agent}"),
        E::HookCleared { agent, bead: None } => format!("Hook of {agent} cleared"),
        E::WorkHandedOn { agent, bead } => format!("{bead} is reassigned; {agent} had it"),
        E::ConvoyCreated { .. } => "Convoy created".to_owned(),
        E::ConvoyProgress { progress, .. } => format!("{:.0} % done", progress * 100.0),
        E::ConvoyChanged { .. } => "Convoy changed".to_owned(),
        E::ConvoyClosed { closed: true, .. } => "Convoy closed".to_owned(),
        E::ConvoyClosed { closed: false, .. } => "Convoy reopened".to_owned(),
        E::MergeQueued { bead, .. } => format!("{bead} queued for merging"),
        E::MergeStatus { bead, status, .. } => format!("Merge of {bead} is {}", status_words(status)),
        E::MergeCancelled { bead, .. } => format!("{bead} removed from the merge queue"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another program's line with an unknown field.
    const THEIRS: &str = r#"{"agentId":"mayor-1","category":"routing","convoyId":"convoy-test","details":{"beadId":"bead-abc","priority":"P1"},"id":"0b0e9a5c-6a4e-4b3f-9d8b-2f1f0a6d7c11","later":1,"message":"Dispatched work item","severity":"debug","timestamp":"2026-04-04T12:00:00.000Z"}"#;

    fn at() -> Timestamp {
        "2026-01-19T11:00:00.25+01:00".parse().unwrap()
    }

    #[test]
    fn a_line_has_the_fields_of_the_format_in_order_and_utc() {
        let what =
            FleetEventKind::HookSet { agent: "polecat-1".parse().unwrap(), bead: "BC-1".parse().unwrap() };
        let convoy: ConvoyId = "convoy-7".parse().unwrap();
        let event = FleetEvent::new("an-id".to_owned(), at(), Some(&convoy), &what);
        let line = r#"{"agentId":"polecat-1","category":"routing","convoyId":"convoy-7","details":{"agent":"polecat-1","bead":"BC-1","event":"hook_set"},"id":"an-id","message":"BC-1 assigned to polecat-1","severity":"info","timestamp":"2026-01-19T10:00:00.250Z"}"#;
        assert_eq!(event.line(), format!("{line}\n"));
        assert_eq!(FleetEvent::read(line.as_bytes()), Some(event.clone()));
        assert_eq!(event.what(), Some(what));
    }

    #[test]
    fn foreign_lines_are_read_without_their_invalid_fields() {
        let event = FleetEvent::read(THEIRS.as_bytes()).unwrap();
        assert_eq!((event.category.as_str(), event.severity.as_str()), ("routing", "debug"));
        assert_eq!(
            (event.agent_id.as_deref(), event.convoy_id.as_deref()),
            (Some("mayor-1"), Some("convoy-test"))
        );
        assert_eq!((event.message.as_str(), event.what()), ("Dispatched work item", None));
        let odd = FleetEvent::read(br#"{"category":"budget","severity":4,"message":"Low","details":null}"#)
            .unwrap();
        assert_eq!(
            (odd.category.as_str(), odd.severity.as_str(), odd.message.as_str()),
            ("budget", "", "Low")
        );
        for no in ["", "[]", "{}", "{", r#"{"at":"2026-01-19T10:00:00Z"}"#, "\"text\""] {
            assert_eq!(FleetEvent::read(no.as_bytes()), None, "{no}");
        }
    }

    #[test]
    fn a_line_of_an_earlier_build_is_read_as_the_same_event() {
        let old = r#"{"at":"2026-01-19T10:00:00Z","event":"merge_status","request":"merge-1","bead":"BC-1","status":"conflicted"}"#;
        let event = FleetEvent::read(old.as_bytes()).unwrap();
        assert_eq!((event.category.as_str(), event.severity.as_str()), ("execution", "warn"));
        assert_eq!(
            (event.message.as_str(), event.timestamp.as_str()),
            ("Merge of BC-1 is conflicted", "2026-01-19T10:00:00Z")
        );
        assert!(matches!(event.what(), Some(FleetEventKind::MergeStatus { .. })));
        let newer = r#"{"at":"2026-01-19T10:00:00Z","event":"convoy_exploded","convoy":"c-1"}"#;
        let event = FleetEvent::read(newer.as_bytes()).unwrap();
        assert!(
            event.message.contains("convoy exploded") && event.message.contains("c-1"),
            "{}",
            event.message
        );
    }

    #[test]
    fn integral_shares_are_written_as_integers() {
        let what = FleetEventKind::ConvoyProgress { convoy: "convoy-7".parse().unwrap(), progress: 1.0 };
        let line = FleetEvent::new(String::new(), at(), None, &what).line();
        assert!(line.contains(r#""progress":1}"#) && line.contains("\"100 % done\""), "{line}");
    }
}
