//! Files that teach agents about beads: what is there, what would change, and the change.

use serde::{Deserialize, Serialize};

/// What can be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentFile {
    /// The skill, in `.claude/skills/beads`.
    Skill,
    /// The agent prompt, `.claude/agents/beads.md`.
    Agent,
    /// A section of CLAUDE.md.
    ClaudeMd,
    /// A section of AGENTS.md.
    AgentsMd,
    /// Rules in `.claude/settings.json`, so that claude runs these commands unasked.
    Permissions,
}

impl AgentFile {
    /// All of them, in the order in which they are offered.
    pub const ALL: [AgentFile; 5] = [
        AgentFile::Skill,
        AgentFile::Agent,
        AgentFile::ClaudeMd,
        AgentFile::AgentsMd,
        AgentFile::Permissions,
    ];
}

/// Parameters of `agent_files.preview`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AgentFilesPreviewParams {
    /// Which; the usual ones, or for a removal all, where none is named.
    #[serde(default)]
    pub files: Vec<AgentFile>,
    /// What a removal would do, instead of an install.
    #[serde(default)]
    pub remove: bool,
}

/// Parameters of `agent_files.install` and `agent_files.remove`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AgentFilesParams {
    /// Which; as in a preview where none is named.
    #[serde(default)]
    pub files: Vec<AgentFile>,
}

/// What is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentFileState {
    /// Nothing of ours.
    Absent,
    /// All of it, as this version has it.
    Current,
    /// A part of it, or another text.
    Outdated,
    /// A newer version's, which is left alone.
    Newer,
    /// It cannot be told, or the file cannot be changed; `problem` says why.
    Refused,
}

/// What is done, or would be done, to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentFileChange {
    /// Nothing.
    None,
    /// It is made.
    Create,
    /// It is changed.
    Change,
    /// It is removed.
    Delete,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AgentFilePlan {
    /// What it is for.
    pub file: AgentFile,
    /// Its path below the project's folder, with `/`.
    pub path: String,
    /// How it is before.
    pub state: AgentFileState,
    /// What is done to it.
    pub change: AgentFileChange,
    /// The lines that change and some around them, `+`, `-` or a blank before each.
    pub diff: String,
    /// Why it cannot be changed.
    #[serde(default)]
    pub problem: Option<String>,
}

/// The answer of `agent_files.preview`, `agent_files.install` and `agent_files.remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AgentFilesPlan {
    /// The project's folder.
    pub root: String,
    /// Each file, in the order in which they are offered.
    pub files: Vec<AgentFilePlan>,
}
