//! The one way files are written; the session store, its index and its locks.
//!
//! - [`file`]: replacing, reading and appending, with what a crash can still lose said at each.
//! - [`lock`]: locks that die with their last holder and can be handed down to a child.
//!
//! Deliberately not in here: what the files mean to a running session (the host's and the engine's
//! business), the trackers' files (`bc-beads`) and anything asynchronous.

mod error;
pub mod file;
pub mod lock;
mod os;

pub use error::FileError;
