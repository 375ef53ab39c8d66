//! What the working folder is when claude has ended, for the resume to compare.

use bc_core::{Timestamp, session::Meta};
use bc_git::Repo;
use bc_store::session::{Left, fingerprint};
use std::path::Path;

/// How many of the session's files are remembered.
const FILES_MAX: usize = 1_000;

/// Looks; what cannot be found out is left out.
pub(super) fn look(meta: &Meta, cwd: &Path, now: Timestamp) -> Left {
    let mut left = Left::new(now);
    if let Ok(repo) = Repo::discover(cwd) {
        left.head = repo.head().ok().and_then(|head| head.commit);
        let base = meta.base_branch.as_ref();
        left.base = base.and_then(|base| repo.tip(base).ok().flatten());
        left.tree = repo.uncommitted().unwrap_or_default();
    }
    let files = meta.files_touched.iter().take(FILES_MAX);
    left.files = files.map(|path| (path.clone(), fingerprint(&cwd.join(path)))).collect();
    left
}
