//! Finds moved worktrees, and the session that works in a worktree.

use crate::context::{Context, errors::store_error};
use bc_core::{
    ids::SessionId,
    session::{Meta, Status},
};
use bc_git::Repo;
use bc_wire::ApiError;
use std::path::{Path, PathBuf};

/// Finds the current path of a moved worktree, in the parent folder of its old path and in the folder for new
/// worktrees. Returns `None` if the worktree was not moved or was not found.
pub(crate) fn moved_to(repo: &Repo, tree: &Path, folder: &Path) -> Option<PathBuf> {
    if tree.join(".git").is_file() {
        return None;
    }
    let beside = tree.parent().map(Path::to_owned);
    let folders: Vec<PathBuf> = beside.into_iter().chain([folder.to_owned()]).collect();
    repo.worktree_moved_to(tree, &folders)
}

/// The session that prevents the tree's removal: a session that is active in the tree, or is being started,
/// resumed or ended in it.
pub(super) fn occupant(ctx: &Context, tree: &Path) -> Result<Option<SessionId>, ApiError> {
    let metas = ctx.metas()?;
    for meta in metas.iter().filter(|meta| is_in(meta, tree)) {
        let works = match meta.status {
            Status::Active => true,
            Status::Draft | Status::Paused => {
                ctx.store.session(meta.id).try_lock().map_err(store_error)?.is_none()
            }
            Status::Closed => false,
        };
        if works {
            return Ok(Some(meta.id));
        }
    }
    Ok(None)
}

/// Whether the session's working folder is in the tree.
pub(super) fn is_in(meta: &Meta, tree: &Path) -> bool {
    meta.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).starts_with(tree))
}
