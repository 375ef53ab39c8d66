//! Ending a session, and the execution log in its bead.

use super::SessionView;
use bc_core::{
    bead::BeadStatus,
    execution::ExecutionFacts,
    ids::{BeadId, SessionId},
};
use serde::{Deserialize, Serialize};

/// The answer of `session.end_preview`: what an end would ask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct EndPreview {
    /// The session's bead; absent if it has none or it cannot be read.
    #[serde(default)]
    pub bead: Option<EndBead>,
    /// Whether to ask "Move to in review?": the bead is in progress.
    pub suggest_review: bool,
    /// Whether the tracker would get the custom status `in_review` for that: ask, then `add_status`.
    pub needs_consent: bool,
    /// The execution log as Markdown, for the person to edit.
    pub log: String,
    /// What it was made from.
    pub facts: ExecutionFacts,
    /// What could not be found out.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The bead of a session that is to be ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct EndBead {
    /// Its id.
    pub id: BeadId,
    /// Its title.
    pub title: String,
    /// Its state.
    pub status: BeadStatus,
}

/// Parameters of `session.end`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionEndParams {
    /// Which session.
    pub id: SessionId,
    /// Whether to move its bead to in review.
    #[serde(default)]
    pub review: bool,
    /// Whether a missing custom status may be added to the tracker for that.
    #[serde(default)]
    pub add_status: bool,
    /// What is saved in the bead's notes under `## Execution Log`. Absent: with `review` what the
    /// preview would have, else nothing. Empty: nothing.
    #[serde(default)]
    pub log: Option<String>,
}

/// A session that was ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionEnded {
    /// It.
    pub session: SessionView,
    /// Its bead's state now, where it has one that is still there.
    #[serde(default)]
    pub bead_status: Option<BeadStatus>,
    /// Whether the execution log is in the bead's notes.
    #[serde(default)]
    pub log_saved: bool,
    /// The session that was started automatically on the next bead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextStarted>,
    /// What to know.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A session that was started automatically after another one ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NextStarted {
    /// Its bead.
    pub bead: BeadId,
    /// The session.
    pub session: SessionId,
    /// The number of beads that are still started automatically.
    pub left: u32,
}
