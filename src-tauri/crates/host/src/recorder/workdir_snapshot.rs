//! A snapshot of the working folder after claude has exited. A resume, and the list of a closed session's
//! changes, compare it with the current folder.

use bc_core::{Timestamp, session::Meta};
use bc_git::Repo;
use bc_store::session::{WorkdirSnapshot, fingerprint};
use std::path::Path;

/// The maximum number of the session's files in a snapshot.
const FILES_MAX: usize = 1_000;

/// Takes the snapshot; unknown parts are omitted.
pub(super) fn take(meta: &Meta, cwd: &Path, now: Timestamp) -> WorkdirSnapshot {
    let mut snapshot = WorkdirSnapshot::new(now);
    if let Ok(repo) = Repo::discover(cwd) {
        snapshot.head = repo.head().ok().and_then(|head| head.commit);
        let base = meta.base_branch.as_ref();
        snapshot.base = base.and_then(|base| repo.tip(base).ok().flatten());
        snapshot.tree = repo.uncommitted().unwrap_or_default();
    }
    let files = meta.files_touched.iter().take(FILES_MAX);
    snapshot.files = files.map(|path| (path.clone(), fingerprint(&cwd.join(path)))).collect();
    snapshot
}
