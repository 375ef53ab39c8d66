//! Backups of a project: beads, memories and session records, on a separate branch of the repository; and their
//! restore.
//!
//! A backup needs neither the engine nor its lock; a view of the project suffices. It is merged record by record
//! with the branch and the remote, so that several machines can share a branch without losing records. A restore
//! writes sessions, so it needs the engine.
//!
//! `branch` names the branch, `secrets` removes secrets, `snapshot` reads the local data, `conversation_files` cuts and joins
//! conversations, and `committed` reads a
//! commit. `run` creates a backup, `restore` restores one, `state` stores the last result, and `status` reports on
//! all three places.
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
