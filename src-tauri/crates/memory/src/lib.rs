//! Agents' memories: [`MemoryProvider`] stores them in the project's tracker or in a separate file.
//! - `file/` is `.beads/memories.jsonl`. It holds the memories of a project without a tracker program, and
//!   those that wait because the tracker program failed.
//! - `tracker_backend` stores memories as pinned beads of bd or br, and reads bd's own memories.
//! - `provider` is the contract, `links` its part about links. `migrate_pending` moves waiting memories from the file
//!   into the tracker. `restore` restores whole rows from a backup.
//!
//! Deliberately elsewhere: the definition and ranking of memories (`bc_core::memory`), secrets, and the
//! choice of what an agent receives.
//!
//! Invariants: a stored memory is on disk when the call returns; a memory is never work; a failing tracker
//! loses no memory, and the caller learns where the memory is.

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
