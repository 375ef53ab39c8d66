//! Making a worktree with what it is given, or nothing: where a step fails, what was made is taken away again.

use super::{given, setup};
use crate::{engine::Engine, errors::git_error, fleet};
use bc_core::ids::BranchName;
use bc_git::{GitError, Repo, WorktreeBranch};
use bc_wire::{ApiError, ErrorCode};
use std::path::Path;

/// What the branch of a new worktree is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Base {
    /// It is there.
    Existing,
    /// It was made for it, from this revision, and goes with it where it cannot be made.
    Made(String),
    /// It is made from this revision.
    New(String),
}

/// Makes one at `tree`; returns what to know besides. `here` is the project's folder in it.
pub(crate) fn make(
    engine: &Engine,
    repo: &Repo,
    tree: &Path,
    here: &Path,
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
    let made = setup::intend(repo, tree, &fleet::settings(&engine.project))
        .and_then(|()| repo.worktree_add(tree, how).map_err(no_room))
        .and_then(|()| equip(engine, repo, tree, here));
    if made.is_err() && before.is_none() {
        // Of a branch that was there nothing is taken away.
        let commit = repo.tip(branch).ok().flatten();
        unmake(repo, tree, commit.as_deref().map(|commit| (branch, commit)));
    } else if made.is_err() {
        unmake(repo, tree, None);
    }
    if made.is_err() {
        // What it says of a place with no worktree is true of the next one that is made there.
        let _ = setup::intend_no_more(repo, tree);
    }
    made
}

/// Makes one again whose folder is gone.
pub(crate) fn make_again(
    engine: &Engine,
    repo: &Repo,
    tree: &Path,
    here: &Path,
    branch: &BranchName,
) -> Result<Result<Vec<String>, ApiError>, GitError> {
    let intended = setup::intend(repo, tree, &fleet::settings(&engine.project));
    repo.worktree_add_again(tree, branch)?;
    Ok(intended.and_then(|()| equip(engine, repo, tree, here)))
}

/// What it is given, and the note that it is not set up yet.
fn equip(engine: &Engine, repo: &Repo, tree: &Path, here: &Path) -> Result<Vec<String>, ApiError> {
    let settings = fleet::settings(&engine.project);
    // A project in a subfolder that the branch does not have yet.
    bc_store::file::create_dir(here).map_err(crate::errors::file_error)?;
    setup::owe(repo, tree, &settings)?;
    setup::intend_no_more(repo, tree)?;
    let at = repo.at(tree).map_err(git_error)?;
    given::give(&settings, &engine.project.root, here, &at)
}

/// Takes away what was just made and nobody worked in. What cannot be taken away stays.
pub(crate) fn unmake(repo: &Repo, tree: &Path, branch: Option<(&BranchName, &str)>) {
    let known = repo.worktree_list().unwrap_or_default();
    if known.iter().any(|known| !known.main && known.path == tree) {
        let _ = repo.worktree_remove_whole(tree);
    }
    if let Some((branch, commit)) = branch {
        let _ = repo.branch_delete_at(branch, commit);
    }
}

/// Git does not always say why a file could not be written; there is hardly another reason in a new folder.
fn no_room(error: GitError) -> ApiError {
    let of_room = ["No space left", "Disk quota", "unable to write file"];
    match &error {
        GitError::Failed { said, .. } if of_room.iter().any(|words| said.contains(words)) => ApiError::new(
            ErrorCode::DiskFull,
            format!("there is no room for another worktree: {error}"),
        )
        .hint("free some space, or remove a worktree: `beads-console worktree list` shows what each takes"),
        _ => git_error(error),
    }
}
