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
/// The session still runs, or its worktree has uncommitted files; nothing is removed.
pub(super) fn clean(folder: &str, project: &str, session: &str) -> Result<(), String> {
    let project: ProjectId = project.parse().map_err(|_| "the project's id is not valid".to_owned())?;
    let session: SessionId = session.parse().map_err(|_| "the session's id is not valid".to_owned())?;
    let folders = ProjectFolders::of(folder, &project)?;
    let Some((dir, _)) = folders.session(session) else { return Ok(()) };
    let lock = dir.try_lock().map_err(|error| error.to_string())?.ok_or(RUNS)?;
    // A session that was closed on the user's machine while it was paused is still paused here.
    if lock.meta().map_err(|error| error.to_string())?.status == Status::Active {
        return Err(RUNS.to_owned());
    }
    let worktree = folders.worktree(session);
    if worktree.exists() {
        // Git refuses if there are uncommitted files.
        folders.repository()?.worktree_remove(&worktree).map_err(|error| error.to_string())?;
    }
    hooks::remove(&folders, session)
}
