//! Adds a bead's branch to the merge queue.

use super::{
    branches::{tip, work_of},
    run::wake,
    view::queue_state,
};
use crate::{
    context::{Context, errors::git_error},
    fleet_state::{fleet_error, state},
};
use bc_core::fleet::Priority;
use bc_wire::{ApiError, ErrorCode, fleet::*};

pub(crate) fn add(ctx: &Context, params: &FleetQueueAddParams) -> Result<FleetQueueState, ApiError> {
    enqueue(ctx, params, None)
}

/// Adds a request. If the user approved a specific commit in a review, the branch is merged only at that commit.
pub(super) fn enqueue(
    ctx: &Context,
    params: &FleetQueueAddParams,
    approved: Option<&str>,
) -> Result<FleetQueueState, ApiError> {
    let repo = ctx.project.repo()?;
    let work = work_of(ctx, &repo, &params.bead, params.source.as_ref(), params.target.as_ref())?;
    let (source, target) = (tip(&repo, &work.source)?, tip(&repo, &work.target)?);
    if repo.is_ancestor(&source, &target).map_err(git_error)? {
        let text = format!("{} has no commits that {} lacks", work.source, work.target);
        return Err(ApiError::new(ErrorCode::BranchInvalid, text)
            .hint("commit the work on its branch first; uncommitted files are not merged"));
    }
    let state = state(ctx);
    // Ensure that a work item exists, so that the bead's convoys see the merge.
    if state.work_item(&params.bead).map_err(fleet_error)?.is_none()
        && let Some(found) = ctx.find_bead(&params.bead)?
    {
        let priority = Priority::of_bead(found.bead.priority);
        let put = state.put_work_item(&params.bead, &found.bead.title, &found.description, priority);
        put.map_err(fleet_error)?;
    }
    state.enqueue_merge(&params.bead, &work.source, &work.target, approved).map_err(fleet_error)?;
    wake(ctx);
    queue_state(ctx)
}
