//! What claude's hooks say on their standard input, and what they may answer.
//!
//! Decoding is lenient: an unknown event is an event, an unknown field stays in [`Hook::raw`], a field
//! of another type is an absent one. Only what is no JSON object is an error.

mod answer;
mod event;
mod suggestion;

pub use answer::{Answer, Decision, PIECE_MAX, ToolVerdict};
pub use event::{Event, EventName, StatusLine, ToolUse};
pub use suggestion::lasting_rules;

use bc_core::ids::ConversationId;
use serde_json::{Map, Value};

/// A larger payload is refused: a tool's input or output may have megabytes, not hundreds.
pub const PAYLOAD_MAX: usize = 64 << 20;

/// One call of a hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// What happened.
    pub event: Event,
    /// In which conversation. `/clear` changes it.
    pub conversation: Option<ConversationId>,
    /// The conversation's transcript, where claude says it is. The file comes with the first prompt.
    pub transcript_path: Option<String>,
    /// Claude's working folder.
    pub cwd: Option<String>,
    /// Which prompt is being answered. A prompt that waits its turn is announced under the id of the
    /// running one.
    pub prompt_id: Option<String>,
    /// `default` (Manual), `acceptEdits`, `plan` …
    pub permission_mode: Option<String>,
    /// The subagent that it happened in; absent in the main conversation.
    pub agent_id: Option<String>,
    /// Everything, as it came.
    pub raw: Map<String, Value>,
}

/// What came is no hook's input.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// It is no JSON object.
    #[error("the input of claude's hook {name} is no JSON object")]
    NotJson {
        /// Which hook was called.
        name: String,
        /// Why, where it is no JSON at all.
        #[source]
        source: Option<serde_json::Error>,
    },
    /// It is too large.
    #[error("the input of claude's hook {name} has {bytes} bytes; {PAYLOAD_MAX} are taken at most")]
    TooLarge {
        /// Which hook was called.
        name: String,
        /// Its size.
        bytes: usize,
    },
}

impl Hook {
    /// Decodes the input of the hook that was registered as `name`: the status line's input does not say
    /// what it is.
    pub fn decode(name: &str, input: &[u8]) -> Result<Hook, HookError> {
        let name = || bc_core::text::cut(&bc_core::text::one_line(name), 80);
        if input.len() > PAYLOAD_MAX {
            return Err(HookError::TooLarge { name: name(), bytes: input.len() });
        }
        let raw = match serde_json::from_slice(input) {
            Ok(Value::Object(raw)) => raw,
            Ok(_) => return Err(HookError::NotJson { name: name(), source: None }),
            Err(source) => return Err(HookError::NotJson { name: name(), source: Some(source) }),
        };
        let text = |key: &str| raw.get(key).and_then(Value::as_str).map(str::to_owned);
        let event_name = text("hook_event_name").unwrap_or_else(name);
        Ok(Hook {
            event: Event::decode(&event_name, &raw),
            conversation: text("session_id").and_then(|id| id.parse().ok()),
            transcript_path: text("transcript_path").filter(|path| !path.is_empty()),
            cwd: text("cwd"),
            prompt_id: text("prompt_id"),
            permission_mode: text("permission_mode"),
            agent_id: text("agent_id"),
            raw,
        })
    }
}

#[cfg(test)]
mod tests;
