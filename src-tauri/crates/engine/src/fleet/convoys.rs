//! Convoys, and the merge queue as it is written.

use super::{fleet_error, state};
use crate::engine::Engine;
use bc_core::fleet::Convoy;
use bc_fleet::State;
use bc_wire::{ApiError, fleet::*};

pub(crate) fn create_convoy(
    engine: &Engine,
    params: FleetConvoyCreateParams,
) -> Result<FleetConvoyShown, ApiError> {
    let state = state(engine);
    let convoy = state.create_convoy(&params.name, params.beads).map_err(fleet_error)?;
    shown(&state, Some(convoy))
}

pub(crate) fn convoy(engine: &Engine, params: &FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
    let state = state(engine);
    let convoy = state.convoy(&params.id).map_err(fleet_error)?;
    shown(&state, convoy)
}

pub(crate) fn convoys(engine: &Engine) -> Result<FleetConvoys, ApiError> {
    let state = state(engine);
    let convoys = state.convoys().map_err(fleet_error)?;
    Ok(FleetConvoys { convoys, warnings: state.take_warnings() })
}

pub(crate) fn progress(engine: &Engine, params: &FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
    let state = state(engine);
    let convoy = state.update_convoy_progress(&params.id).map_err(fleet_error)?;
    shown(&state, Some(convoy))
}

pub(crate) fn queue(engine: &Engine) -> Result<FleetQueue, ApiError> {
    let state = state(engine);
    let requests = state.merge_requests().map_err(fleet_error)?;
    Ok(FleetQueue { requests, warnings: state.take_warnings() })
}

fn shown(state: &State, convoy: Option<Convoy>) -> Result<FleetConvoyShown, ApiError> {
    let events = match &convoy {
        Some(convoy) => state.events(Some(&convoy.id)).map_err(fleet_error)?,
        None => Vec::new(),
    };
    Ok(FleetConvoyShown { convoy, events, warnings: state.take_warnings() })
}
