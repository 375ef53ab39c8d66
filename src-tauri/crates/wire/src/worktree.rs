//! Commands on worktrees: the folders beside the repository in which sessions work.

use bc_core::{
    ids::{BeadId, SessionId},
    session::Status,
    work::FileLine,
};
use serde::{Deserialize, Serialize};

/// Every linked worktree of the repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Worktrees {
    /// Where new ones are made.
    pub folder: String,
    /// They, as git lists them; then those of paused sessions that git knows no more.
    pub worktrees: Vec<WorktreeShown>,
    /// What they take together, in bytes, as far as it was counted.
    #[specta(type = u32)]
    pub bytes: u64,
    /// What was found wrong.
    pub warnings: Vec<String>,
}

/// Whether a worktree is where it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum WorktreeState {
    /// It is.
    Here,
    /// It was moved.
    Moved,
    /// Its folder is gone; its branch has what was committed.
    Gone,
}

/// One worktree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeShown {
    /// Its folder.
    pub path: String,
    /// Whether it is there.
    pub state: WorktreeState,
    /// Where it is, if it was moved.
    pub moved_to: Option<String>,
    /// What is checked out in it; `null` without a branch.
    pub branch: Option<String>,
    /// Whether it is locked against removal.
    pub locked: bool,
    /// The session that works, or worked last, in it.
    pub session: Option<WorktreeSession>,
    /// That session's bead.
    pub bead_id: Option<BeadId>,
    /// What it takes, in bytes; `null` where it is not there.
    #[specta(type = Option<u32>)]
    pub bytes: Option<u64>,
    /// Whether the count is complete; counting stops in very large folders.
    pub counted: bool,
    /// Whether its removal would lose nothing.
    pub clean: bool,
    /// Files that are not committed.
    pub uncommitted: u32,
    /// Files and folders that git does not know.
    pub untracked: u32,
    /// Commits that are on no other branch.
    pub commits: u32,
    /// Why it could not be looked into.
    pub trouble: Option<String>,
}

/// The session of a worktree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeSession {
    /// Its id.
    pub id: SessionId,
    /// What it is called.
    pub title: Option<String>,
    /// How it stands.
    pub status: Status,
}

/// Which worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRef {
    /// Its folder, the last part of that, or its branch.
    pub path: String,
}

/// What the removal of a worktree would lose. What git ignores goes with it and is not in here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeLoss {
    /// Its folder.
    pub path: String,
    /// What is checked out in it.
    pub branch: Option<String>,
    /// Whether nothing would be lost.
    pub clean: bool,
    /// Files that are not committed.
    pub uncommitted: Vec<FileLine>,
    /// Files and folders that git does not know, and copies of the project's files that were changed.
    pub untracked: Vec<String>,
    /// Submodules with repositories of their own in it.
    pub submodules: Vec<String>,
    /// Commits that are on no other branch, the newest first, 200 at most. With a branch they stay on it.
    pub commits: Vec<WorktreeCommit>,
    /// Identifies these losses; consent covers only them.
    pub fingerprint: String,
}

/// A commit in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeCommit {
    /// Its hash.
    pub hash: String,
    /// Its first line.
    pub subject: String,
}

/// Parameters of `worktree.remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRemoveParams {
    /// As in [`WorktreeRef`].
    pub path: String,
    /// Whether it is removed although something is lost.
    #[serde(default)]
    pub force: bool,
    /// The fingerprint of the confirmed losses; if it differs now, nothing is removed.
    #[serde(default)]
    pub seen: Option<String>,
}

/// A worktree that was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRemoved {
    /// Where it was.
    pub path: String,
    /// The branch that stays.
    pub branch: Option<String>,
}

/// Which session's worktree is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRestoreParams {
    /// The session.
    pub session: SessionId,
}

/// A worktree that a session can go on in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeRestored {
    /// Its folder.
    pub path: String,
    /// What is checked out in it.
    pub branch: Option<String>,
    /// What was done; `null` where it was there.
    pub action: Option<String>,
    /// What to know besides.
    pub warnings: Vec<String>,
}

/// Whether the setup command of new worktrees may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SetupState {
    /// There is none.
    None,
    /// It names no file of the repository.
    Own,
    /// The user allowed its current content.
    Allowed,
    /// The user has not allowed its current content.
    Asks,
}

/// The setup command of new worktrees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeSetup {
    /// Its words.
    pub command: Vec<String>,
    /// Whether it may run.
    pub state: SetupState,
    /// The repository's files that it names, and those that these name.
    pub files: Vec<String>,
    /// How they differ from what was allowed last; all of them where nothing was.
    pub change: String,
    /// What stands for the command with these files.
    pub fingerprint: Option<String>,
}

/// Parameters of `worktree.allow_setup`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WorktreeSetupAllowParams {
    /// The fingerprint that the user confirmed.
    pub fingerprint: String,
}
