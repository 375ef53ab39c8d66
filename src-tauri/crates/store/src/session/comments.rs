//! `person/comments.json`: the unresolved comments on the session's changes.
//!
//! As with `person/viewed.json`, the engine can write the file while a host owns the session.

use super::{SessionDir, StoreError, files};
use bc_core::{Extra, Timestamp};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of the file that this build writes.
const VERSION: u32 = 1;

/// A comment on a line that the session changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineComment {
    pub comment: String,
    /// The path of the file, relative to the repository.
    pub path: String,
    pub line: u32,
    /// Whether the line number refers to the version before the change.
    #[serde(default)]
    pub old: bool,
    pub code: String,
    pub text: String,
    /// When the comment was sent to the agent; `None` if it has not been sent yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Timestamp>,
}

/// The content of `person/comments.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comments {
    pub version: u32,
    /// The comments, oldest first.
    #[serde(default)]
    pub comments: Vec<LineComment>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for Comments {
    fn default() -> Self {
        Comments { version: VERSION, comments: Vec::new(), extra: Extra::new() }
    }
}

impl SessionDir {
    /// Returns the unresolved comments. A missing file counts as empty.
    ///
    /// # Errors
    ///
    /// The file cannot be read or parsed. The caller must not replace it, because it contains the user's
    /// comments.
    pub fn comments(&self) -> Result<Comments, StoreError> {
        Ok(files::read_json(&self.comments_path())?.unwrap_or_default())
    }

    /// Replaces the file. The caller must prevent concurrent writes.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] if the session does not exist; another error if a file operation fails.
    pub fn save_comments(&self, comments: &Comments) -> Result<(), StoreError> {
        self.person_folder()?;
        files::write_json(&self.comments_path(), comments)
    }

    fn comments_path(&self) -> PathBuf {
        self.path().join("person").join("comments.json")
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, scribble};
    use super::*;

    #[test]
    fn comments_are_read_back_and_damaged_ones_are_not_replaced_silently() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.comments().unwrap(), Comments::default());
        let comment = LineComment {
            comment: "c1".into(),
            path: "a".into(),
            line: 3,
            old: true,
            code: "x".into(),
            text: "why?".into(),
            sent_at: None,
        };
        let comments = Comments { comments: vec![comment], ..Comments::default() };
        lock.save_comments(&comments).unwrap();
        assert_eq!(lock.comments().unwrap(), comments);
        scribble(&lock.comments_path(), "{\"version\": 1, \"comments\": [");
        assert!(lock.comments().is_err());
    }
}
