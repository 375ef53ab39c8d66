//! What can go wrong with the session store, and what is merely worth telling.

use crate::FileError;
use bc_core::ids::SessionId;
use std::path::PathBuf;

/// What could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file layer; it names the operation and the path itself.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no such session.
    #[error("there is no session {id}; list them to see which there are")]
    NoSession {
        /// The id asked for.
        id: SessionId,
    },
    /// There is a session with the id already.
    #[error("there is a session {id} already")]
    SessionExists {
        /// The id.
        id: SessionId,
    },
    /// A file does not hold what it should.
    #[error("{} cannot be understood; repair it, or move it away", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A session's folder has another session's `meta.json`.
    #[error("{} is the meta.json of session {id}; rename the folder or remove it", path.display())]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// The id in it.
        id: SessionId,
    },
    /// A value that JSON cannot hold.
    #[error("what was to be written to {} is no JSON", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The session's host runs, so its files are not ours.
    #[error("session {id} is in use; pause or end it first")]
    InUse {
        /// The session.
        id: SessionId,
    },
    /// Somebody holds the index's lock for too long.
    #[error("{} is held by another program; try again", path.display())]
    IndexBusy {
        /// The lock file.
        path: PathBuf,
    },
}

impl StoreError {
    /// Whether the disk is full.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, StoreError::File(error) if error.is_disk_full())
    }

    /// Whether the place cannot be written to.
    pub fn is_read_only(&self) -> bool {
        matches!(self, StoreError::File(error) if error.is_read_only())
    }
}

/// Something that was passed over and is worth telling; what was intact is not affected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A session's folder cannot be read.
    #[error("the session in {} cannot be read", path.display())]
    BrokenSession {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: StoreError,
    },
    /// A folder among the sessions that is none.
    #[error("{} is no session: its name is not a UUID", path.display())]
    NoSession {
        /// The folder.
        path: PathBuf,
    },
    /// The file ends in a torn line, which was passed over.
    #[error("{} ends in a torn line of {bytes} bytes", path.display())]
    TornLine {
        /// The file.
        path: PathBuf,
        /// The line's length.
        bytes: u64,
    },
    /// A torn line was moved out of the way.
    #[error("a torn line of {bytes} bytes was moved from {} to {}", path.display(), aside.display())]
    SetAside {
        /// The file.
        path: PathBuf,
        /// Where the line is now.
        aside: PathBuf,
        /// The line's length.
        bytes: u64,
    },
    /// A line that is no message, which was passed over and stays where it is.
    #[error("line {line} of {} is no message", path.display())]
    ForeignLine {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: u64,
        /// Why.
        source: serde_json::Error,
    },
}
