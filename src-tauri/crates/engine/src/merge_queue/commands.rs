//! The queue commands: pause, resume, run, and decisions about a request.

use super::{run::wake, view::queue_state};
use crate::{
    context::Context,
    fleet_state::{fleet_error, set_settings, state},
    settings,
};
use bc_core::fleet::{CheckedOut, FleetSettings, MergeQueue, QueueRefused};
use bc_wire::{ApiError, fleet::*};

pub(crate) fn pause(ctx: &Context, paused: bool) -> Result<FleetQueueState, ApiError> {
    changed(ctx, |queue| {
        queue.paused = paused;
        Ok(())
    })
}

/// Wakes the merging thread. Fails if this process has none, because no window or server has the project open.
pub(crate) fn run_now(ctx: &Context) -> Result<FleetQueueState, ApiError> {
    ctx.queue_waker.require_listener()?;
    wake(ctx);
    queue_state(ctx)
}

/// Retries a request. `follow` allows merges to update the folder in which the target is checked out; this is saved
/// in the project's settings.
pub(crate) fn retry(ctx: &Context, params: &FleetQueueRetryParams) -> Result<FleetQueueState, ApiError> {
    let settings = settings::fleet(&ctx.project);
    if params.follow && settings.merge_checked_out != CheckedOut::Follow {
        // Try it on a copy first, so that a refused retry does not change the settings.
        let (mut queue, _) = state(ctx).queue().map_err(fleet_error)?;
        if queue.retry(&params.id, true).is_ok() {
            set_settings(ctx, &FleetSettings { merge_checked_out: CheckedOut::Follow, ..settings })?;
        }
    }
    changed(ctx, |queue| queue.retry(&params.id, params.follow))
}

pub(crate) fn skip(ctx: &Context, params: &FleetMergeRef) -> Result<FleetQueueState, ApiError> {
    changed(ctx, |queue| queue.skip(&params.id))
}

pub(crate) fn cancel(ctx: &Context, params: &FleetMergeRef) -> Result<FleetQueueState, ApiError> {
    state(ctx).cancel_merge(&params.id).map_err(fleet_error)?;
    wake(ctx);
    queue_state(ctx)
}

pub(crate) fn move_before(ctx: &Context, params: &FleetQueueMoveParams) -> Result<FleetQueueState, ApiError> {
    changed(ctx, |queue| queue.move_before(&params.id, params.before.as_ref()))
}

fn changed(
    ctx: &Context,
    mut change: impl FnMut(&mut MergeQueue) -> Result<(), QueueRefused>,
) -> Result<FleetQueueState, ApiError> {
    state(ctx).change_queue(|queue| Ok(change(queue)?)).map_err(fleet_error)?;
    wake(ctx);
    queue_state(ctx)
}
