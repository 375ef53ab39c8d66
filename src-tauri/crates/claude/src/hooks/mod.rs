//! The standard input of claude's hooks, and their answers.
//!
//! Decoding is lenient: an unknown event becomes [`Event::Unknown`], and a field of an unexpected type counts
//! as missing. Only input that is too large or not a JSON object is an error.

mod answer;
mod event;
mod suggestion;

pub use answer::{Answer, Decision, PIECE_MAX};
pub use event::{Event, EventName, StatusLine, ToolUse};
pub use suggestion::lasting_rules;

use bc_core::ids::ConversationId;
use serde_json::Value;

/// The maximum size of a hook's input, in bytes. A tool's input or output can be several megabytes long.
pub const PAYLOAD_MAX: usize = 64 << 20;

/// One hook call.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    pub event: Event,
    /// The id of the current conversation. `/clear` starts a conversation with another id.
    pub conversation: Option<ConversationId>,
    /// The path of the conversation's transcript. Claude creates the file with the first prompt.
    pub transcript_path: Option<String>,
    /// Claude's working folder.
    pub cwd: Option<String>,
    /// The id of the prompt that claude is answering. For a queued prompt, this is the id of the previous
    /// prompt, which claude is still answering.
    pub prompt_id: Option<String>,
    /// The permission mode, such as `default` (Manual), `acceptEdits` or `plan`.
    pub permission_mode: Option<String>,
    /// The subagent that caused the event; `None` in the main conversation.
    pub agent_id: Option<String>,
}

/// Why claude's input to a hook cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error("the input of claude's hook {name} is not a JSON object")]
    NotJson {
        name: String,
        /// The JSON error; `None` if the input is valid JSON but not an object.
        #[source]
        source: Option<serde_json::Error>,
    },
    #[error("the input of claude's hook {name} has {bytes} bytes; the maximum is {PAYLOAD_MAX}")]
    TooLarge { name: String, bytes: usize },
}

impl Hook {
    /// Decodes the input of the hook registered as `name`. The name is used if the input does not contain it,
    /// as in the status line's input.
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
        })
    }
}

#[cfg(test)]
mod tests;
