//! Checkpoints: states of a working tree, tracked and untracked files that git does not ignore, as commits
//! under private references, `refs/beads-console/checkpoints/SESSION/NUMBER`.
//!
//! Invariants: the user's index, HEAD, branches and stash are only read. Making a checkpoint changes no file;
//! a restore changes only files that a checkpoint made just before it has kept. A checkpoint's record is its
//! commit's message, so that they cannot differ. Files in a `.beads` folder and submodules are never restored.

mod counts;
mod keep;
#[cfg(test)]
mod kill_tests;
mod place;
mod private_index;
mod record;
mod restore;
#[cfg(test)]
mod restore_tests;
mod snapshot;
#[cfg(test)]
mod tests;

pub use counts::FileCount;
pub use keep::{KeptState, NewTurn};
pub use place::SkippedFile;
pub use record::{
    Checkpoint, CheckpointRecord, CheckpointTurn, LeftOut, LeftOutFile, LeftOutReason, PromptPlace,
};
pub use restore::{AppliedRestore, RestoreFailure};
pub use snapshot::TreeSnapshot;
