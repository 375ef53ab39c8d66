//! The parameters and results of commands for a project: setup, information and agent prompts.

use bc_core::ids::{AgentName, ProjectId};
use serde::{Deserialize, Serialize};

/// An empty object, for a command without parameters or without a result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Nothing {}

/// Parameters of `project.init`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct InitParams {
    /// The prefix of bead ids; the folder's name by default.
    pub prefix: Option<String>,
    /// The tracker; `embedded` by default.
    pub tracker: Option<InitTracker>,
    /// Whether to create a git repository first, if the folder is not in one.
    pub git_init: bool,
    /// The first commit to make if the repository has no commit.
    pub first_commit: Option<FirstCommit>,
}

/// The tracker of a new project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum InitTracker {
    /// The embedded store, whose file bd and br can import.
    Embedded,
    /// bd with its database.
    Bd,
    /// The existing tracker is kept, and only git is set up.
    Keep,
}

/// How to make the first commit in a repository without commits, so that sessions can have branches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FirstCommit {
    pub content: FirstCommitContent,
    /// The author; the user from git's settings by default.
    #[serde(default)]
    pub author: Option<CommitAuthor>,
}

/// The files that a first commit includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FirstCommitContent {
    /// Every file that git does not ignore.
    All,
    /// Only the files of the beads.
    Beads,
}

/// The author of a commit, instead of the one in git's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommitAuthor {
    pub name: String,
    pub email: String,
}

/// The result of `project.setup`: the parts that a folder already has for work on beads, and the choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ProjectSetup {
    /// The folder's absolute path.
    pub root: String,
    pub has_beads: bool,
    /// The prefix of bead ids, from the folder's name.
    pub prefix: String,
    /// The trackers to choose from.
    pub trackers: Vec<TrackerOffer>,
    pub git: GitSetup,
    /// The author of commits in git's settings, `Ana <ana@example.org>`; `null` if the settings do not name
    /// an author.
    #[serde(default)]
    pub author: Option<String>,
    /// The number of files in the folder, including ignored files, but without `.git` and `.beads`. Counting
    /// stops at 10,000.
    pub files: u32,
}

/// A tracker that a new project could use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerOffer {
    pub tracker: InitTracker,
    /// The tracker's version, if it is an installed program.
    #[serde(default)]
    pub version: Option<String>,
    /// Why the tracker cannot be used.
    #[serde(default)]
    pub problem: Option<String>,
}

/// The state of a folder's git setup. Sessions can have branches if it is `Ready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum GitSetup {
    Missing,
    /// The folder is not in a repository.
    NoRepository,
    /// The repository has no commit.
    NoCommit,
    /// The repository has a commit to branch from.
    Ready,
}

/// The name, folder, tracker and branch of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ProjectInfo {
    /// The project's id: bd's, or with another tracker, one that this program has generated.
    pub project_id: ProjectId,
    pub name: String,
    /// The absolute path of the folder that contains `.beads`, in the main tree.
    pub root: String,
    pub tracker: TrackerInfo,
    /// The branch that is checked out in the main tree.
    #[serde(default)]
    pub branch: Option<String>,
    /// Whether the repository has a commit to branch from.
    #[serde(default)]
    pub has_commit: bool,
}

/// The tracker that a project uses, and whether beads can be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerInfo {
    pub kind: TrackerKind,
    /// The version of the tracker's program; absent for the embedded store.
    #[serde(default)]
    pub version: Option<String>,
    /// Whether beads can be changed.
    pub writable: bool,
    /// Why the tracker is read-only, or another notice.
    #[serde(default)]
    pub note: Option<String>,
    /// Whether `bead.submit` must add a custom status first, which requires the user's consent.
    pub submit_needs_consent: bool,
}

/// The program or store that keeps a project's beads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TrackerKind {
    Bd,
    Br,
    /// The embedded store, for projects without bd or br.
    Embedded,
    /// Read-only, because the tracker's program is missing.
    ReadOnly,
}

/// The result of `agent.list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AgentList {
    /// The project's agent prompts, then the user's.
    pub agents: Vec<AgentInfo>,
}

/// An agent prompt that a session can use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AgentInfo {
    /// The name of the agent prompt's file without the extension.
    pub name: AgentName,
    /// The description in the file.
    #[serde(default)]
    pub description: Option<String>,
    pub source: AgentSource,
}

/// The folder in which an agent prompt was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AgentSource {
    /// `.claude/agents` of the project.
    Project,
    /// `agents` of the user's claude folder.
    User,
}
