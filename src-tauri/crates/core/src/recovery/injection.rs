//! Records of injected context.

use crate::{Extra, Timestamp, ids::ConversationId};
use serde::{Deserialize, Serialize};

/// The version of [`Injection`] that this build writes.
pub const INJECTION_VERSION: u32 = 1;

/// One line of `injections.jsonl`: the text exactly as the agent received it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Injection {
    /// The [`INJECTION_VERSION`] of the build that wrote the line.
    pub version: u32,
    /// When the text was passed to claude.
    pub at: Timestamp,
    pub reason: Reason,
    /// The text's source: `recovery`, `context pack`, `reminder` …
    pub source: String,
    pub text: String,
    /// The text's length in bytes of UTF-8.
    #[specta(type = u32)]
    pub bytes: u64,
    #[serde(default)]
    pub conversation: Option<ConversationId>,
    /// Whether older text was injected, because the current one was not available in time.
    #[serde(default)]
    pub stale: bool,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

/// Why context was injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Start,
    /// Claude continued an existing conversation, for example when a paused session was resumed.
    Resume,
    /// The conversation was compacted: only a summary of its earlier part remains.
    Compaction,
    Clear,
    Prompt,
}

impl Reason {
    /// The reason for a SessionStart event with this source. An unknown source counts as a start.
    pub fn of_start(source: &str) -> Reason {
        match source {
            "resume" => Reason::Resume,
            "compact" => Reason::Compaction,
            "clear" => Reason::Clear,
            _ => Reason::Start,
        }
    }

    /// The reason's name for the user.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Start => "start",
            Reason::Resume => "resume",
            Reason::Compaction => "compaction",
            Reason::Clear => "clear",
            Reason::Prompt => "prompt",
        }
    }
}

impl Injection {
    /// Creates a record in the version that this build writes.
    pub fn new(at: Timestamp, reason: Reason, source: &str, text: String) -> Injection {
        Injection {
            version: INJECTION_VERSION,
            at,
            reason,
            source: source.to_owned(),
            bytes: text.len() as u64,
            text,
            conversation: None,
            stale: false,
            extra: Extra::new(),
        }
    }
}
