//! Removes a closed session's worktree from an ssh place.

use crate::{
    access::{PlaceAccess, Sharing},
    verbs::{CLEAN, PLACE_VERB},
};
use bc_core::{
    ids::{ProjectId, SessionId},
    text::{cut, one_line},
};
use std::time::Duration;

/// Removes the worktree of a session that is closed on this machine and whose work was fetched. A container or pod
/// has none, because it is removed as a whole.
///
/// # Errors
/// The reason, as one line: the place cannot be reached, the session is still running, or its worktree has
/// uncommitted files or another branch.
pub fn remove_worktree(
    place: &PlaceAccess,
    project: &ProjectId,
    session: SessionId,
    within: Duration,
) -> Result<(), String> {
    if place.is_per_session() {
        return Ok(());
    }
    let args = [PLACE_VERB, CLEAN, &place.folder, project.as_str(), &session.to_string()];
    let run = place.prepare(Sharing::Alone, &args).timeout(within).run();
    let done = run.map_err(|error| error.to_string())?;
    if done.ok() { Ok(()) } else { Err(cut(&one_line(&done.err()), 300)) }
}
