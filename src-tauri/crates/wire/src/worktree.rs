//! Parameters and results of commands for worktrees: the folders beside the repository in which sessions work.

use bc_core::{
    ids::{BeadId, SessionId},
    session::Status,
    work::FileLine,
};
use serde::{Deserialize, Serialize};

/// The result of `worktree.list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Worktrees {
    /// The folder in which new worktrees are created.
    pub folder: String,
    /// Worktrees as listed by git, then those of paused sessions that git no longer lists.
    pub worktrees: Vec<WorktreeShown>,
    /// The total size of all worktrees in bytes. Incompletely counted worktrees contribute only their counted
    /// part.
    #[specta(type = u32)]
    pub bytes: u64,
    pub warnings: Vec<String>,
}

/// Whether a worktree exists at its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum WorktreeState {
    Here,
    Moved,
    /// The worktree's folder is missing. Commits on its branch still exist.
    Gone,
}

/// A linked worktree of the repository, with the losses that its removal would cause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeShown {
    pub path: String,
    pub state: WorktreeState,
    /// The worktree's new path, if it was moved.
    pub moved_to: Option<String>,
    /// The checked-out branch; `null` if no branch is checked out.
    pub branch: Option<String>,
    /// Whether the worktree is locked against removal.
    pub locked: bool,
    /// The session that uses the worktree, or used it last.
    pub session: Option<WorktreeSession>,
    /// The session's bead.
    pub bead_id: Option<BeadId>,
    /// The worktree's size in bytes; `null` if it does not exist.
    #[specta(type = Option<u32>)]
    pub bytes: Option<u64>,
    /// Whether the count is complete; counting stops in very large folders.
    pub counted: bool,
    /// Whether removing the worktree loses nothing.
    pub clean: bool,
    /// The number of files with uncommitted changes, plus the number of submodules.
    pub uncommitted: u32,
    /// The number of untracked files and folders.
    pub untracked: u32,
    /// The number of commits that no other branch, tag or remote has.
    pub commits: u32,
    /// Why the worktree could not be examined.
    pub trouble: Option<String>,
}

/// The session that uses a worktree, or used it last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeSession {
    pub id: SessionId,
    pub title: Option<String>,
    pub status: Status,
}

/// Identifies a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRef {
    /// The worktree's path, the last part of the path, or the branch.
    pub path: String,
}

/// The losses that the removal of a worktree causes. Files that git ignores are also removed, but not listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeLoss {
    pub path: String,
    /// The checked-out branch.
    pub branch: Option<String>,
    /// Whether nothing is lost.
    pub clean: bool,
    /// Files with uncommitted changes.
    pub uncommitted: Vec<FileLine>,
    /// Untracked files and folders, and changed copies of the project's files.
    pub untracked: Vec<String>,
    /// Submodules with separate repositories.
    pub submodules: Vec<String>,
    /// Commits that no other branch, tag or remote has, newest first, at most 200. If the worktree has a
    /// branch, the commits are kept on that branch.
    pub commits: Vec<WorktreeCommit>,
    /// Identifies these losses. The user's consent covers only them.
    pub fingerprint: String,
}

/// A commit of a worktree that no other branch, tag or remote has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeCommit {
    pub hash: String,
    /// The first line of the commit message.
    pub subject: String,
}

/// Parameters of `worktree.remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRemoveParams {
    /// The worktree, as in [`WorktreeRef`].
    pub path: String,
    /// Whether to remove the worktree despite losses.
    #[serde(default)]
    pub force: bool,
    /// The fingerprint of the confirmed losses. If the removal would now lose something else, nothing is
    /// removed. Absent to accept all losses.
    #[serde(default)]
    pub seen: Option<String>,
}

/// The result of `worktree.remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRemoved {
    pub path: String,
    /// The worktree's branch, which is kept.
    pub branch: Option<String>,
}

/// Parameters of `worktree.restore`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRestoreParams {
    pub session: SessionId,
}

/// The result of `worktree.restore`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRestored {
    /// The worktree's folder.
    pub path: String,
    /// The checked-out branch.
    pub branch: Option<String>,
    /// How the worktree was restored; `null` if it already existed.
    pub action: Option<String>,
    pub warnings: Vec<String>,
}

/// Whether the setup command of new worktrees may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SetupState {
    /// No setup command is configured.
    None,
    /// The command does not run any file of the repository, so no permission is required.
    Own,
    /// The user allowed the command's current content.
    Allowed,
    /// The user has not allowed the command's current content.
    Asks,
}

/// The setup command of new worktrees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeSetup {
    pub command: Vec<String>,
    pub state: SetupState,
    /// The repository's files that the command names, and the files that those files name.
    pub files: Vec<String>,
    /// The diff from the files that the user allowed last, or the whole files if none were allowed. Empty if
    /// the current files are allowed.
    pub change: String,
    /// Identifies the command and the content of these files.
    pub fingerprint: Option<String>,
}

/// Parameters of `worktree.allow_setup`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeSetupAllowParams {
    /// The fingerprint that the user confirmed.
    pub fingerprint: String,
}
