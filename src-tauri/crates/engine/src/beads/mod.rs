//! The bead commands, and the detection of changes by other programs.
//!
//! May use: `context`, `merge_queue`, `recovery`, `session`.

mod attention;
mod audit;
mod changes;
mod commands;
mod dates;
mod edits;
mod graph;
mod query;
mod review;

pub(crate) use attention::{next, stale};
pub(crate) use audit::audit;
pub use changes::BeadChanges;
pub(crate) use commands::{blocked, claim, close, comment, create, list, ready, show};
pub(crate) use edits::{capabilities, delete, dep_add, dep_remove, reopen, undelete, update};
pub(crate) use graph::graph;
pub(crate) use query::query;
pub(crate) use review::{approve, reject, submit};
