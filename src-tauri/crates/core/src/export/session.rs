//! A session as exports need it.

use crate::{Timestamp, message::Message, session::Meta, text::one_line, work::CommitLine};

/// A session to export.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The session.
    pub meta: &'a Meta,
    /// Its conversation.
    pub messages: &'a [Message],
    /// Its commits; the subject of a missing one is empty.
    pub commits: &'a [CommitLine],
    /// Files that git reports as changed by it.
    pub changed: &'a [String],
    /// The folders of the repository, without a slash at the end: paths below them are shown relative.
    pub roots: &'a [String],
    /// The time of the export, up to which an open active interval counts.
    pub now: Timestamp,
    /// Whether it contains the tools' outputs, or only their sizes.
    pub tool_output: bool,
}

impl Document<'_> {
    /// The path relative to the repository, on one line.
    pub(super) fn relative(&self, path: &str) -> String {
        let below = |root: &String| path.strip_prefix(root.as_str())?.strip_prefix(['/', '\\']);
        // The longest root: a worktree may lie inside the project.
        let found =
            self.roots.iter().filter(|root| !root.is_empty()).filter_map(below).min_by_key(|rest| rest.len());
        one_line(found.unwrap_or(path))
    }
}
