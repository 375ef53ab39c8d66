//! The project and its agents.

use bc_core::ids::{AgentName, ProjectId};
use serde::{Deserialize, Serialize};

/// No parameters, or nothing to say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Nothing {}

/// Parameters of `project.init`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct InitParams {
    /// What bead ids begin with; the folder's name unless given.
    #[serde(default)]
    pub prefix: Option<String>,
}

/// What a project is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ProjectInfo {
    /// bd's id where there is one, else ours.
    pub project_id: ProjectId,
    /// The folder's name.
    pub name: String,
    /// The main tree's absolute path.
    pub root: String,
    /// Which tracker keeps the beads.
    pub tracker: TrackerInfo,
    /// The current branch of the main tree, where there is one.
    #[serde(default)]
    pub branch: Option<String>,
}

/// Which tracker keeps the beads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerInfo {
    /// Whose program.
    pub kind: TrackerKind,
    /// Its version, where it is a program.
    #[serde(default)]
    pub version: Option<String>,
    /// Whether beads can be changed.
    pub writable: bool,
    /// Why not, or what to know.
    #[serde(default)]
    pub note: Option<String>,
    /// Whether `submit` has to add a custom status first, which asks.
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
    /// Our own store, where the project has none.
    Embedded,
    /// A project whose tracker's program is missing.
    ReadOnly,
}

/// The answer of `agent.list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AgentList {
    /// The project's first, then the user's.
    pub agents: Vec<AgentInfo>,
}

/// One agent prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AgentInfo {
    /// The stem of its file.
    pub name: AgentName,
    /// Its own words.
    #[serde(default)]
    pub description: Option<String>,
    /// Where it is from.
    pub source: AgentSource,
}

/// Where an agent prompt is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentSource {
    /// `.claude/agents` of the project.
    Project,
    /// `agents` of the user's claude folder.
    User,
}
