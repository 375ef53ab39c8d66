//! Ending a session, and the execution log in its bead.

use super::SessionView;
use bc_core::{
    bead::BeadStatus,
    execution::ExecutionFacts,
    ids::{BeadId, SessionId},
};
use serde::{Deserialize, Serialize};

/// The result of `session.end_preview`: the proposed log, and what to ask the user before a session ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct EndPreview {
    /// The session's bead; absent if the session has no bead or the bead cannot be read.
    #[serde(default)]
    pub bead: Option<EndBead>,
    /// Whether to offer "Move to in review", because the bead is in progress.
    pub suggest_review: bool,
    /// Whether moving the bead to in review adds a custom status to the tracker: ask the user, then set
    /// `add_status`.
    pub needs_consent: bool,
    /// Whether the work has no commit: ask the user, then set `without_commit`.
    #[serde(default)]
    pub no_commit: bool,
    /// The execution log as Markdown, for the user to edit.
    pub log: String,
    /// The facts in the log.
    pub facts: ExecutionFacts,
    /// Messages about information that could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The bead of a session that is about to end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct EndBead {
    pub id: BeadId,
    pub title: String,
    pub status: BeadStatus,
}

/// Parameters of `session.end`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionEndParams {
    pub id: SessionId,
    /// Whether to move the session's bead to in review.
    #[serde(default)]
    pub review: bool,
    /// Whether a missing custom status may be added to the tracker for this move.
    #[serde(default)]
    pub add_status: bool,
    /// Whether to move the bead even if its work has no commit.
    #[serde(default)]
    pub without_commit: bool,
    /// The text for the bead's notes below `## Execution Log`; an empty string adds none. If absent, the
    /// preview's log is added with `review`, and nothing without `review`.
    #[serde(default)]
    pub log: Option<String>,
}

/// The result of `session.end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionEnded {
    pub session: SessionView,
    /// The current state of the session's bead, if the bead exists.
    #[serde(default)]
    pub bead_status: Option<BeadStatus>,
    /// Whether the execution log is in the bead's notes.
    #[serde(default)]
    pub log_saved: bool,
    /// The session that was started automatically on the next bead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextStarted>,
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A session that was started automatically on the next bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NextStarted {
    pub bead: BeadId,
    pub session: SessionId,
    /// The number of beads that will still be started automatically.
    pub left: u32,
}
