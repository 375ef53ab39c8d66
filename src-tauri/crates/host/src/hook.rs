//! What the host reads in a hook's JSON, leniently, and what it answers.

use crate::permissions::Call;
use bc_core::ids::ConversationId;
use serde_json::{Map, Value, json};

/// A hook call of claude.
#[derive(Debug, Clone)]
pub(crate) struct HookCall {
    /// `SessionStart`, `Stop` …
    pub(crate) event: String,
    fields: Map<String, Value>,
}

impl HookCall {
    /// What claude gave; `event` is what the hook's command line says, for input without a name.
    pub(crate) fn new(event: String, input: Value) -> HookCall {
        let fields = match input {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let named = fields.get("hook_event_name").and_then(Value::as_str).map(str::to_owned);
        HookCall { event: named.unwrap_or(event), fields }
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key)?.as_str()
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.fields.get(key)?.as_u64()
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        self.fields.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(crate) fn conversation(&self) -> Option<ConversationId> {
        self.text("session_id")?.parse().ok()
    }

    /// Whether the main agent is meant and not a subagent.
    pub(crate) fn is_main(&self) -> bool {
        self.text("agent_id").is_none_or(str::is_empty)
    }

    /// The tool call that it is about.
    pub(crate) fn call(&self) -> Call {
        Call {
            prompt: self.text("prompt_id").map(str::to_owned),
            tool: self.text("tool_name").unwrap_or("unknown tool").to_owned(),
            input: self.fields.get("tool_input").cloned().unwrap_or(Value::Null),
            subagent: self.text("agent_id").filter(|id| !id.is_empty()).map(str::to_owned),
        }
    }
}

/// The answer that changes nothing.
pub(crate) fn nothing() -> Value {
    json!({})
}

/// The answer that gives the model a piece of context.
pub(crate) fn context(text: &str) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}})
}

/// The answer to a permission request.
pub(crate) fn decision(allow: bool, message: Option<&str>) -> Value {
    let decision = match (allow, message) {
        (true, _) => json!({"behavior": "allow"}),
        (false, Some(message)) => json!({"behavior": "deny", "message": message}),
        (false, None) => json!({"behavior": "deny", "message": "The user refused this."}),
    };
    json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
}
