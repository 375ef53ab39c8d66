//! The project and its agents.

use bc_core::ids::{AgentName, ProjectId};
use serde::{Deserialize, Serialize};

/// No parameters, or an empty result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Nothing {}

/// Parameters of `project.init`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct InitParams {
    /// The prefix of bead ids; the folder's name by default.
    #[serde(default)]
    pub prefix: Option<String>,
}

/// A project's facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ProjectInfo {
    /// bd's id of the project, or ours without bd.
    pub project_id: ProjectId,
    /// The folder's name.
    pub name: String,
    /// The main tree's absolute path.
    pub root: String,
    /// The project's tracker.
    pub tracker: TrackerInfo,
    /// The branch that is checked out in the main tree.
    #[serde(default)]
    pub branch: Option<String>,
}

/// The tracker of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerInfo {
    /// The kind of tracker.
    pub kind: TrackerKind,
    /// The version of the tracker's program; absent for the embedded store.
    #[serde(default)]
    pub version: Option<String>,
    /// Whether beads can be changed.
    pub writable: bool,
    /// Why it is read-only, or another notice.
    #[serde(default)]
    pub note: Option<String>,
    /// Whether `submit` must add a custom status first, which requires the user's consent.
    pub submit_needs_consent: bool,
}

/// The kinds of trackers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TrackerKind {
    /// bd.
    Bd,
    /// br.
    Br,
    /// The embedded store, for projects without bd or br.
    Embedded,
    /// Read-only, because the tracker's program is missing.
    ReadOnly,
}

/// The answer of `agent.list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AgentList {
    /// The project's agent prompts, then the user's.
    pub agents: Vec<AgentInfo>,
}

/// One agent prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AgentInfo {
    /// The name of its file without the extension.
    pub name: AgentName,
    /// The description in its file.
    #[serde(default)]
    pub description: Option<String>,
    /// Its origin.
    pub source: AgentSource,
}

/// The origin of an agent prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentSource {
    /// `.claude/agents` of the project.
    Project,
    /// `agents` of the user's claude folder.
    User,
}
