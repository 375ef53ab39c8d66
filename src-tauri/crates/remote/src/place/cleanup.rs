//! Removes the worktree of a closed session, which would only take up disk space.

use super::{folders::ProjectFolders, hooks};
use bc_core::{
    ids::{ProjectId, SessionId},
    session::Status,
};

const RUNS: &str = "the session still runs there";

/// Removes the worktree and the copied hooks. The record and the branch stay. The user's machine has already fetched
/// the branch.
///
/// # Errors
/// The session still runs, or its worktree has uncommitted files or another branch; nothing is
/// removed.
pub(super) fn clean(folder: &str, project: &str, session: &str) -> Result<(), String> {
    let project: ProjectId = project.parse().map_err(|_| "the project's id is not valid".to_owned())?;
    let session: SessionId = session.parse().map_err(|_| "the session's id is not valid".to_owned())?;
    let folders = ProjectFolders::of(folder, &project)?;
    let Some((dir, _)) = folders.session(session) else { return Ok(()) };
    let lock = dir.try_lock().map_err(|error| error.to_string())?.ok_or(RUNS)?;
    // A session that was closed on the user's machine while it was paused is still paused here.
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
                "another branch or commit is checked out there, which may not have been fetched".to_owned()
            );
        }
        // Git refuses if there are uncommitted files.
        repo.worktree_remove(&worktree).map_err(text)?;
    }
    hooks::remove(&folders, session)
}
