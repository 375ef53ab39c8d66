//! Repositories, branches, worktrees and commits, through the git program.
//!
//! Deliberately not in here: when a session needs a branch or a worktree, and when a branch of ours goes to a
//! remote: the engine decides.
//!
//! Invariants: nothing of the repository is executed (no hook, no file system monitor, no external
//! diff, no signature check); every path comes from a NUL separated listing; a branch is a parsed
//! [`bc_core::ids::BranchName`] and a revision never starts with `-`; git is never asked a question
//! on a terminal.

mod aside;
mod branch;
mod commits;
mod contents;
mod error;
mod files;
#[cfg(test)]
mod fixture;
mod head_log;
mod init;
mod labels;
mod landing;
mod loss;
mod merge;
#[cfg(test)]
mod merge_tests;
mod moved;
mod person;
mod plain;
mod program;
mod remote;
mod repo;
mod review;
#[cfg(test)]
mod review_tests;
mod status;
mod tracked;
mod untracked;
mod visible;
mod worktree;

pub use aside::{Moved, ObjectId};
pub use commits::Commit;
pub use error::GitError;
pub use head_log::HeadLog;
pub use landing::Followed;
pub use loss::Loss;
pub use merge::Combined;
pub use program::Git;
pub use remote::Pushed;
pub use repo::{Head, Repo};
pub use review::{FileDiff, FileDiffs, Spaces, TreeDiffs};
pub use status::{Change, ChangedFile, Status};
pub use worktree::{Worktree, WorktreeBranch};
