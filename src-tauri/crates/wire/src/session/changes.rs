//! What a session changed.

use crate::diff::FileDiff;
use bc_core::{
    ids::{BranchName, SessionId},
    work::CommitLine,
};
use serde::{Deserialize, Serialize};

/// Parameters of `session.changes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionChangesParams {
    /// Which session.
    pub id: SessionId,
    /// Whether white space alone is no difference.
    #[serde(default)]
    pub ignore_space: bool,
}

/// What is compared with what was before a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ChangesOf {
    /// Its folder, with what is in no commit.
    Folder,
    /// Its branch: the folder is not there, or has something else checked out.
    Branch,
    /// The commits that were recorded of it: it is closed.
    Commits,
}

/// What a session changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionChanges {
    /// What is compared.
    pub of: ChangesOf,
    /// The commit that it is compared with; absent where there was none.
    pub base: Option<String>,
    /// The branch on which that commit is, where the session's own was made from one.
    pub base_branch: Option<BranchName>,
    /// Its commits since then, oldest first.
    pub commits: Vec<CommitLine>,
    /// The files that differ, in the order of their names.
    pub files: Vec<FileDiff>,
    /// Whether files are left out because there are too many.
    pub cut: bool,
    /// Those of them with something in them that is in no commit.
    pub uncommitted: Vec<String>,
    /// Files that are left out because they were changed before it began and it never touched them.
    pub before: Vec<String>,
    /// What cannot be told, and what is in it that is not the session's.
    pub notes: Vec<String>,
}
