//! The payload: the JSON object that a hook gets on standard input.

use bc_core::{Timestamp, hooks::HookEvent};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The fields that are the same in all payloads of a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    pub session_id: Option<String>,
    pub project: String,
    /// The session's working folder.
    pub cwd: String,
    pub bead_id: Option<String>,
    /// The name of the session's agent prompt.
    pub agent: Option<String>,
    pub branch: Option<String>,
}

/// The input of a hook for one event, without the facts of the session.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    pub event: HookEvent,
    /// A short description for the record of the run, such as the cause of the event or the tool's name.
    pub reason: Option<String>,
    /// The event's own fields.
    pub fields: Map<String, Value>,
}

impl Payload {
    /// A payload for an event. `fields` is a JSON object; any other value counts as an empty object.
    pub fn new(event: HookEvent, reason: Option<&str>, fields: Value) -> Payload {
        let fields = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        Payload { event, reason: reason.map(str::to_owned), fields }
    }

    /// The payload as JSON. The event's own fields override the facts, because a sample may have different
    /// facts.
    pub fn to_json(&self, facts: &Facts, at: Timestamp) -> Value {
        let mut whole = json!({"event": self.event, "timestamp": at});
        if let (Value::Object(whole), Ok(Value::Object(facts))) = (&mut whole, serde_json::to_value(facts)) {
            whole.extend(facts);
            whole.extend(self.fields.clone());
        }
        whole
    }
}

/// Example fields of an event, for testing a hook.
pub fn sample(event: HookEvent) -> Value {
    let tool =
        json!({"tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "toolu_sample"});
    let with = |more: Value| {
        let mut whole = tool.clone();
        if let (Value::Object(whole), Value::Object(more)) = (&mut whole, more) {
            whole.extend(more);
        }
        whole
    };
    match event {
        HookEvent::SessionStart => json!({"source": "startup"}),
        HookEvent::SessionEnd => json!({"reason": "user"}),
        HookEvent::UserPromptSubmitted => json!({"prompt": "Mend the parser."}),
        HookEvent::PreToolUse => tool,
        HookEvent::PostToolUse => with(json!({"tool_response": {"stdout": "done"}, "duration_ms": 1200})),
        HookEvent::ErrorOccurred => with(json!({"error": "exit code 1", "kind": "tool"})),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_has_common_and_specific_fields() {
        let facts = Facts { session_id: Some("s".into()), project: "/p".into(), ..Facts::default() };
        let at = chrono::DateTime::UNIX_EPOCH.fixed_offset();
        for event in HookEvent::ALL {
            let whole = Payload::new(event, None, sample(event)).to_json(&facts, at);
            assert_eq!((&whole["event"], &whole["session_id"]), (&event.as_str().into(), &"s".into()));
            assert!(whole.get("bead_id").is_some_and(Value::is_null));
            assert!(whole.as_object().unwrap().len() > 8, "{whole}");
        }
    }
}
