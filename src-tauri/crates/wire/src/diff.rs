//! Diffs by file.

use serde::{Deserialize, Serialize};

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DiffChange {
    /// It was not there.
    Added,
    /// It has other content.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another name.
    Renamed,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileDiff {
    /// Relative to the repository's root.
    pub path: String,
    /// Where it was, if it was moved.
    pub from: Option<String>,
    /// How it changes.
    pub change: DiffChange,
    /// Added lines; absent for binary files.
    pub added: Option<u32>,
    /// Removed lines; absent for binary files.
    pub removed: Option<u32>,
    /// The hunks of a unified diff, as git writes them, without the file's head.
    pub diff: String,
    /// Whether there is more of it.
    pub cut: bool,
    /// Identifies both contents of the diff: equal for equal contents, committed or not, and different otherwise.
    /// Absent if unknown.
    #[serde(default)]
    pub content: Option<String>,
}
