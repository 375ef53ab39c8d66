//! Obstacles to a merge.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// The kind of obstacle, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TroubleKind {
    /// Git cannot combine the changes of both sides.
    Conflict,
    CheckFailed,
    CheckTimedOut,
    CheckNotRun,
    /// A working tree has the target checked out, and updating it was not permitted.
    CheckedOut,
    /// A working tree has the target checked out, and git refused to update it.
    NotFollowed,
    /// The branch to merge no longer exists.
    NoSource,
    NoTarget,
    /// The branch's commit is not the approved one.
    NotApproved,
    /// The branch and the target have no common history in this clone.
    Unrelated,
    /// The target or the branch moved during each attempt.
    TargetMoves,
    /// The queue's worktree cannot be created, or there is no space for it.
    NoWorktree,
    Git,
    /// The merge is complete, but its bead could not be closed.
    NotClosed,
}

/// A file with conflicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ConflictFile {
    /// The path, relative to the repository's root.
    pub path: String,
    /// The number of conflicts; 1 for a file that is deleted on one side or is not text.
    pub conflicts: u32,
}

/// An obstacle, described for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MergeTrouble {
    pub kind: TroubleKind,
    /// The problem in one line.
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(default)]
    pub files: Vec<ConflictFile>,
    /// The end of git's or the check's output.
    #[serde(default)]
    pub output: String,
    /// When the obstacle occurred.
    pub at: Timestamp,
}
