//! The content of a backup, and the merge of two backups.
//!
//! Records are rows with a key: beads, memories, sessions. A merge never drops a record: of two states of a
//! record, the later one wins, and growing lists (comments) are combined. A conversation is a list of
//! messages by id. All files are written in a fixed order, so that equal records give equal bytes.
//!
//! Storage and transfer of backups are deliberately elsewhere.

mod changes;
mod conversation;
mod manifest;
mod records;
mod session;

pub use changes::{Changes, changes};
pub use conversation::Conversation;
pub use manifest::{Manifest, ManifestError};
pub use records::{Kind, Record, Records, Tie};
pub use session::session_record;

/// The branch that stores backups.
pub const BRANCH: &str = "beads-backup";

#[cfg(test)]
mod tests;
