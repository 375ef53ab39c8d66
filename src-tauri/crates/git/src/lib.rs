//! Repositories, branches, worktrees and commits, through the git program.
//!
//! Deliberately elsewhere: the engine decides when a session needs a branch or a worktree, and when a branch
//! is pushed.
//!
//! Invariants: hooks, file system monitors, external diffs and signature checks of the repository never run.
//! A filter or other program from its configuration runs only if the user allowed it ([`Programs`]). Lists of
//! paths are NUL-separated, except the list of worktrees of git before 2.36. A branch is a parsed
//! [`bc_core::ids::BranchName`], and a revision never starts with `-`. Git never prompts on a terminal.

mod branch;
mod checkpoints;
mod commit_builder;
mod commits;
mod content_hashing;
mod content_ids;
mod error;
mod file_diff;
mod file_list;
#[cfg(test)]
mod fixture;
mod gitdir_fast_path;
mod head;
mod head_log;
mod init;
mod merge;
#[cfg(test)]
mod merge_tests;
mod place;
mod program;
mod ref_update;
mod release_tags;
mod remote;
mod repo;
mod repo_programs;
#[cfg(test)]
mod repo_programs_tests;
mod status;
mod status_labels;
mod stored_versions;
mod tree_diffs;
#[cfg(test)]
mod tree_diffs_tests;
mod tree_edits;
mod untracked;
mod worktree;
mod worktree_loss;
mod worktree_paths;

pub use checkpoints::{
    AppliedRestore, Checkpoint, CheckpointRecord, CheckpointTurn, FileCount, KeptState, LeftOut, LeftOutFile,
    LeftOutReason, NewTurn, PromptPlace, RestoreFailure, SkippedFile, TreeSnapshot,
};
pub use commit_builder::{ObjectId, RefMove};
pub use commits::Commit;
pub use error::GitError;
pub use file_diff::FileDiff;
pub use head::Head;
pub use head_log::HeadLog;
pub use init::{Author, Content};
pub use merge::Combined;
pub use place::{PlaceTransport, PushedCheckpoints};
pub use program::{Git, INHERITED_VARIABLES};
pub use ref_update::TreeUpdate;
pub use remote::PushOutcome;
pub use repo::Repo;
pub use repo_programs::Programs;
pub use status::{Change, ChangedFile, Status};
pub use stored_versions::KeptVersion;
pub use tree_diffs::{FileDiffs, Spaces, TreeDiffs};
pub use tree_edits::CommitOutcome;
pub use worktree::{Worktree, WorktreeBranch};
pub use worktree_loss::Loss;
