//! Durable file operations, and the session store with its index and its locks.
//! - [`mod@file`] replaces, reads and appends to files; each function states what a crash can lose.
//! - [`repository`] safely reads files from a repository, which can be of any kind and size.
//! - [`lock`] provides locks that are released when their last holder exits and that can be passed to a child
//!   process.
//! - [`watch`] reports file changes.
//! - [`spelling`] finds the stored spelling of a path, and [`volume`] the properties of a folder's storage.
//! - [`SessionStore`] manages `.beads/sessions`. Reading does not require a lock; only the holder of a
//!   session's [`SessionLock`] writes the session's files, except for those in `person`.
//!
//! Deliberately elsewhere: the use of the files by a running session (host and engine), the trackers' files
//! (`bc-beads`), and asynchronous code.

// Some test code is shared with the test programs in `tests`, which use the crate by this name.
#[cfg(test)]
extern crate self as bc_store;

mod error;
pub mod file;
pub mod lock;
mod os;
pub mod repository;
pub mod session;
#[cfg(all(test, unix))]
mod simulated;
pub mod spelling;
pub mod volume;
pub mod watch;
#[cfg(test)]
mod watch_tests;

pub use error::FileError;
pub use session::{RecordCache, SessionDir, SessionLock, SessionStore, StoreError};
