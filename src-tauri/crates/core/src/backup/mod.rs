//! What a backup is made of, and how two of them become one.
//!
//! Records are rows by a key: beads, memories, sessions. Two states of one record merge so that nothing is
//! dropped: the later one counts, and what only grows (comments) is taken of both. A conversation is a list of
//! messages by id. Everything is written in one order, so that the same records always give the same bytes.
//!
//! Where a backup is kept, and how it gets there, is not in here.

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

/// The branch that backups are kept on.
pub const BRANCH: &str = "beads-backup";

#[cfg(test)]
mod tests;
