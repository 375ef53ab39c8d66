//! The input of an export: a session with its messages, commits and files.

use crate::{Timestamp, message::Message, session::Meta, text::one_line, work::CommitLine};

/// A session to export.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    pub meta: &'a Meta,
    pub messages: &'a [Message],
    /// The session's commits; the subject of a commit that no longer exists is empty.
    pub commits: &'a [CommitLine],
    /// Files that git reports as changed by the session.
    pub changed: &'a [String],
    /// The folders of the repository, without a trailing slash. Paths inside them are shown as relative
    /// paths.
    pub roots: &'a [String],
    /// The time of the export, up to which an open active interval counts.
    pub now: Timestamp,
    /// Whether to include the tools' outputs. If false, only their sizes are shown.
    pub tool_output: bool,
}

impl Document<'_> {
    /// The path relative to the repository, on one line.
    pub(super) fn relative(&self, path: &str) -> String {
        let below = |root: &String| path.strip_prefix(root.as_str())?.strip_prefix(['/', '\\']);
        // Use the longest root, because a worktree can be inside the project.
        let found =
            self.roots.iter().filter(|root| !root.is_empty()).filter_map(below).min_by_key(|rest| rest.len());
        one_line(found.unwrap_or(path))
    }
}
