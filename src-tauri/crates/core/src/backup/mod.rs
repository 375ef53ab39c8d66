//! The content of a backup, and the merge of two backups.
//!
//! Records are rows with a key: beads, memories, sessions. A merge of two states of a record drops nothing:
//! the later one wins, and growing lists (comments) are combined. A conversation is a list of messages by id.
//! Everything is written in a fixed order, so that equal records give equal bytes.
//!
//! Deliberately elsewhere: where a backup is stored and how it gets there.

mod conversation;
mod manifest;
mod records;
mod restoring;
mod session;

pub use conversation::Conversation;
pub use manifest::{Manifest, ManifestError};
pub use records::{Kind, Record, Records, Tie};
pub use restoring::{Changes, changes};
pub use session::session_record;

/// The branch that stores backups.
pub const BRANCH: &str = "beads-backup";

#[cfg(test)]
mod tests;
