//! Errors of the session store, and problems that are reported without an error.

use crate::FileError;
use bc_core::ids::SessionId;
use std::path::PathBuf;

/// A failed operation of the session store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file operation failed. The error names the operation and the path.
    #[error(transparent)]
    File(#[from] FileError),
    #[error("there is no session {id}; list the sessions to find the right one")]
    NoSession { id: SessionId },
    #[error("session {id} already exists")]
    SessionExists { id: SessionId },
    /// A file's content is not valid.
    #[error("cannot parse {}; repair it, or move it away", path.display())]
    Broken {
        path: PathBuf,
        /// The parser's error, with the position and the reason.
        source: serde_json::Error,
    },
    /// A session's folder contains another session's `meta.json`.
    #[error("{} is the meta.json of session {id}; rename the folder or remove it", path.display())]
    Misplaced { path: PathBuf, id: SessionId },
    /// A value cannot be represented in JSON.
    #[error("the data for {} is not JSON", path.display())]
    Encode { path: PathBuf, source: serde_json::Error },
    /// The session's lock is already held, usually by its host.
    #[error("session {id} is in use; pause or end it first")]
    InUse { id: SessionId },
    /// The index's lock did not become free within the time limit.
    #[error("{} is locked by another process; try again", path.display())]
    IndexBusy {
        /// The path of the lock file.
        path: PathBuf,
    },
}

impl StoreError {
    /// Whether the operation failed because the disk or the user's quota is full.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, StoreError::File(error) if error.is_disk_full())
    }

    /// Whether the operation failed because writing is not permitted.
    pub fn is_read_only(&self) -> bool {
        matches!(self, StoreError::File(error) if error.is_read_only())
    }
}

/// An item that was skipped while reading. Intact items are not affected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A session's `meta.json` could not be read.
    #[error("cannot read the session in {}", path.display())]
    BrokenSession { path: PathBuf, source: StoreError },
    /// A folder in the sessions folder is not a session.
    #[error("{} is not a session: its name is not a UUID", path.display())]
    NoSession { path: PathBuf },
    /// The file ends with a torn line, which was skipped.
    #[error("{} ends with an incomplete line of {bytes} bytes", path.display())]
    TornLine {
        path: PathBuf,
        /// The line's length, in bytes.
        bytes: u64,
    },
    /// A torn line was moved to another file.
    #[error("an incomplete line of {bytes} bytes was moved from {} to {}", path.display(), aside.display())]
    SetAside {
        path: PathBuf,
        /// The file to which the line was moved.
        aside: PathBuf,
        /// The line's length, in bytes.
        bytes: u64,
    },
    /// A line does not have the file's format. It was skipped and remains in the file.
    #[error("line {line} of {} is not a message", path.display())]
    ForeignLine {
        path: PathBuf,
        /// The line number, counted from 1.
        line: u64,
        source: serde_json::Error,
    },
}
