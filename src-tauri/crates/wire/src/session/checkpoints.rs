//! The checkpoints of a session: the states of its files before each prompt.

use crate::diff::FileDiff;
use bc_core::{Timestamp, ids::SessionId};
use serde::{Deserialize, Serialize};

/// The checkpoints of a session, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionCheckpoints {
    /// The kept states.
    pub checkpoints: Vec<CheckpointLine>,
    /// Whether the session's folder exists, so that files can be compared with it and restored.
    pub has_folder: bool,
    /// Missing data, and why.
    pub notes: Vec<String>,
}

/// A kept state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointLine {
    /// Its number in the session.
    pub number: u32,
    /// Its reference in the repository.
    pub reference: String,
    /// When it was made, or for which prompt last.
    pub at: Timestamp,
    /// The commit that was checked out; absent before the first commit.
    pub head: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// The prompts for which it was made: several, if no file changed in between. Empty before a restore.
    pub turns: Vec<CheckpointTurn>,
    /// The restore before which it was made.
    pub restore: Option<CheckpointRestore>,
    /// What changed afterwards, up to the next checkpoint or to now; absent if unknown.
    pub changed: Option<CheckpointCounts>,
    /// Files that are not in it, and that no restore touches.
    pub left_out: Vec<CheckpointFile>,
    /// The number of further such files.
    pub left_out_more: u32,
    /// The number of submodules; they are never restored.
    pub submodules: u32,
}

/// A prompt with a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointTurn {
    /// Its number in the session, from 1.
    pub turn: u32,
    /// When it was sent.
    pub at: Timestamp,
    /// Its first words.
    pub words: String,
}

/// A restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointRestore {
    /// The restored checkpoint.
    pub checkpoint: u32,
    /// The restored files, if not all; folders end in `/`.
    pub files: Vec<String>,
}

/// The size of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointCounts {
    /// Changed files.
    pub files: u32,
    /// Added lines.
    pub added: u32,
    /// Removed lines.
    pub removed: u32,
}

/// A file that a checkpoint or a restore leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointFile {
    /// Its path, relative to the repository's root.
    pub path: String,
    /// Why.
    pub why: String,
}

/// Parameters of `session.compare`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointCompareParams {
    /// The session.
    pub id: SessionId,
    /// The earlier checkpoint.
    pub from: u32,
    /// The later one; absent: the session's folder now.
    #[serde(default)]
    pub to: Option<u32>,
    /// Whether to ignore changes in white space.
    #[serde(default)]
    pub ignore_space: bool,
}

/// The differences between two states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointChanges {
    /// The changed files, sorted by name.
    pub files: Vec<FileDiff>,
    /// Whether the list is cut off.
    pub cut: bool,
    /// The listed files with uncommitted changes now.
    pub uncommitted: Vec<String>,
}

/// Parameters of `session.restore_files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RestoreFilesParams {
    /// The session.
    pub id: SessionId,
    /// The checkpoint.
    pub checkpoint: u32,
    /// Only these files, relative to the repository's root; folders end in `/`. Empty: all.
    #[serde(default)]
    pub files: Vec<String>,
    /// Restore although claude is working, another session uses the folder, or another branch is checked out.
    #[serde(default)]
    pub anyway: bool,
}

/// The result of a restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FilesRestored {
    /// The checkpoint of the state before: restoring it undoes this restore. Absent: nothing had to change.
    pub undo: Option<u32>,
    /// The reference of that checkpoint.
    pub reference: Option<String>,
    /// Files with other content than before, new ones included.
    pub written: Vec<String>,
    /// Deleted files.
    pub deleted: Vec<String>,
    /// Files that differ and stayed as they are.
    pub skipped: Vec<CheckpointFile>,
    /// The number of submodules, which stayed as they are.
    pub submodules: u32,
}

/// Parameters of `session.fork`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionForkParams {
    /// The session.
    pub id: SessionId,
    /// The checkpoint whose files the new session starts with.
    pub checkpoint: u32,
    /// The prompt before which the conversation is continued; by default the checkpoint's first one.
    #[serde(default)]
    pub turn: Option<u32>,
    /// The new branch; by default the session's branch with a number.
    #[serde(default)]
    pub branch: Option<String>,
    /// The first prompt; without one, claude waits.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The terminal's size, columns and rows.
    #[serde(default)]
    pub size: Option<(u16, u16)>,
}
