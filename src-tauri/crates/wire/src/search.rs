//! Parameters and results of commands that search sessions, read parts of long conversations, and compute a
//! project's metrics.

use crate::session::SessionView;
use bc_core::{
    Timestamp,
    ids::SessionId,
    message::Message,
    metrics::{Dashboard, Range},
    search::Hit,
};
use serde::{Deserialize, Serialize};

/// The result of `session.search`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SearchAnswer {
    /// Sessions with a match in the title or objective first, then newest first.
    pub sessions: Vec<FoundSession>,
    /// Whether more results exist.
    pub more: bool,
    /// The number of sessions that have not been searched yet, because the time limit `within_ms` was reached.
    /// Repeat the query to continue.
    #[serde(default)]
    pub behind: u32,
    /// Notices about the search, such as a shortened query or sessions that were not searched.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A session that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FoundSession {
    pub session: SessionView,
    /// Some of the matches; empty for a search without text.
    pub hits: Vec<Hit>,
    /// The number of matches, counted up to a hundred.
    pub hit_count: u32,
}

/// Parameters of `session.page`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionPageParams {
    pub id: SessionId,
    /// A position, counted from 0. The page ends before this message; by default, at the last message.
    #[serde(default)]
    pub before: Option<u32>,
    /// A time. The page surrounds the first message at or after this time, and `before` is ignored.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// A message's id. The page surrounds this message, and `before` and `at` are ignored.
    #[serde(default)]
    pub message: Option<String>,
    /// The maximum number of messages; 200 by default, at most 2,000.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Parameters of `session.message`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionMessageParams {
    pub id: SessionId,
    pub message: String,
}

/// A part of a conversation. Long text is shortened, and the message's `left_out` is the number of omitted
/// bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TranscriptPage {
    /// The position of the first message, from 0.
    pub first: u32,
    /// The messages in order.
    pub messages: Vec<Message>,
    /// The number of messages in the conversation.
    pub total: u32,
    /// The position, from 0, of the message selected by `at` or `message`; absent if no message was selected.
    #[serde(default)]
    pub place: Option<u32>,
    /// Unreadable parts of the conversation.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `session.find`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionFindParams {
    pub id: SessionId,
    /// Literal text, matched case-insensitively. Leading and trailing spaces are ignored.
    pub text: String,
    /// The number of results to skip.
    #[serde(default)]
    pub skip: u32,
    /// The maximum number of results; 50 by default, at most 500.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// The matches of `session.find` in one conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionFound {
    /// The positions, from 0, of all messages with a match, in order.
    pub places: Vec<u32>,
    /// Some of the matches with their context.
    pub hits: Vec<Hit>,
}

/// Parameters of `project.metrics`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct ProjectMetricsParams {
    pub range: Range,
    /// Only sessions with this agent prompt; empty for sessions without an agent prompt.
    pub agent: Option<String>,
    /// Only sessions of beads with this label.
    pub label: Option<String>,
}

/// The result of `project.metrics`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ProjectMetrics {
    pub dashboard: Dashboard,
    /// The days as comma-separated values.
    pub days_csv: String,
    /// Beads and agents as comma-separated values.
    pub shares_csv: String,
}
