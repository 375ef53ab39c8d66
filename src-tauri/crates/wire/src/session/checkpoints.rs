//! The checkpoints of a session: the states of its files before prompts and restores.

use crate::diff::FileDiff;
use bc_core::{Timestamp, ids::SessionId};
use serde::{Deserialize, Serialize};

/// The checkpoints of a session, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionCheckpoints {
    pub checkpoints: Vec<CheckpointLine>,
    /// Whether the session's folder exists and can be reached, so that files can be compared with it and restored.
    pub has_folder: bool,
    /// Notices about checkpoints that are missing, and why.
    pub notes: Vec<String>,
}

/// A checkpoint of a session's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointLine {
    /// The checkpoint's number in the session.
    pub number: u32,
    /// The checkpoint's reference in the repository.
    pub reference: String,
    /// When the checkpoint was made, or when the last of its prompts was sent.
    pub at: Timestamp,
    /// The commit that was checked out; absent before the first commit.
    pub head: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// The prompts before which the checkpoint was made; several if no file changed between them. Empty if it
    /// was made before a restore.
    pub turns: Vec<CheckpointTurn>,
    /// The restore before which the checkpoint was made.
    pub restore: Option<CheckpointRestore>,
    /// The size of the change up to the next checkpoint, or up to now for the last checkpoint; absent if
    /// unknown.
    pub changed: Option<CheckpointCounts>,
    /// Files that the checkpoint omits and no restore changes.
    pub left_out: Vec<CheckpointFile>,
    /// The number of further omitted files.
    pub left_out_more: u32,
    /// The number of submodules, which are never restored.
    pub submodules: u32,
}

/// A prompt with a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointTurn {
    /// The prompt's number in the session, from 1.
    pub turn: u32,
    /// When the prompt was sent.
    pub at: Timestamp,
    /// The prompt's first words.
    pub words: String,
}

/// A restore of files before which a checkpoint was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointRestore {
    pub checkpoint: u32,
    /// The restored files; empty if all files were restored. Folders end in `/`.
    pub files: Vec<String>,
}

/// The size of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointCounts {
    /// The number of changed files.
    pub files: u32,
    /// The number of added lines.
    pub added: u32,
    /// The number of removed lines.
    pub removed: u32,
}

/// A file that a checkpoint or a restore omits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointFile {
    /// The file's path, relative to the repository's root.
    pub path: String,
    /// The reason, for the user.
    pub why: String,
}

/// Parameters of `session.compare`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointCompareParams {
    pub id: SessionId,
    /// The earlier checkpoint.
    pub from: u32,
    /// The later checkpoint; absent for the session's current files.
    #[serde(default)]
    pub to: Option<u32>,
    /// Whether to ignore changes in white space.
    #[serde(default)]
    pub ignore_space: bool,
}

/// The result of `session.compare`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CheckpointChanges {
    /// The changed files, sorted by name.
    pub files: Vec<FileDiff>,
    /// Whether the list is cut off.
    pub cut: bool,
    /// The listed files with uncommitted changes now; empty between two checkpoints.
    pub uncommitted: Vec<String>,
}

/// Parameters of `session.restore_files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RestoreFilesParams {
    pub id: SessionId,
    pub checkpoint: u32,
    /// The files to restore, relative to the repository's root; folders end in `/`. Empty for all files.
    #[serde(default)]
    pub files: Vec<String>,
    /// Whether to restore even if claude is working, another session uses the folder, or the folder has
    /// another branch checked out.
    #[serde(default)]
    pub anyway: bool,
}

/// The result of `session.restore_files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FilesRestored {
    /// The checkpoint of the state before the restore. To undo the restore, restore this checkpoint. Absent
    /// if nothing had to change.
    pub undo: Option<u32>,
    /// The reference of that checkpoint.
    pub reference: Option<String>,
    /// Files that were changed or created.
    pub written: Vec<String>,
    pub deleted: Vec<String>,
    /// Files that differ from the checkpoint but were left unchanged.
    pub skipped: Vec<CheckpointFile>,
    /// The number of submodules, which were left unchanged.
    pub submodules: u32,
}

/// Parameters of `session.fork`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionForkParams {
    pub id: SessionId,
    /// The checkpoint from which the new session gets its files.
    pub checkpoint: u32,
    /// The number of the prompt before which the new conversation forks off; by default the checkpoint's
    /// first prompt.
    #[serde(default)]
    pub turn: Option<u32>,
    /// The new branch; by default the session's branch with a number.
    #[serde(default)]
    pub branch: Option<String>,
    /// The opening prompt. Without a prompt, claude waits for the user.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The terminal's size: columns and rows.
    #[serde(default)]
    pub size: Option<(u16, u16)>,
}
