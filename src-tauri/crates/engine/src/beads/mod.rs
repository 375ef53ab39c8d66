//! The commands on beads, and the detection of their changes.
//!
//! May use: `context`, `recovery`, `session`.

mod changes;
mod commands;
mod dates;
mod edits;

pub use changes::BeadChanges;
pub(crate) use commands::{blocked, claim, close, comment, create, list, ready, show, submit};
pub(crate) use edits::{capabilities, delete, dep_add, dep_remove, reopen, undelete, update};

/// The answer of commands that are not implemented yet.
pub(crate) fn unfinished() -> bc_wire::ApiError {
    bc_wire::ApiError::new(bc_wire::ErrorCode::TrackerUnsupported, "this command is not available yet")
}
