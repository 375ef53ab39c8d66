//! The state of a file compared with the content to install, and the reasons why a file cannot be changed.

/// The version of the files' text. Older text is updated; newer text is kept.
pub const VERSION: u32 = 1;

/// The state of a file compared with the content to install.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The file is missing or contains no content of this program.
    Absent,
    /// The file contains this version's content, complete and unchanged.
    Current,
    /// The file contains only a part of the content, other text, or an earlier version's content.
    Outdated,
    /// The file contains a newer version's content, which is kept.
    Newer,
}

/// Why a file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The file is UTF-16, in which markers cannot be found.
    #[error("the file is UTF-16; save it as UTF-8")]
    Utf16,
    /// A marker has no counterpart.
    #[error("unmatched section marker in line {line}; remove it, or restore the other marker")]
    HalfMarked { line: usize },
    /// The file contains two sections of this program.
    #[error("the file has two sections of Beads Console, the second in line {line}; remove one")]
    Twice { line: usize },
    /// A file with this name belongs to another author.
    #[error("another file has this name and was not written by Beads Console; rename it")]
    NotOurs,
    /// The settings are not valid JSON.
    #[error("invalid JSON: {reason}; claude ignores such a file, fix it first")]
    NotJson {
        /// The problem and its position.
        reason: String,
    },
    /// The settings have an unexpected structure.
    #[error("{what} in it is not {wanted}; claude cannot read it either, fix it first")]
    Shape {
        /// The part, such as `permissions`.
        what: &'static str,
        /// The expected type.
        wanted: &'static str,
    },
}

/// A file's new bytes; `None` if the file should not exist.
pub type Content = Option<Vec<u8>>;
