//! The queue's own worktree: nobody works in it, and it is on no branch. It stays from merge to merge, so that
//! what a build left in it need not be built again; after a crash it is made anew, in another folder, for a
//! program of the one that died may still be at work in the old one.

use crate::fleet::fleet_error;
use bc_core::fleet::FleetSettings;
use bc_fleet::State;
use bc_git::{GitError, ObjectId, Repo};
use bc_wire::ApiError;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// How its folder's name begins.
const NAME: &str = "merge-queue-";

/// The worktree at that commit.
pub(super) fn ready(
    state: &State,
    repo: &Repo,
    settings: &FleetSettings,
    at: &ObjectId,
) -> Result<Repo, Unready> {
    let (queue, _) = state.queue().map_err(fleet_error)?;
    if let Some(path) = queue.worktree.map(PathBuf::from).filter(|path| is_ours(path))
        && let Some(tree) = usable(repo, &path)
    {
        match tree.put_at(at) {
            Ok(()) => return Ok(tree),
            // Whatever is wrong with it, a new one has not.
            Err(_) => discard(repo, &path),
        }
    }
    let folder = folder(repo, settings).map_err(Unready::Git)?;
    bc_store::file::create_open_dir(&folder).map_err(Unready::Folder)?;
    // As git names it.
    let folder = folder.canonicalize().unwrap_or(folder);
    let path = folder.join(format!("{NAME}{}", &Uuid::new_v4().simple().to_string()[..8]));
    let written = path.display().to_string();
    // Known before it is there, so that what a crash leaves is found.
    note(state, Some(&written))?;
    repo.worktree_detached(&path, at).map_err(Unready::Git)
}

/// Lets go of the worktree of one who died.
pub(super) fn forget(state: &State, repo: &Repo) -> Result<(), ApiError> {
    let (queue, _) = state.queue().map_err(fleet_error)?;
    if let Some(path) = queue.worktree {
        if is_ours(Path::new(&path)) {
            discard(repo, Path::new(&path));
        }
        note(state, None)?;
    }
    Ok(())
}

/// The queue's file lies in the project, where anybody may write: a folder of the person's that it names is left alone.
fn is_ours(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NAME))
}

fn note(state: &State, path: Option<&str>) -> Result<(), ApiError> {
    let noted = state.change_queue(|queue| {
        queue.worktree = path.map(str::to_owned);
        Ok(())
    });
    noted.map_err(fleet_error)
}

/// Why there is no worktree.
pub(super) enum Unready {
    /// Git would not make it.
    Git(GitError),
    /// Its folder cannot be made.
    Folder(bc_store::FileError),
    /// The queue's file cannot be read or written.
    State(ApiError),
}

impl From<ApiError> for Unready {
    fn from(error: ApiError) -> Unready {
        Unready::State(error)
    }
}

/// The worktree in this folder, if it still is ours and on no branch.
fn usable(repo: &Repo, path: &Path) -> Option<Repo> {
    let known = repo.worktree_list().ok()?;
    let ours = known.iter().any(|tree| !tree.main && tree.path == path && tree.branch.is_none());
    let tree = repo.at(path).ok().filter(|_| ours)?;
    // In a copy of the project git still names the folder of the one that was copied.
    (tree.top_level() == path && tree.common_dir() == repo.common_dir()).then_some(tree)
}

fn discard(repo: &Repo, path: &Path) {
    // One that cannot be removed is in nobody's way; it is shown among the worktrees.
    let _ = repo.worktree_discard(path);
}

/// Where worktrees go.
fn folder(repo: &Repo, settings: &FleetSettings) -> Result<PathBuf, GitError> {
    let root = repo.main_root();
    if let Some(folder) = &settings.worktree_dir {
        return Ok(root.join(folder));
    }
    let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else {
        return Err(GitError::NoPlaceBeside { path: root.to_owned() });
    };
    Ok(parent.join(format!("{}-worktrees", name.to_string_lossy())))
}
