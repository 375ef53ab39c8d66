//! What keeps a request from being merged.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// What is in the way, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TroubleKind {
    /// Both sides changed the same lines.
    Conflict,
    /// The check said no.
    CheckFailed,
    /// The check did not end in its time.
    CheckTimedOut,
    /// The check could not be run.
    CheckNotRun,
    /// A working tree has the target checked out, and nobody said that it may be brought along.
    CheckedOut,
    /// A working tree has the target checked out, and git would not bring it along.
    NotFollowed,
    /// The branch to merge is gone.
    NoSource,
    /// The target is gone.
    NoTarget,
    /// The branch has other commits than those that were approved.
    NotApproved,
    /// The two have no history in common, as far as this clone knows.
    Unrelated,
    /// The target, or the branch, was moved by somebody else again and again.
    TargetMoves,
    /// There is no room for the queue's worktree, or it cannot be made.
    NoWorktree,
    /// Git could not do it.
    Git,
    /// It is merged; its bead could not be closed.
    NotClosed,
}

/// A file that both sides changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ConflictFile {
    /// Relative to the repository's root.
    pub path: String,
    /// In so many places; 1 for a file that is gone on one side, or is no text.
    pub conflicts: u32,
}

/// What is in the way, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MergeTrouble {
    /// For programs.
    pub kind: TroubleKind,
    /// What happened, in a line.
    pub text: String,
    /// What can be done about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The files in conflict.
    #[serde(default)]
    pub files: Vec<ConflictFile>,
    /// The last of what git or the check printed, exactly.
    #[serde(default)]
    pub output: String,
    /// Since when.
    pub at: Timestamp,
}
