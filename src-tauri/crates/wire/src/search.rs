//! Searching all sessions, their figures, and parts of long conversations.

use crate::session::SessionView;
use bc_core::{
    Timestamp,
    ids::SessionId,
    message::Message,
    metrics::{Dashboard, Range},
    search::Hit,
};
use serde::{Deserialize, Serialize};

/// The answer of `session.search`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SearchAnswer {
    /// Those with the words in their title or objective first, then the newest.
    pub sessions: Vec<FoundSession>,
    /// Whether there are more after them.
    pub more: bool,
    /// How many sessions were not searched yet because `within_ms` ran out: repeat the query to continue.
    #[serde(default)]
    pub behind: u32,
    /// What to know of the search: what was left out of it, what was not understood.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A session that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FoundSession {
    /// It.
    pub session: SessionView,
    /// Some of the places; empty where no text was asked for.
    pub hits: Vec<Hit>,
    /// How many places there are; counted up to a hundred.
    pub hit_count: u32,
}

/// Parameters of `session.page`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionPageParams {
    /// Which session.
    pub id: SessionId,
    /// The messages before this place, from 0; the last ones unless given.
    #[serde(default)]
    pub before: Option<u32>,
    /// The messages around the first one that was said at this moment or later, in place of `before`.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// The messages around this one, in place of `before`.
    #[serde(default)]
    pub message: Option<String>,
    /// At most how many; 200 unless given, never over 2,000.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A part of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TranscriptPage {
    /// The first message's place, from 0.
    pub first: u32,
    /// In order.
    pub messages: Vec<Message>,
    /// How many the conversation has.
    pub total: u32,
    /// The place, from 0, of the message that was asked for by `at` or `message`; absent where none was,
    /// or there is none.
    #[serde(default)]
    pub place: Option<u32>,
    /// What of the conversation cannot be read, in words.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `session.find`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionFindParams {
    /// Which session.
    pub id: SessionId,
    /// A literal text, matched case-insensitively; spaces at its ends are ignored.
    pub text: String,
    /// How many results to skip.
    #[serde(default)]
    pub skip: u32,
    /// The maximum number of results; 50 by default, at most 500.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// The answer of `session.find`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionFound {
    /// The places, from 0, of all messages that have the text, in order.
    pub places: Vec<u32>,
    /// Some of them with the text around it.
    pub hits: Vec<Hit>,
}

/// Parameters of `project.metrics`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct ProjectMetricsParams {
    /// Which days.
    #[serde(default)]
    pub range: Range,
}

/// The answer of `project.metrics`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ProjectMetrics {
    /// The figures.
    pub dashboard: Dashboard,
    /// The days as comma-separated values.
    pub days_csv: String,
    /// Beads and agents as comma-separated values.
    pub shares_csv: String,
}
