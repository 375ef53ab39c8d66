//! What can go wrong with memories.

use bc_beads::TrackerError;
use bc_core::memory::InvalidMemory;
use bc_store::FileError;
use std::path::PathBuf;

/// A memory that could not be stored, found or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// What was given cannot be stored.
    #[error(transparent)]
    Invalid(#[from] InvalidMemory),
    /// There is no such memory.
    #[error("there is no memory {key:?}")]
    NotFound {
        /// The key or id that was asked for.
        key: String,
    },
    /// Nobody knows the session.
    #[error("there is no session {id:?}: no memory was stored in it, and it has no record")]
    UnknownSession {
        /// Its id, as given.
        id: String,
    },
    /// A memory cannot be linked to itself.
    #[error("{key:?} cannot be linked to itself")]
    LinkedToItself {
        /// It.
        key: String,
    },
    /// There is no link to take away.
    #[error("{one:?} and {other:?} are not linked")]
    NotLinked {
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// The file could not be read or written.
    #[error("{operation} failed")]
    File {
        /// What was to be done.
        operation: &'static str,
        /// Which file, and why.
        #[source]
        source: FileError,
    },
    /// Somebody else held the file for as long as we tried.
    #[error("another program holds {} still; try again", .path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
    },
    /// The tracker failed where there is no other way.
    #[error("the tracker could not do it")]
    Tracker(#[source] TrackerError),
}
