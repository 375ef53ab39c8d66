//! Differences, file by file, wherever they are looked at.

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
    /// Lines that are new; absent where it is no text.
    pub added: Option<u32>,
    /// Lines that are gone; absent where it is no text.
    pub removed: Option<u32>,
    /// The hunks of a unified diff, as git writes them, without the file's head.
    pub diff: String,
    /// Whether there is more of it.
    pub cut: bool,
    /// The contents that it differs between: another text where either is another, the same for what is the same,
    /// committed or not. Absent where that cannot be told.
    #[serde(default)]
    pub content: Option<String>,
}
