//! Removes the worktree and the hook copies of a closed session, which would only take up disk space.

use super::{folders::ProjectFolders, hooks};
use bc_core::session::Status;

const RUNS: &str = "the session is still running at the place";

/// Removes the worktree and the copied hooks. The record and the branch stay. The user's machine has already fetched
/// the branch.
///
/// # Errors
/// The session is still running, or its worktree has uncommitted files or another branch. Nothing is removed.
pub(super) fn clean(folder: &str, project: &str, session: &str) -> Result<(), String> {
    let (folders, session) = ProjectFolders::parse(folder, project, session)?;
    let Some((dir, _)) = folders.session(session) else { return Ok(()) };
    let lock = dir.try_lock().map_err(|error| error.to_string())?.ok_or(RUNS)?;
    // If the session was closed on the user's machine while it was paused, it is still paused at the place.
    let meta = lock.meta().map_err(|error| error.to_string())?;
    if meta.status == Status::Active {
        return Err(RUNS.to_owned());
    }
    let worktree = folders.worktree(session);
    if worktree.exists() {
        let text = |error: bc_git::GitError| error.to_string();
        let repo = folders.repository()?;
        let head = repo.at(&worktree).and_then(|tree| tree.head()).map_err(text)?;
        if head.branch != meta.branch {
            return Err(
                "its worktree has another branch or commit, which may not have been fetched".to_owned()
            );
        }
        // Git refuses if there are uncommitted files.
        repo.worktree_remove(&worktree).map_err(text)?;
    }
    hooks::remove(&folders, session)
}
