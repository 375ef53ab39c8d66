//! The changes of a session.

use crate::diff::FileDiff;
use bc_core::{
    ids::{BranchName, SessionId},
    work::CommitLine,
};
use serde::{Deserialize, Serialize};

/// Parameters of `session.changes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionChangesParams {
    pub id: SessionId,
    /// Whether to ignore changes in white space.
    #[serde(default)]
    pub ignore_space: bool,
}

/// The state that is compared with the state before a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ChangesOf {
    /// The session's folder, including uncommitted changes.
    Folder,
    /// The session's branch, because its folder is missing or has another branch checked out.
    Branch,
    /// A closed session's last recorded commit that still exists.
    Commits,
}

/// The result of `session.changes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionChanges {
    pub of: ChangesOf,
    /// The commit from which the session's changes are counted; absent if none existed or it is gone.
    pub base: Option<String>,
    /// The branch from which the session's branch was created.
    pub base_branch: Option<BranchName>,
    /// The session's commits, oldest first.
    pub commits: Vec<CommitLine>,
    /// The changed files, sorted by name.
    pub files: Vec<FileDiff>,
    /// Whether the list is cut off.
    pub cut: bool,
    /// The listed files with uncommitted changes.
    pub uncommitted: Vec<String>,
    /// Omitted files, which were changed before the session and which the session did not touch.
    pub before: Vec<String>,
    /// Notices about missing information, and about changes that the session did not make.
    pub notes: Vec<String>,
}
