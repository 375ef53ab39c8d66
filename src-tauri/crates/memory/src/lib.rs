//! What agents remember: [`MemoryProvider`] over the project's tracker, or over a file of its own.
//!
//! - `file/` is `.beads/memories.jsonl`: where memories are in a project whose tracker is no program, and
//!   where they wait while a tracker's program fails;
//! - `shelf` has them as pinned beads of bd or br, and knows bd's own memories;
//! - `provider` is the contract, `links` the part of it on links; `settle` moves what waits in the file into the tracker;
//!   `take_in` takes whole rows from a backup.
//!
//! Deliberately not in here: what a memory is and which comes first (`bc_core::memory`), secrets, and when
//! an agent is told what.
//!
//! Invariants: what was stored is on disk when the call returns; a memory is never work; a tracker that
//! fails costs no memory, and whoever stored it is told where it is.

mod cache;
mod context;
mod error;
mod file;
mod links;
mod provider;
mod settle;
mod shelf;
mod take_in;
#[cfg(test)]
mod tests;

pub use context::SessionContext;
pub use error::ProviderError;
pub use provider::{Action, Caller, KeptIn, Loaded, MemoryProvider, Place, Retrieved, Stored};
