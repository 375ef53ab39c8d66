//! What a transcript's lines change in the session.

use super::details::ImageData;
use bc_core::{message::Message, session::TokenSplit};

/// The meaning of a piece of transcript for the session.
#[expect(clippy::large_enum_variant, reason = "almost every change is a message")]
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A new or extended message; it replaces the one with its id.
    Message(Message),
    /// The bytes of an image that a message names.
    Image(ImageData),
    /// A file was read or written; the path is relative to the working folder if inside it. Once per path.
    FileTouched(String),
    /// Newly counted tokens; each `message.id` is counted once.
    Usage(TokenSplit),
    /// Newly counted tokens of a message that was copied from another conversation, where they were counted.
    InheritedUsage(TokenSplit),
    /// The cost of this conversation so far in US dollars, as claude counts it.
    Cost(f64),
    /// The conversation got a title.
    Title {
        text: String,
        /// Whether the user set it (`/rename`); otherwise claude generated it.
        by_person: bool,
    },
    /// The conversation was compacted; the boundary and the summary also appear as messages.
    Compacted {
        /// `manual` or `auto`, if known.
        trigger: Option<String>,
        /// Tokens in the context before it, if known.
        tokens_before: Option<u64>,
    },
    TurnEnded {
        duration_ms: u64,
    },
    /// A line of an unknown type; counted and skipped.
    Unknown {
        /// Its type; `system/…` and `attachment/…` include the subtype.
        kind: String,
    },
    /// A line that is not a JSON object or lacks required fields; counted and skipped.
    Malformed {
        /// Its length in bytes, as far as it is known.
        bytes: u64,
    },
}
