//! Files that teach agents about beads: their state, and the planned or completed changes to them.

use serde::{Deserialize, Serialize};

/// The files that can be installed in a project.
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
    /// Rules in `.claude/settings.json` that let claude run the bead commands without asking.
    Permissions,
}

impl AgentFile {
    /// All files, in display order.
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
#[serde(default)]
pub struct AgentFilesPreviewParams {
    /// The files. If empty, the default files for an installation, or all files for a removal.
    pub files: Vec<AgentFile>,
    /// Preview a removal instead of an install.
    pub remove: bool,
}

/// Parameters of `agent_files.install` and `agent_files.remove`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AgentFilesParams {
    /// The files. If empty, the default files for an installation, or all files for a removal.
    #[serde(default)]
    pub files: Vec<AgentFile>,
}

/// The state of a file, compared with this version's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentFileState {
    /// The file contains no text of this program.
    Absent,
    /// The file is up to date with this version.
    Current,
    /// The file is incomplete, or its text differs from this version's.
    Outdated,
    /// A newer version of this program wrote the file, so an installation leaves it unchanged.
    Newer,
    /// The file cannot be read or changed; `problem` has the reason.
    Refused,
}

/// The change that an install or a removal makes to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentFileChange {
    /// The file stays unchanged.
    None,
    Create,
    Change,
    /// The file contains only this program's text and is removed.
    Delete,
}

/// The state of one file, and the change to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AgentFilePlan {
    pub file: AgentFile,
    /// The path relative to the project's folder, with `/` as the separator.
    pub path: String,
    /// The file's state before the change.
    pub state: AgentFileState,
    pub change: AgentFileChange,
    /// The changed lines with context, each prefixed with `+`, `-` or a space.
    pub diff: String,
    /// Why the file cannot be changed; absent if it can.
    #[serde(default)]
    pub problem: Option<String>,
}

/// The result of `agent_files.preview`, `agent_files.install` and `agent_files.remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AgentFilesPlan {
    /// The project's folder.
    pub root: String,
    /// The files in display order.
    pub files: Vec<AgentFilePlan>,
}
