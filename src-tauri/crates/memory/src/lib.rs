//! Agents' memories: [`MemoryProvider`] stores them in the project's tracker or in a separate file.
//! - `file/` is `.beads/memories.jsonl`. It has the memories of a project without a tracker program, and pending
//!   memories: those that could not be stored because the tracker program failed.
//! - `tracker_backend` stores memories as pinned beads of bd or br, and reads bd's own memories.
//! - `provider` has the operations on memories, and `links` those on links. `migrate_pending` moves pending memories
//!   from the file into the tracker. `restore` restores whole rows from a backup.
//!
//! Deliberately elsewhere: the definition and ranking of memories (`bc_core::memory`), the check for secrets, and the
//! choice of the memories that an agent gets (the engine).
//!
//! Invariants: a stored memory is on disk when the call returns. A memory is never a ready bead. If the tracker
//! fails, no memory is lost, and the result says where the memory was stored.

mod cache;
mod error;
mod file;
mod links;
mod migrate_pending;
mod provider;
mod restore;
#[cfg(test)]
mod tests;
mod tracker_backend;

pub use error::ProviderError;
pub use provider::{Action, Caller, KeptIn, Loaded, MemoryProvider, Place, Retrieved, Stored};
