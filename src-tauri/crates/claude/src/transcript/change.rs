//! The changes to a session that the lines of a transcript cause.

use super::details::ImageData;
use bc_core::{message::Message, session::TokenSplit};

/// One change to a session. A line of the transcript can cause zero or more changes.
#[expect(clippy::large_enum_variant, reason = "almost every change is a message")]
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A new or extended message, which replaces the message with the same id.
    Message(Message),
    /// The bytes of an image that a message refers to.
    Image(ImageData),
    /// A file was read or written. Each path is reported once. The path is relative to the working folder if
    /// the file is inside the folder.
    FileTouched(String),
    /// The model's tokens that were not counted before. The lines of a message repeat its token counts.
    Usage(TokenSplit),
    /// Like [`Change::Usage`], for a message that was copied from another conversation, which counts these
    /// tokens itself.
    InheritedUsage(TokenSplit),
    /// The cost of this conversation so far in US dollars, as claude reports it.
    Cost(f64),
    /// The conversation got a title.
    Title {
        text: String,
        /// Whether the user set it (`/rename`). If false, claude generated it.
        by_person: bool,
    },
    /// A line of an unknown type, or a part of a line that does not fit the lines before it.
    Unknown {
        /// The line's type, with the subtype in `system/…` and `attachment/…`; `user/tool_result` for the
        /// result of an unknown call.
        kind: String,
    },
    /// A line that was skipped because it is too long, is not a JSON object, or lacks required fields.
    Malformed,
}
