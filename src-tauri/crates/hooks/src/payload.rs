//! What a hook reads on its standard input.

use bc_core::{Timestamp, hooks::HookEvent};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What is the same in every payload of a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The session's id.
    pub session_id: Option<String>,
    /// The project's root.
    pub project: String,
    /// The session's working folder.
    pub cwd: String,
    /// Its bead.
    pub bead_id: Option<String>,
    /// Its agent prompt's name.
    pub agent: Option<String>,
    /// Its branch.
    pub branch: Option<String>,
}

/// A payload: the facts, the event and what is its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    /// What for.
    pub event: HookEvent,
    /// Why, in a word, for the record: the source, the reason, the tool's name.
    pub reason: Option<String>,
    /// The event's own fields.
    pub fields: Map<String, Value>,
}

impl Payload {
    /// For an event with these fields; `fields` is an object.
    pub fn new(event: HookEvent, reason: Option<&str>, fields: Value) -> Payload {
        let fields = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        Payload { event, reason: reason.map(str::to_owned), fields }
    }

    /// The whole of it. The event's own fields win: a sample may bring facts of its own.
    pub fn to_json(&self, facts: &Facts, at: Timestamp) -> Value {
        let mut whole = json!({"event": self.event, "timestamp": at});
        if let (Value::Object(whole), Ok(Value::Object(facts))) = (&mut whole, serde_json::to_value(facts)) {
            whole.extend(facts);
            whole.extend(self.fields.clone());
        }
        whole
    }
}

/// Fields as an event might have them, for trying a hook out.
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
    fn a_payload_has_the_facts_and_what_is_its_own() {
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
