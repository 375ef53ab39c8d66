//! The commands on beads, and the detection of their changes.
//!
//! May use: `context`, `recovery`, `session`.

mod changes;
mod commands;

pub use changes::BeadChanges;
pub(crate) use commands::{blocked, claim, close, comment, create, list, ready, show, submit};
