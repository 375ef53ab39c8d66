//! Checkpoints: states of a working tree as commits under private references,
//! `refs/beads-console/checkpoints/SESSION/NUMBER`. They contain the tracked files, and the untracked ones that git
//! does not ignore, up to limits of size and number.
//!
//! Invariants: the user's index, HEAD, branches and stash are only read. Making a checkpoint changes no file.
//! A restore, except into a new worktree, first keeps the current state as a checkpoint, and never overwrites
//! or deletes a file that this checkpoint lacks. A checkpoint's record is its commit's message, so that the
//! record and the files cannot diverge. Files in a `.beads` folder and submodules are never restored.

mod counts;
mod keep;
#[cfg(test)]
mod kill_tests;
mod private_index;
mod record;
mod restore;
#[cfg(test)]
mod restore_tests;
mod snapshot;
#[cfg(test)]
mod tests;
mod tree_files;

pub use counts::FileCount;
pub use keep::{KeptState, NewTurn};
pub(crate) use record::reference as checkpoint_reference;
pub use record::{
    Checkpoint, CheckpointRecord, CheckpointTurn, LeftOut, LeftOutFile, LeftOutReason, PromptPlace,
};
pub use restore::{AppliedRestore, RestoreFailure};
pub use snapshot::TreeSnapshot;
pub use tree_files::SkippedFile;
