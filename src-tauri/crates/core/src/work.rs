//! What was done to a repository, in the few words that lists, previews and logs need.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// How a file differs from what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// It was not there.
    New,
    /// It has other content.
    Modified,
    /// It is gone.
    Deleted,
}

impl FileChange {
    /// The word for it, as in every file.
    pub fn as_str(self) -> &'static str {
        match self {
            FileChange::New => "new",
            FileChange::Modified => "modified",
            FileChange::Deleted => "deleted",
        }
    }
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
pub struct FileLine {
    /// Relative to the working folder where it is in it.
    pub path: String,
    /// How.
    pub change: FileChange,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommitLine {
    /// The full hash.
    pub hash: String,
    /// The first line of its message, as written.
    pub subject: String,
    /// The author's name, as written.
    pub author: String,
    /// When it was committed, where it says.
    #[serde(default)]
    pub at: Option<Timestamp>,
}

impl CommitLine {
    /// The first eight digits.
    pub fn short(&self) -> &str {
        self.hash.get(..8).unwrap_or(&self.hash)
    }
}
