//! Changes in a repository, in short form for lists, previews and logs.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// How a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    New,
    Modified,
    Deleted,
}

impl FileChange {
    /// The name in files and in output.
    pub fn as_str(self) -> &'static str {
        match self {
            FileChange::New => "new",
            FileChange::Modified => "modified",
            FileChange::Deleted => "deleted",
        }
    }
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
pub struct FileLine {
    /// The path, relative to the working folder if inside it, or else to the root of its working tree.
    pub path: String,
    pub change: FileChange,
}

/// A commit, as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommitLine {
    pub hash: String,
    /// The subject of the commit message, unchanged; empty if the commit no longer exists.
    pub subject: String,
    pub author: String,
    /// The commit date, if known.
    #[serde(default)]
    pub at: Option<Timestamp>,
}

impl CommitLine {
    /// The first eight digits of the hash.
    pub fn short(&self) -> &str {
        self.hash.get(..8).unwrap_or(&self.hash)
    }
}
