//! The review of finished work before its merge, and the user's decision: approve it, or request changes.

use super::{
    add::enqueue,
    branches::{session_on, tip, work_of},
    run::wake,
    send_back,
    view::{self, Known},
};
use crate::{
    context::{
        Context,
        diffs::{commit_line, file_diff},
        errors::git_error,
    },
    fleet_state::{fleet_error, state},
};
use bc_core::{
    fleet::EntryState,
    ids::{BeadId, BranchName},
};
use bc_git::{Repo, Spaces};
use bc_wire::{ApiError, ErrorCode, fleet::*};

pub(crate) fn review(ctx: &Context, params: &FleetReviewParams) -> Result<FleetReview, ApiError> {
    let bead = &params.bead;
    let repo = ctx.project.repo()?;
    let state = state(ctx);
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let work = work_of(ctx, &repo, bead, None, params.target.as_ref())?;
    let (tip, onto) = (tip(&repo, &work.source)?, tip(&repo, &work.target)?);
    let from = repo.fork_point(&tip, &onto).map_err(git_error)?.unwrap_or_else(|| onto.clone());
    let commits = repo.commits_between(Some(onto.as_str()), tip.as_str()).map_err(git_error)?;
    let (_, behind) = repo.divergence(&tip, &onto).map_err(git_error)?;
    let spaces = if params.ignore_space { Spaces::Ignore } else { Spaces::Count };
    let diffs = repo.file_diffs(&from, &tip, spaces).map_err(git_error)?;
    // If several requests for the branch exist, show the most recently queued one.
    let of_it = |id: &_| {
        requests.iter().find(|request| {
            request.id == *id && request.bead_id == *bead && request.source_branch == work.source
        })
    };
    let last = queue.entries.iter().filter_map(|entry| Some((entry, of_it(&entry.id)?)));
    let last = last.max_by_key(|(entry, _)| entry.queued_at);
    let known = Known::of(ctx, &state)?;
    let request = last.map(|(entry, request)| view::row(&known, &queue, entry, request));
    let found = ctx.find_bead(bead)?.map(|found| found.bead);
    let item = state.work_item(bead).map_err(fleet_error)?;
    let session = session_on(ctx, bead, Some(&work.source))?;
    let title = found.as_ref().map(|bead| bead.title.clone());
    let title = title.or_else(|| item.as_ref().map(|item| item.title.clone()));
    Ok(FleetReview {
        bead: bead.clone(),
        title: title.unwrap_or_else(|| bead.to_string()),
        bead_status: found.map(|bead| bead.status),
        uncommitted: uncommitted(&repo, &work.source)?,
        source: work.source,
        tip: tip.as_str().to_owned(),
        target: work.target,
        commits: commits.into_iter().map(commit_line).collect(),
        behind,
        files: diffs.files.into_iter().map(file_diff).collect(),
        cut: diffs.cut,
        session: session.map(|meta| meta.id),
        agent: item.and_then(|item| item.assignee),
        request,
    })
}

/// Approves the work: adds it to the merge queue. The bead is closed after the merge.
pub(crate) fn approve(ctx: &Context, params: &FleetApproveParams) -> Result<FleetQueueState, ApiError> {
    let repo = ctx.project.repo()?;
    let work = work_of(ctx, &repo, &params.bead, None, None)?;
    let tip = tip(&repo, &work.source)?;
    if let Some(seen) = &params.tip
        && seen != tip.as_str()
    {
        let text = format!("{} has changed since the review", work.source);
        return Err(ApiError::new(ErrorCode::QueueState, text)
            .hint(format!("review it again: `beads-console fleet review {}`", params.bead)));
    }
    let (bead, source, target) = (params.bead.clone(), Some(work.source), Some(work.target));
    enqueue(ctx, &FleetQueueAddParams { bead, source, target }, Some(tip.as_str()))
}

/// Cancels or skips the merge requests of the bead's branch, then sends the requested changes to the bead's agent.
pub(crate) fn request_changes(
    ctx: &Context,
    params: &FleetRequestChangesParams,
) -> Result<FleetSentBack, ApiError> {
    if params.text.trim().is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "the requested changes are empty"));
    }
    let repo = ctx.project.repo()?;
    let work = work_of(ctx, &repo, &params.bead, None, None)?;
    ctx.writable()?;
    hold_back(ctx, &params.bead, Some(&work.source))?;
    let text = format!("The reviewer of your work on {} requests changes:\n\n{}", params.bead, params.text);
    send_back::tell_agent(ctx, &params.bead, &work.source, text)
}

/// Cancels a bead's waiting merge requests and skips its stopped requests, because its work must not be
/// merged before the requested changes. With `source`, only the requests of that branch.
pub(crate) fn hold_back(ctx: &Context, bead: &BeadId, source: Option<&BranchName>) -> Result<(), ApiError> {
    let state = state(ctx);
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let of_it = requests.iter().filter(|request| {
        request.bead_id == *bead && source.is_none_or(|source| request.source_branch == *source)
    });
    for entry in of_it.filter_map(|request| queue.entry(&request.id)) {
        match entry.state {
            EntryState::Waiting {} => state.cancel_merge(&entry.id),
            EntryState::Blocked { .. } => state.change_queue(|queue| Ok(queue.skip(&entry.id)?)),
            EntryState::Skipped { .. } | EntryState::Merged { .. } => Ok(()),
        }
        .map_err(fleet_error)?;
    }
    wake(ctx);
    Ok(())
}

/// The paths of uncommitted files in the folder that has the branch checked out; empty if no folder has it.
fn uncommitted(repo: &Repo, branch: &BranchName) -> Result<Vec<String>, ApiError> {
    let trees = repo.worktree_list().map_err(git_error)?;
    let has = |tree: &&bc_git::Worktree| tree.branch.as_ref() == Some(branch) && tree.path.is_dir();
    let Some(tree) = trees.iter().find(has) else { return Ok(Vec::new()) };
    let status = repo.at(&tree.path).and_then(|worktree| worktree.status()).map_err(git_error)?;
    let changed = status.changed.into_iter().map(|file| file.path);
    Ok(changed.chain(status.untracked).map(|path| path.display().to_string()).collect())
}
