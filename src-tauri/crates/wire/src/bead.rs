//! Commands on beads.

use crate::session::SessionView;
use bc_core::{
    bead::{Bead, BeadDetail, BeadStatus},
    ids::BeadId,
};
use serde::{Deserialize, Serialize};

/// Which bead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BeadRef {
    /// Its id.
    pub id: BeadId,
}

/// Parameters of `bead.list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct BeadListParams {
    /// Only these states; empty means all.
    #[serde(default)]
    pub status: Vec<BeadStatus>,
    /// Also what a board does not show: pinned beads, and those of the tracker's own types (`event`, `message`, `gate`
    /// …). Never memories.
    #[serde(default)]
    pub all: bool,
}

/// Beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadList {
    /// In the tracker's order.
    pub beads: Vec<Bead>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// What to know of them all: that they are read-only here, why, and how old they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One bead and its sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadShown {
    /// The bead.
    pub bead: BeadDetail,
    /// Its sessions, newest first.
    #[serde(default)]
    pub sessions: Vec<SessionView>,
}

/// Parameters of `bead.create`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct BeadCreateParams {
    /// One line, 1 to 500 characters.
    pub title: String,
    /// Markdown.
    #[serde(default)]
    pub description: String,
    /// Markdown.
    #[serde(default)]
    pub acceptance_criteria: String,
    /// `task` unless given.
    #[serde(default)]
    pub issue_type: Option<String>,
    /// 0 to 4; 2 unless given.
    #[serde(default)]
    pub priority: Option<u8>,
    /// Labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Its parent.
    #[serde(default)]
    pub parent: Option<BeadId>,
    /// Beads that block it.
    #[serde(default)]
    pub blocked_by: Vec<BeadId>,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.claim`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadClaimParams {
    /// Which bead.
    pub id: BeadId,
    /// For whom; the user unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.comment`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadCommentParams {
    /// Which bead.
    pub id: BeadId,
    /// Markdown.
    pub text: String,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.submit`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadSubmitParams {
    /// Which bead.
    pub id: BeadId,
    /// Whether a missing custom status may be added to the tracker.
    #[serde(default)]
    pub add_status: bool,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.close`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadCloseParams {
    /// Which bead.
    pub id: BeadId,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}
