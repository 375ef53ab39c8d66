//! What can go wrong with the fleet's state.

use bc_core::{
    fleet::{HookRefused, QueueRefused},
    ids::InvalidId,
};
use bc_store::FileError;
use std::path::PathBuf;

/// A change that was not made, or a state that could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// There is no such agent.
    #[error("there is no agent {0:?} in the fleet")]
    NoAgent(String),
    /// There is no such piece of work.
    #[error("there is no work item {0:?} in the fleet")]
    NoWork(String),
    /// There is no such convoy.
    #[error("there is no convoy {0:?}")]
    NoConvoy(String),
    /// It must not happen.
    #[error(transparent)]
    Refused(#[from] HookRefused),
    /// The queue must not change so.
    #[error(transparent)]
    Queue(#[from] QueueRefused),
    /// A convoy of nothing.
    #[error("a convoy needs at least one bead")]
    EmptyConvoy,
    /// A text is missing or too long.
    #[error("{what} {why}")]
    Text {
        /// Which text.
        what: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A name that is none.
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// A file is not what this build can read, and so is not changed.
    #[error("{} cannot be read and is left as it is: {why}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        why: String,
    },
    /// Somebody holds the lock, or changes the file again and again.
    #[error("another program is changing {}: try again", path.display())]
    Busy {
        /// What it is changing.
        path: PathBuf,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}
