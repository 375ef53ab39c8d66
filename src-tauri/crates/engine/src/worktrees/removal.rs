//! Removes worktrees. A worktree with a live session is never removed. A worktree whose removal loses files
//! or commits is removed only with the user's confirmation.

use super::{folder, loss, occupancy, setup, worktree_files};
use crate::{
    context::{Context, errors::git_error},
    settings,
};
use bc_git::{GitError, Repo};
use bc_wire::{ApiError, ErrorCode, worktree::*};
use std::{fs, path::Path};

pub(crate) fn remove(ctx: &Context, params: &WorktreeRemoveParams) -> Result<WorktreeRemoved, ApiError> {
    ctx.writable()?;
    let _sessions = ctx.session_lock();
    let _worktrees = ctx.worktree_lock();
    let repo = ctx.project.repo()?;
    let tree = loss::find_worktree(&repo, &params.path)?;
    if let Some(id) = occupancy::occupant(ctx, &tree.path)? {
        let text = format!("session {} is active in {}", id.short(), tree.path.display());
        return Err(ApiError::new(ErrorCode::SessionState, text)
            .hint(format!("pause it first with `beads-console session pause {}`", id.short())));
    }
    let folder =
        folder::folder(&ctx.project, &repo).or_else(|_| repo.worktree_folder().map_err(git_error))?;
    if let Some(moved) = occupancy::moved_to(&repo, &tree.path, &folder) {
        let text = format!("{} was moved to {}", tree.path.display(), moved.display());
        return Err(ApiError::new(ErrorCode::FileRefused, text)
            .hint("move it back, or reconnect it: `beads-console worktree restore SESSION`"));
    }
    if tree.locked {
        return Err(git_error(GitError::WorktreeLocked { path: tree.path }));
    }
    let loss = loss::loss_at(ctx, &repo, &tree.path)?;
    require_consent(&loss, params)?;
    match loss.clean {
        // Git checks again, and refuses if something changed meanwhile.
        true => {
            remove_copies(ctx, &repo, &tree.path);
            if let Err(error) = repo.worktree_remove(&tree.path) {
                restore_copies(ctx, &repo, &tree.path);
                return Err(git_error(error));
            }
        }
        false => repo.worktree_remove_whole(&tree.path).map_err(git_error)?,
    }
    // The record of a pending setup is obsolete.
    let _ = setup::clear_intent(&repo, &tree.path);
    let branch = tree.branch.map(|branch| branch.to_string());
    Ok(WorktreeRemoved { path: tree.path.display().to_string(), branch })
}

/// Fails if the removal would lose something that the user has not confirmed, or that has changed since the
/// user reviewed it.
fn require_consent(loss: &WorktreeLoss, params: &WorktreeRemoveParams) -> Result<(), ApiError> {
    let other = params.seen.as_ref().is_some_and(|seen| *seen != loss.fingerprint);
    if loss.clean || (params.force && !other) {
        return Ok(());
    }
    let mut lost = Vec::new();
    let mut count = |n: usize, one: &str, more: &str| match n {
        0 => {}
        1 => lost.push(format!("1 {one}")),
        n => lost.push(format!("{n} {more}")),
    };
    count(loss.uncommitted.len(), "uncommitted file", "uncommitted files");
    count(loss.untracked.len(), "untracked file or folder", "untracked files or folders");
    count(
        loss.submodules.len(),
        "submodule with its own repository",
        "submodules with their own repositories",
    );
    if loss.branch.is_none() {
        count(loss.commits.len(), "commit on no branch", "commits on no branch");
    }
    let since = if params.force { ", which differs from what you reviewed" } else { "" };
    let text = format!("removing {} would lose: {}{since}", loss.path, lost.join(", "));
    Err(ApiError::new(ErrorCode::ConfirmationNeeded, text)
        .hint("`beads-console worktree show` lists everything; `remove --yes` removes it anyway"))
}

/// Removes unchanged copies and links, because untracked files would make git refuse the removal.
fn remove_copies(ctx: &Context, repo: &Repo, path: &Path) {
    let folder = ctx.project.folder_in(repo, path);
    let Ok(tree) = repo.at(path) else { return };
    for file in worktree_files::compare(&settings::fleet(&ctx.project), &ctx.project.root, &folder).same {
        // Keep tracked files: git would refuse the removal because of their deletion.
        if !tree.is_tracked(&file).unwrap_or(false) {
            // If this fails, git refuses the removal and reports the file.
            let _ = fs::remove_file(file);
        }
    }
}

/// Restores the copies and links of a worktree that git refused to remove.
fn restore_copies(ctx: &Context, repo: &Repo, path: &Path) {
    if let Ok(tree) = repo.at(path) {
        // A failure is ignored, because the caller already reports git's refusal.
        let settings = settings::fleet(&ctx.project);
        let _ = worktree_files::copy_and_link(
            &settings,
            &ctx.project.root,
            &ctx.project.folder_in(repo, path),
            &tree,
        );
    }
}
