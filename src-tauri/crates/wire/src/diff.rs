//! The diff of one file.

use serde::{Deserialize, Serialize};

/// The kind of change to a file, as reported by git.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DiffChange {
    /// The file is new; untracked files count as added.
    Added,
    /// The file's content, type or mode changed.
    Modified,
    Deleted,
    Renamed,
}

/// A changed file, with the lines that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileDiff {
    /// The path relative to the repository's root.
    pub path: String,
    /// The previous path of a renamed file.
    pub from: Option<String>,
    pub change: DiffChange,
    /// Added lines; absent for binary files.
    pub added: Option<u32>,
    /// Removed lines; absent for binary files.
    pub removed: Option<u32>,
    /// The hunks of a unified diff, as git writes them, without the file header.
    pub diff: String,
    /// Whether the diff was cut off.
    pub cut: bool,
    /// Identifies the contents and the mode. A different value means that the file may have changed. A commit
    /// of the file does not change the value, except for files over 16 MiB and untracked links. Absent if
    /// unknown.
    #[serde(default)]
    pub content: Option<String>,
}
