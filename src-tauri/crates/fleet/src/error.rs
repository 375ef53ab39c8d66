//! Errors of the fleet's state.

use bc_core::{
    fleet::{HookRefused, QueueRefused},
    ids::{FleetAgentId, InvalidId},
};
use bc_store::FileError;
use std::path::PathBuf;

/// A failure to read or change the fleet's state.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    #[error("there is no agent {0:?} in the fleet")]
    NoAgent(String),
    #[error("there is no work item {0:?} in the fleet")]
    NoWork(String),
    #[error("there is no convoy {0:?}")]
    NoConvoy(String),
    /// The state of a hook does not allow the change.
    #[error(transparent)]
    Refused(#[from] HookRefused),
    /// The state of the merge queue does not allow the change.
    #[error(transparent)]
    Queue(#[from] QueueRefused),
    #[error("a convoy needs at least one bead")]
    EmptyConvoy,
    #[error("{agent} is already named {name:?}")]
    NameTaken { name: String, agent: FleetAgentId },
    /// A name, title or description is blank or too long, or has characters that are not allowed.
    #[error("{what} {why}")]
    Text {
        /// The name of the text, such as "the title".
        what: &'static str,
        /// The problem, such as "is empty".
        why: &'static str,
    },
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// This build cannot parse the file, so it is not changed.
    #[error("cannot read {}, which is left unchanged: {why}", path.display())]
    Corrupt {
        path: PathBuf,
        /// The parser's message.
        why: String,
    },
    /// The lock was not free within its time limit, or other programs kept changing the file.
    #[error("{} is being changed by another process: try again", path.display())]
    Busy {
        /// The path of the lock or of the file.
        path: PathBuf,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}
