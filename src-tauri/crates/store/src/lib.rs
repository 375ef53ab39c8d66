//! Durable file operations, and the session store with its index and its locks.
//! - [`mod@file`] replaces, reads and appends to files; each function states what a crash can lose.
//! - [`repository`] reads files from a repository, which can be of any kind and size.
//! - [`lock`] has locks that are released when their last holder ends, and that can be passed to a child process.
//! - [`watch`] reports changes of files.
//! - [`SessionStore`] is `.beads/sessions`. Reading needs no lock; only the holder of a session's
//!   [`SessionLock`] writes its files.
//!
//! Deliberately elsewhere: what the files mean to a running session (host and engine), the trackers' files
//! (`bc-beads`), and asynchronous code.

// Tests share code with separate programs, which then use the same crate name.
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
