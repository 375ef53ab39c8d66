//! The queue's own worktree, on a detached HEAD. The worktree is kept between merges, so that build outputs
//! are reused. After a crash, a new worktree is created in another folder, because a program from the crashed
//! merge may still use the old worktree.

use crate::{
    context::{Project, paths::canonical_or_same},
    fleet_state::fleet_error,
};
use bc_core::fleet::FleetSettings;
use bc_fleet::State;
use bc_git::{GitError, ObjectId, Repo};
use bc_wire::ApiError;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The prefix of the worktree's folder name.
const NAME: &str = "merge-queue-";

/// Returns the queue's worktree with the commit `at` checked out. An unusable worktree is replaced.
pub(super) fn prepare(
    state: &State,
    project: &Project,
    repo: &Repo,
    settings: &FleetSettings,
    at: &ObjectId,
) -> Result<Repo, PrepareError> {
    let (queue, _) = state.queue().map_err(fleet_error)?;
    if let Some(path) = queue.worktree.map(PathBuf::from).filter(|path| is_ours(path))
        && let Some(tree) = usable(repo, &path)
    {
        match tree.reset_to(at) {
            Ok(()) => return Ok(tree),
            Err(_) => discard(repo, &path),
        }
    }
    let folder = folder(project, repo, settings).map_err(PrepareError::Git)?;
    bc_store::file::create_open_dir(&folder).map_err(PrepareError::Folder)?;
    // Git reports paths without symbolic links.
    let folder = canonical_or_same(&folder);
    let path = folder.join(format!("{NAME}{}", &Uuid::new_v4().simple().to_string()[..8]));
    let written = path.display().to_string();
    // Record the path before the worktree is created, so that it is found after a crash.
    record_path(state, Some(&written))?;
    repo.worktree_detached(&path, at).map_err(PrepareError::Git)
}

/// Discards the recorded worktree, after a crashed merge.
pub(super) fn discard_recorded(state: &State, repo: &Repo) -> Result<(), ApiError> {
    let (queue, _) = state.queue().map_err(fleet_error)?;
    if let Some(path) = queue.worktree {
        if is_ours(Path::new(&path)) {
            discard(repo, Path::new(&path));
        }
        record_path(state, None)?;
    }
    Ok(())
}

/// Whether the path has the name of a queue's worktree. The queue's file is in the project and a user may
/// have edited it, so other paths are ignored.
fn is_ours(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NAME))
}

fn record_path(state: &State, path: Option<&str>) -> Result<(), ApiError> {
    let changed = state.change_queue(|queue| {
        queue.worktree = path.map(str::to_owned);
        Ok(())
    });
    changed.map_err(fleet_error)
}

pub(super) enum PrepareError {
    Git(GitError),
    /// The folder for worktrees cannot be created.
    Folder(bc_store::FileError),
    /// The queue's file cannot be read or written.
    State(ApiError),
}

impl From<ApiError> for PrepareError {
    fn from(error: ApiError) -> PrepareError {
        PrepareError::State(error)
    }
}

/// The worktree at this path, if it belongs to this repository and is on a detached HEAD.
fn usable(repo: &Repo, path: &Path) -> Option<Repo> {
    let known = repo.worktree_list().ok()?;
    let ours = known.iter().any(|tree| !tree.main && tree.path == path && tree.branch.is_none());
    let tree = repo.at(path).ok().filter(|_| ours)?;
    // In a copied project, git's records still refer to the original project's folder.
    (tree.top_level() == path && tree.common_dir() == repo.common_dir()).then_some(tree)
}

fn discard(repo: &Repo, path: &Path) {
    // A worktree that cannot be removed does no harm, and the list of worktrees shows it.
    let _ = repo.worktree_discard(path);
}

/// The folder in which the queue's worktree is created, as for sessions.
fn folder(project: &Project, repo: &Repo, settings: &FleetSettings) -> Result<PathBuf, GitError> {
    match &settings.worktree_dir {
        Some(folder) => Ok(project.root.join(folder)),
        None => repo.worktree_folder(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configured_folder_is_relative_to_the_project_as_for_sessions() {
        let top = tempfile::tempdir().unwrap();
        let repo = bc_git::Git::find().unwrap().init(top.path()).unwrap();
        let root = repo.top_level().join("below");
        let project =
            Project { beads_dir: root.join(".beads"), main_tree: Some(repo.main_root().into()), root };
        let of = |worktree_dir: Option<&str>| {
            let worktree_dir = worktree_dir.map(str::to_owned);
            folder(&project, &repo, &FleetSettings { worktree_dir, ..FleetSettings::default() }).unwrap()
        };
        assert_eq!(of(Some("trees")), project.root.join("trees"));
        assert_eq!(of(None), repo.worktree_folder().unwrap());
    }
}
