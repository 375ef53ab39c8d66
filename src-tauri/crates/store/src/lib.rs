//! The one way files are written; the session store, its index and its locks.
//!
//! - [`mod@file`]: replacing, reading and appending, with what a crash can still lose said at each.
//! - [`lock`]: locks that die with their last holder and can be handed down to a child.
//! - [`SessionStore`]: `.beads/sessions`. Reading needs no lock; whoever holds a session's
//!   [`SessionLock`] writes its files, nobody else can.
//!
//! Deliberately not in here: what the files mean to a running session (the host's and the engine's
//! business), the trackers' files (`bc-beads`) and anything asynchronous.

// So that what tests share with programs of their own names it alike.
#[cfg(test)]
extern crate self as bc_store;

mod error;
pub mod file;
pub mod lock;
mod os;
pub mod session;
#[cfg(all(test, unix))]
mod simulated;

pub use error::FileError;
pub use session::{KnownSessions, SessionDir, SessionLock, SessionStore, StoreError};
