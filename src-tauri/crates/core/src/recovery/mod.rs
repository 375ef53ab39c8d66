//! Recovery of an agent's context: the recovery block, its stored data, and a session's comments on its bead.
//!
//! This module is pure. The engine queries the tracker and git; the host injects the text into claude's
//! context.

mod block;
mod comments;
mod facts;
mod fit;
mod injection;
mod stores;
#[cfg(test)]
mod tests;
mod trail;

pub use block::{Commands, block, static_prime};
pub use comments::{
    CHANGES_REQUESTED, CHECKPOINT, Checkpoint, checkpoint_comment, commit_comment, files_comment,
    is_comment_on_commit, is_files_comment, reminder,
};
pub use facts::{Facts, Link};
pub use fit::BLOCK_MAX;
pub use injection::{INJECTION_VERSION, Injection, Reason};
pub use stores::{Change, CheckpointState, Known, MadeCommit, STORES_VERSION, Stores};
pub use trail::{relative_time, trail};
