//! Marks a session if its work could not be fetched from its place, so that the container or pod is kept.

use bc_store::{SessionDir, file};
use std::path::PathBuf;

fn path(dir: &SessionDir) -> PathBuf {
    dir.path().join("unfetched")
}

/// Whether the session may have work that exists only at its place.
pub fn has_unfetched_work(dir: &SessionDir) -> bool {
    path(dir).exists()
}

/// Sets or removes the mark. A failure is logged.
pub(crate) fn mark(dir: &SessionDir, unfetched: bool) {
    let done = match (unfetched, has_unfetched_work(dir)) {
        (true, false) => file::replace(&path(dir), b"").map(drop),
        (false, true) => file::remove(&path(dir)).map(drop),
        _ => Ok(()),
    };
    if let Err(error) = done {
        tracing::warn!(%error, "the mark of unfetched work could not be changed");
    }
}
