//! What an agent is told so that it finds its way again, and what is kept for that: the recovery block,
//! the stores behind it, the comments that a session leaves on its bead.
//!
//! Pure. Who asks the tracker and git is the engine, who puts it into claude's context the host.

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
    CHECKPOINT, Checkpoint, checkpoint_comment, commit_comment, files_comment, is_comment_on_commit,
    is_files_comment, reminder,
};
pub use facts::{Facts, Link};
pub use fit::BLOCK_MAX;
pub use injection::{INJECTION_VERSION, Injection, Reason};
pub use stores::{Change, CheckpointState, Known, MadeCommit, STORES_VERSION, Stores};
pub use trail::{relative_time, trail};
