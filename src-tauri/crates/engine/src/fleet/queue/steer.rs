//! What a person does to the queue: hold it, let it go on, decide about a request.

use super::state_shown;
use crate::{
    engine::Engine,
    fleet::{fleet_error, state},
};
use bc_core::fleet::{MergeQueue, QueueRefused};
use bc_wire::{ApiError, fleet::*};

pub(crate) fn pause(engine: &Engine, paused: bool) -> Result<FleetQueueState, ApiError> {
    changed(engine, |queue| {
        queue.paused = paused;
        Ok(())
    })
}

/// Lets whoever has the project open merge what waits, though nothing of it changed.
pub(crate) fn go(engine: &Engine) -> Result<FleetQueueState, ApiError> {
    engine.queue_bell.heard()?;
    engine.queue_bell.ring(engine);
    state_shown(engine)
}

pub(crate) fn retry(engine: &Engine, params: &FleetQueueRetryParams) -> Result<FleetQueueState, ApiError> {
    changed(engine, |queue| queue.retry(&params.id, params.follow))
}

pub(crate) fn skip(engine: &Engine, params: &FleetMergeRef) -> Result<FleetQueueState, ApiError> {
    changed(engine, |queue| queue.skip(&params.id))
}

pub(crate) fn cancel(engine: &Engine, params: &FleetMergeRef) -> Result<FleetQueueState, ApiError> {
    state(engine).cancel_merge(&params.id).map_err(fleet_error)?;
    engine.queue_bell.ring(engine);
    state_shown(engine)
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
    engine.queue_bell.ring(engine);
    state_shown(engine)
}
