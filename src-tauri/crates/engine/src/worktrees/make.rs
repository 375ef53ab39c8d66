//! Creates or recreates a worktree with its copied and linked files. If [`create`] fails, everything that it
//! created is removed.

use super::{setup, worktree_files};
use crate::{
    context::{WorktreeGuard, errors::git_error},
    settings,
};
use bc_core::ids::BranchName;
use bc_git::{GitError, Repo, WorktreeBranch};
use bc_wire::{ApiError, ErrorCode};
use std::path::Path;

/// The origin of a new worktree's branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Base {
    /// The branch existed before.
    Existing,
    /// The branch was created for this worktree, at this revision. It is removed if the worktree cannot be created.
    Made(String),
    /// The branch is created together with the worktree, at this revision.
    New(String),
}

/// Creates a worktree at `tree`; returns warnings. `folder` is the project's folder in the new worktree.
pub(crate) fn create(
    held: &WorktreeGuard<'_>,
    repo: &Repo,
    tree: &Path,
    folder: &Path,
    branch: &BranchName,
    base: &Base,
) -> Result<Vec<String>, ApiError> {
    let how = match base {
        Base::Existing => WorktreeBranch::Existing(branch),
        Base::Made(_) => WorktreeBranch::Made(branch),
        Base::New(base) => WorktreeBranch::New { name: branch, base },
    };
    let before = match base {
        Base::Made(_) => None,
        Base::Existing | Base::New(_) => repo.tip(branch).map_err(git_error)?,
    };
    let made = setup::record_intent(repo, tree, &settings::fleet(held.project))
        .and_then(|()| repo.worktree_add(tree, how).map_err(no_room))
        .and_then(|()| equip(held, repo, tree, folder));
    if made.is_err() {
        // A new branch is removed too.
        let commit = if before.is_none() { repo.tip(branch).ok().flatten() } else { None };
        discard_unused(held, repo, tree, commit.as_deref().map(|commit| (branch, commit)));
        // A leftover record would apply to the next worktree at this path.
        let _ = setup::clear_intent(repo, tree);
    }
    made
}

/// Recreates a worktree that git still lists but whose folder is missing. The outer error is git's. After an
/// inner error, the worktree exists but is not completely set up.
pub(crate) fn recreate(
    held: &WorktreeGuard<'_>,
    repo: &Repo,
    tree: &Path,
    folder: &Path,
    branch: &BranchName,
) -> Result<Result<Vec<String>, ApiError>, GitError> {
    let intended = setup::record_intent(repo, tree, &settings::fleet(held.project));
    repo.worktree_add_again(tree, branch)?;
    Ok(intended.and_then(|()| equip(held, repo, tree, folder)))
}

/// Copies and links files into a new worktree, and records that its setup is pending.
fn equip(held: &WorktreeGuard<'_>, repo: &Repo, tree: &Path, folder: &Path) -> Result<Vec<String>, ApiError> {
    let settings = settings::fleet(held.project);
    // The project may be in a subfolder that does not exist on the branch.
    bc_store::file::create_dir(folder).map_err(crate::context::errors::file_error)?;
    setup::record_pending(repo, tree, &settings)?;
    setup::clear_intent(repo, tree)?;
    let at = repo.at(tree).map_err(git_error)?;
    worktree_files::copy_and_link(&settings, &held.project.root, folder, &at)
}

/// Removes a worktree that was just created and not used, and the given branch if it is still at the given
/// commit. Failures are ignored.
pub(crate) fn discard_unused(
    _: &WorktreeGuard<'_>,
    repo: &Repo,
    tree: &Path,
    branch: Option<(&BranchName, &str)>,
) {
    let known = repo.worktree_list().unwrap_or_default();
    if known.iter().any(|known| !known.main && known.path == tree) {
        let _ = repo.worktree_remove_whole(tree);
    }
    if let Some((branch, commit)) = branch {
        let _ = repo.branch_delete_at(branch, commit);
    }
}

/// Maps git's error, and detects a full disk from git's message.
fn no_room(error: GitError) -> ApiError {
    let of_room = ["No space left", "Disk quota", "unable to write file"];
    match &error {
        GitError::Failed { said, .. } if of_room.iter().any(|words| said.contains(words)) => ApiError::new(
            ErrorCode::DiskFull,
            format!("there is no disk space for another worktree: {error}"),
        )
        .hint("free some space, or remove a worktree: `beads-console worktree list` shows their sizes"),
        _ => git_error(error),
    }
}
