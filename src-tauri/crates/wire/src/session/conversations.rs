//! Claude's own conversations that were begun outside this program, and their adoption as sessions.

use bc_core::{
    Timestamp,
    ids::{BeadId, ConversationId},
    message::Message,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Parameters of `session.conversations`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct ConversationsParams {
    /// Only conversations with this text, regardless of case.
    #[serde(default)]
    pub text: Option<String>,
}

/// The answer of `session.conversations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Conversations {
    /// The conversations, latest first.
    pub conversations: Vec<Conversation>,
    /// Files that could not be read or searched.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// One of claude's conversations that belongs to no session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Conversation {
    pub id: ConversationId,
    /// Its title: claude's or the user's, or else the beginning of the first prompt.
    pub title: String,
    /// The folder in which it began.
    pub cwd: String,
    /// The branch at its latest message.
    #[serde(default)]
    pub branch: Option<String>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was last written.
    pub last_at: Timestamp,
    /// The size of its file.
    #[specta(type = u32)]
    pub bytes: u64,
    /// The version of claude that wrote it last.
    #[serde(default)]
    pub version: Option<String>,
    /// Whether a running claude seems to write it.
    #[serde(default)]
    pub in_use: bool,
    /// Excerpts with the searched text, from its first occurrences.
    #[serde(default)]
    pub found: Vec<String>,
}

/// Parameters of `session.adopt`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct AdoptParams {
    pub conversation: ConversationId,
    /// The bead to link and claim.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// The title, if not the conversation's.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether to adopt it even if a running claude seems to write it.
    #[serde(default)]
    pub anyway: bool,
}

/// A decoded transcript file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TranscriptDecoded {
    /// Its messages in order, each id once.
    pub messages: Vec<Message>,
    /// Its tokens; each `message.id` is counted once.
    pub tokens: DecodedTokens,
    /// The number of lines of each unknown kind.
    #[specta(type = BTreeMap<String, u32>)]
    pub unknown: BTreeMap<String, u64>,
}

/// The tokens of a transcript.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DecodedTokens {
    /// Tokens sent to the model, without cached ones.
    #[specta(type = u32)]
    pub input: u64,
    /// Tokens written by the model.
    #[specta(type = u32)]
    pub output: u64,
    #[specta(type = u32)]
    pub cache_read: u64,
    /// Tokens written to the cache.
    #[specta(type = u32)]
    pub cache_creation: u64,
}
