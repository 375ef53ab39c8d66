//! Commands on the queue: pause, resume, and decisions about a request.

use super::queue_state;
use crate::{
    engine::Engine,
    fleet::{fleet_error, set_settings, settings, state},
};
use bc_core::fleet::{CheckedOut, FleetSettings, MergeQueue, QueueRefused};
use bc_wire::{ApiError, fleet::*};

pub(crate) fn pause(engine: &Engine, paused: bool) -> Result<FleetQueueState, ApiError> {
    changed(engine, |queue| {
        queue.paused = paused;
        Ok(())
    })
}

/// Wakes the merging thread of the process that has the project open.
pub(crate) fn go(engine: &Engine) -> Result<FleetQueueState, ApiError> {
    engine.queue_waker.require_listener()?;
    engine.queue_waker.wake(engine);
    queue_state(engine)
}

/// Retries a request. Permission to update the target's checked-out folder is saved in the project's settings.
pub(crate) fn retry(engine: &Engine, params: &FleetQueueRetryParams) -> Result<FleetQueueState, ApiError> {
    let settings = settings(&engine.project);
    if params.follow && settings.merge_checked_out != CheckedOut::Follow {
        // First: an unknown request must not change the settings.
        let (queue, _) = state(engine).queue().map_err(fleet_error)?;
        if queue.entry(&params.id).is_some() {
            set_settings(engine, &FleetSettings { merge_checked_out: CheckedOut::Follow, ..settings })?;
        }
    }
    changed(engine, |queue| queue.retry(&params.id, params.follow))
}

pub(crate) fn skip(engine: &Engine, params: &FleetMergeRef) -> Result<FleetQueueState, ApiError> {
    changed(engine, |queue| queue.skip(&params.id))
}

pub(crate) fn cancel(engine: &Engine, params: &FleetMergeRef) -> Result<FleetQueueState, ApiError> {
    state(engine).cancel_merge(&params.id).map_err(fleet_error)?;
    engine.queue_waker.wake(engine);
    queue_state(engine)
}

pub(crate) fn move_before(
    engine: &Engine,
    params: &FleetQueueMoveParams,
) -> Result<FleetQueueState, ApiError> {
    changed(engine, |queue| queue.move_before(&params.id, params.before.as_ref()))
}

fn changed(
    engine: &Engine,
    mut change: impl FnMut(&mut MergeQueue) -> Result<(), QueueRefused>,
) -> Result<FleetQueueState, ApiError> {
    state(engine).change_queue(|queue| Ok(change(queue)?)).map_err(fleet_error)?;
    engine.queue_waker.wake(engine);
    queue_state(engine)
}
