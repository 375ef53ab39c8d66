//! Claude Code conversations that began outside this program, and their adoption as sessions.

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

/// The result of `session.conversations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Conversations {
    /// The conversations, latest first.
    pub conversations: Vec<Conversation>,
    /// Files that could not be read or searched.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A Claude Code conversation that belongs to no session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Conversation {
    pub id: ConversationId,
    /// The title from claude or the user; otherwise the beginning of the first prompt.
    pub title: String,
    /// The folder in which the conversation began.
    pub cwd: String,
    /// The git branch recorded with the latest message.
    #[serde(default)]
    pub branch: Option<String>,
    /// When the conversation began.
    pub started_at: Timestamp,
    /// When the conversation's file was last written.
    pub last_at: Timestamp,
    /// The size of the conversation's file, in bytes.
    #[specta(type = u32)]
    pub bytes: u64,
    /// The version of claude that last wrote the file.
    #[serde(default)]
    pub version: Option<String>,
    /// Whether a running claude process seems to be writing the conversation.
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
    /// Whether to adopt the conversation even if a running claude process seems to be writing it.
    #[serde(default)]
    pub anyway: bool,
}

/// A decoded transcript file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TranscriptDecoded {
    /// The messages in order, each id once.
    pub messages: Vec<Message>,
    /// The tokens; each `message.id` is counted once.
    pub tokens: DecodedTokens,
    /// The number of lines of each unknown kind.
    #[specta(type = BTreeMap<String, u32>)]
    pub unknown: BTreeMap<String, u64>,
}

/// The tokens of a transcript.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DecodedTokens {
    /// Tokens sent to the model, without cached tokens.
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
