//! Determines the source and target branches of a bead's work, and the bead's session.

use crate::{
    context::{
        Context,
        errors::{git_error, store_error},
    },
    settings,
};
use bc_core::{
    ids::{BeadId, BranchName},
    session::Meta,
};
use bc_git::{GitError, Repo};
use bc_wire::{ApiError, ErrorCode};
use std::sync::Arc;

/// A branch with a bead's work, and the branch that it is merged into.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) source: BranchName,
    pub(crate) target: BranchName,
}

/// The source and target for a bead. The source is the given branch, else the branch of the bead's latest
/// session. The target is the given branch, else the configured branch, else the session's base branch, else
/// the branch that the main tree has checked out.
pub(crate) fn work_of(
    ctx: &Context,
    repo: &Repo,
    bead: &BeadId,
    source: Option<&BranchName>,
    target: Option<&BranchName>,
) -> Result<Work, ApiError> {
    let session = session_on(ctx, bead, source)?;
    let branch = || session.as_ref().and_then(|meta| meta.branch.clone());
    let Some(source) = source.cloned().or_else(branch) else {
        let text = format!("no session on {bead} has a branch");
        return Err(ApiError::new(ErrorCode::SessionNotFound, text)
            .hint("choose the branch: `beads-console fleet queue add BEAD --source BRANCH`"));
    };
    let base = || session.as_ref().and_then(|meta| meta.base_branch.clone());
    let target = match target.cloned().or_else(|| settings::fleet(&ctx.project).merge_target).or_else(base) {
        Some(target) => target,
        None => {
            let main = repo.at(repo.main_root()).map_err(git_error)?;
            let head = main.head().map_err(git_error)?;
            head.branch.ok_or_else(|| {
                ApiError::new(
                    ErrorCode::Usage,
                    "there is no target branch: the main tree has a detached HEAD",
                )
                .hint("choose one: `beads-console fleet queue add BEAD --target BRANCH`")
            })?
        }
    };
    if source == target {
        let text = format!("{source} cannot be merged into itself");
        return Err(ApiError::new(ErrorCode::Usage, text).hint("choose another branch with --target"));
    }
    Ok(Work { source, target })
}

/// Whether the source and target branches of the bead's work exist; also `false` if they cannot be
/// determined.
pub(crate) fn has_branch(ctx: &Context, bead: &BeadId) -> bool {
    let found = || {
        let repo = ctx.project.repo()?;
        let work = work_of(ctx, &repo, bead, None, None)?;
        tip(&repo, &work.source).and_then(|_| tip(&repo, &work.target))
    };
    found().is_ok()
}

/// The bead's most recently activated session that has a branch. With `branch`, only sessions on that branch
/// count.
pub(super) fn session_on(
    ctx: &Context,
    bead: &BeadId,
    branch: Option<&BranchName>,
) -> Result<Option<Meta>, ApiError> {
    let metas = ctx.fleet.sessions(&ctx.store).map_err(store_error)?;
    Ok(latest_on(&metas, bead, branch).cloned())
}

/// Like [`session_on`], for sessions that the caller has already read.
pub(super) fn latest_on<'a>(
    metas: &'a [Arc<Meta>],
    bead: &BeadId,
    branch: Option<&BranchName>,
) -> Option<&'a Meta> {
    let of_it = |meta: &&Meta| {
        meta.bead_id.as_ref() == Some(bead)
            && meta.branch.is_some()
            && branch.is_none_or(|branch| meta.branch.as_ref() == Some(branch))
    };
    metas.iter().map(|meta| &**meta).filter(of_it).max_by_key(|meta| meta.last_activated_at)
}

pub(super) fn tip(repo: &Repo, branch: &BranchName) -> Result<bc_git::ObjectId, ApiError> {
    let found = repo.reference(&format!("refs/heads/{branch}")).map_err(git_error)?;
    found.ok_or_else(|| {
        git_error(GitError::NoSuchBranch { branch: branch.clone(), path: repo.main_root().to_owned() })
    })
}
