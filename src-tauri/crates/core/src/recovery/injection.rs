//! A record of what was put into an agent's context.

use crate::{Extra, Timestamp, ids::ConversationId};
use serde::{Deserialize, Serialize};

/// The version of [`Injection`] that this build writes.
pub const INJECTION_VERSION: u32 = 1;

/// One line of `injections.jsonl`: one text, exactly as the agent got it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Injection {
    /// [`INJECTION_VERSION`] of whoever wrote it.
    pub version: u32,
    /// When it was handed to claude.
    pub at: Timestamp,
    /// Why.
    pub reason: Reason,
    /// Where it comes from: `recovery`, `context pack`, `reminder` …
    pub source: String,
    /// The text.
    pub text: String,
    /// Its length in bytes of UTF-8.
    #[specta(type = u32)]
    pub bytes: u64,
    /// In which conversation.
    #[serde(default)]
    pub conversation: Option<ConversationId>,
    /// Whether it is an older text, because the fresh one was not there in time.
    #[serde(default)]
    pub stale: bool,
    /// Fields of other versions.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

/// Why something was put into an agent's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The conversation began.
    Start,
    /// It went on after a pause.
    Resume,
    /// It was compacted: what was said before is gone but for a summary.
    Compaction,
    /// It was cleared.
    Clear,
    /// A prompt was submitted.
    Prompt,
}

impl Reason {
    /// Of a SessionStart with this source. An unknown one is a start.
    pub fn of_start(source: &str) -> Reason {
        match source {
            "resume" => Reason::Resume,
            "compact" => Reason::Compaction,
            "clear" => Reason::Clear,
            _ => Reason::Start,
        }
    }

    /// A word for people.
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
    /// In the version that this build writes.
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
