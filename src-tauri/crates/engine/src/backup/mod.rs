//! Backs up a project and restores backups. A backup contains the beads, memories, session records and, if
//! wanted, conversations, on a separate branch of the repository.
//!
//! A backup needs neither an engine nor its lock. Its records are merged with those on the branch and the remote, so
//! several machines can share a branch without losing records. A restore writes sessions, so it needs the engine.
//!
//! `branch` names the branch, `secrets` removes secrets, `snapshot` reads the local data, `conversation_files` cuts
//! and joins conversations, and `committed` reads a commit. `run` creates a backup, `restore` restores one, `state`
//! stores the result of the last backup, and `status` reports on all three tiers.
//!
//! May use: `context`, `memory`, `settings`.

mod branch;
mod committed;
mod conversation_files;
mod restore;
mod run;
mod secrets;
mod snapshot;
mod state;
mod status;

pub use restore::{prefix_in_backup, preview_at};
pub(crate) use restore::{preview, restore};
pub(crate) use run::run;
pub(crate) use status::{check, status, sync_tracker};
