//! Marks a session if its work could not be fetched from its place, so that its container, pod or worktree is kept.

use bc_store::{SessionDir, file};
use std::path::PathBuf;

fn path(dir: &SessionDir) -> PathBuf {
    dir.path().join("unfetched")
}

/// Whether the session may have work that exists only at its place.
pub fn has_unfetched_work(dir: &SessionDir) -> bool {
    path(dir).exists()
}

/// Records whether a session without a host may have work that exists only at its place. A failure is logged.
pub fn mark_unfetched(dir: &SessionDir, unfetched: bool) {
    let done = if unfetched { file::replace(&path(dir), b"") } else { file::remove(&path(dir)) };
    if let Err(error) = done {
        tracing::warn!(%error, "the mark of unfetched work could not be changed");
    }
}
