//! Errors of memory operations.

use bc_beads::TrackerError;
use bc_core::memory::InvalidMemory;
use bc_store::FileError;
use std::path::PathBuf;

/// Why a memory could not be stored, found or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    #[error(transparent)]
    Invalid(#[from] InvalidMemory),
    #[error("there is no memory {key:?}")]
    NotFound {
        /// The requested key or id.
        key: String,
    },
    #[error("there is no session {id:?}: it has no memories and no record")]
    UnknownSession {
        /// The session id as the caller gave it.
        id: String,
    },
    #[error("{key:?} cannot be linked to itself")]
    LinkedToItself { key: String },
    #[error("{one:?} and {other:?} are not linked")]
    NotLinked {
        /// The key or id of one memory, as the caller gave it.
        one: String,
        /// The key or id of the other memory or bead, as the caller gave it.
        other: String,
    },
    /// `memories.jsonl` or a lock file could not be read or written.
    #[error("{operation} failed")]
    File {
        /// The subject of the message, such as `reading the memories`.
        operation: &'static str,
        #[source]
        source: FileError,
    },
    /// Another process held the lock until the time limit.
    #[error("{} is locked by another process; try again", .path.display())]
    Busy { path: PathBuf },
    /// The tracker failed, and this operation has no fallback.
    #[error("the tracker failed")]
    Tracker(#[source] TrackerError),
}
