//! Requires a commit of the work before a review.

use crate::{
    context::{Context, errors::git_error},
    fleet_state,
};
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    branch,
    ids::BeadId,
    session::Meta,
};
use bc_git::Repo;
use bc_wire::{ApiError, ErrorCode};

/// Refuses a review of a session's bead if its work has no commit. The fleet's own work items do not need a commit.
pub(super) fn require_commit_of(ctx: &Context, meta: &Meta) -> Result<(), ApiError> {
    let tracked = meta.bead_id.as_ref().filter(|bead| !fleet_state::is_own_work(ctx, bead));
    let Some(bead) = tracked else { return Ok(()) };
    let mut sessions = ctx.metas()?;
    sessions.retain(|other| other.bead_id.as_ref() == Some(bead));
    require_commit(ctx, bead, &sessions)
}

/// Refuses a review if the work on the bead has no commit. A bead that is already in review or closed passes.
pub(crate) fn require_commit(ctx: &Context, id: &BeadId, sessions: &[Meta]) -> Result<(), ApiError> {
    // Outside a repository, a commit cannot be required.
    let Ok(repo) = ctx.project.repo() else { return Ok(()) };
    if has_commit(&repo, sessions)? {
        return Ok(());
    }
    let found = ctx.bead(id)?;
    if matches!(found.bead.status, BeadStatus::InReview | BeadStatus::Closed)
        || is_own_branch_ahead(ctx, &repo, &found)?
    {
        return Ok(());
    }
    let text = format!("no commit of the work on {id} was found");
    Err(ApiError::new(ErrorCode::CommitMissing, text)
        .hint("commit the work first, or submit it anyway with --without-commit"))
}

/// Whether one of the sessions' recorded commits exists, or one of their branches is ahead of its base commit.
fn has_commit(repo: &Repo, sessions: &[Meta]) -> Result<bool, ApiError> {
    let hashes: Vec<String> = sessions.iter().flat_map(|meta| meta.commits.iter().cloned()).collect();
    if !repo.commits_known(&hashes).map_err(git_error)?.is_empty() {
        return Ok(true);
    }
    for meta in sessions {
        let (Some(branch), Some(base)) = (&meta.branch, meta.base_commit.as_deref()) else { continue };
        let Some(tip) = repo.tip(branch).map_err(git_error)? else { continue };
        // After a rebase and git's garbage collection, the base commit may no longer exist.
        if is_ahead(repo, base, &tip) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the bead's own branch is ahead of the branch that the main tree has checked out.
fn is_own_branch_ahead(ctx: &Context, repo: &Repo, found: &BeadDetail) -> Result<bool, ApiError> {
    let own = branch::default_for(&found.bead);
    let Some(tip) = repo.tip(&own).map_err(git_error)? else { return Ok(false) };
    let head = repo.at(&ctx.main_tree()?).and_then(|main| main.head()).map_err(git_error)?;
    // If the main tree has the bead's own branch checked out, there is no other branch to compare with.
    Ok(head.branch.as_ref() != Some(&own) && head.commit.is_none_or(|main| is_ahead(repo, &main, &tip)))
}

fn is_ahead(repo: &Repo, base: &str, tip: &str) -> bool {
    tip != base && repo.commits_between(Some(base), tip).is_ok_and(|commits| !commits.is_empty())
}
