//! The convoy commands: create, change, close, show.

use super::{progress, snapshot};
use crate::{
    context::{Context, now},
    fleet_state::{fleet_error, state},
};
use bc_core::{
    fleet::{Convoy, ConvoyEnd},
    ids::{BeadId, ConvoyId},
};
use bc_fleet::State;
use bc_wire::{ApiError, fleet::*};
use std::collections::BTreeSet;

pub(crate) fn create_convoy(
    ctx: &Context,
    params: FleetConvoyCreateParams,
) -> Result<FleetConvoyShown, ApiError> {
    let state = state(ctx);
    let convoy = state.create_convoy(&params.name, params.beads).map_err(fleet_error)?;
    shown(&state, Some(convoy))
}

pub(crate) fn convoy(ctx: &Context, params: &FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
    let state = state(ctx);
    let convoy = state.convoy(&params.id).map_err(fleet_error)?;
    shown(&state, convoy)
}

pub(crate) fn convoys(ctx: &Context) -> Result<FleetConvoys, ApiError> {
    let state = state(ctx);
    let convoys = state.convoys().map_err(fleet_error)?;
    Ok(FleetConvoys { convoys, warnings: state.take_warnings() })
}

pub(crate) fn count_convoy(ctx: &Context, params: &FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
    counted(ctx, &state(ctx), &params.id)
}

/// Adds beads to a convoy. Beads that it already contains are not added again.
pub(crate) fn add_to_convoy(
    ctx: &Context,
    params: &FleetConvoyBeadsParams,
) -> Result<FleetConvoyShown, ApiError> {
    changed(ctx, &params.id, |_, beads| beads.extend(params.beads.iter().cloned()))
}

/// Removes beads from a convoy; a missing bead is not an error.
pub(crate) fn remove_from_convoy(
    ctx: &Context,
    params: &FleetConvoyBeadsParams,
) -> Result<FleetConvoyShown, ApiError> {
    let out: BTreeSet<&BeadId> = params.beads.iter().collect();
    changed(ctx, &params.id, |_, beads| beads.retain(|bead| !out.contains(bead)))
}

pub(crate) fn rename_convoy(
    ctx: &Context,
    params: &FleetConvoyRenameParams,
) -> Result<FleetConvoyShown, ApiError> {
    changed(ctx, &params.id, |name, _| params.name.clone_into(name))
}

/// Closes a convoy, even if its beads are not done, or reopens it.
pub(crate) fn close_convoy(
    ctx: &Context,
    params: &FleetConvoyCloseParams,
) -> Result<FleetConvoyShown, ApiError> {
    let state = state(ctx);
    let end = (!params.reopen).then(|| ConvoyEnd { at: now(), done: false });
    state.end_convoy(&params.id, end).map_err(fleet_error)?;
    let convoy = state.convoy(&params.id).map_err(fleet_error)?;
    shown(&state, convoy)
}

fn changed(
    ctx: &Context,
    id: &ConvoyId,
    change: impl Fn(&mut String, &mut Vec<BeadId>),
) -> Result<FleetConvoyShown, ApiError> {
    let state = state(ctx);
    state.change_convoy(id, change).map_err(fleet_error)?;
    counted(ctx, &state, id)
}

/// Saves and returns the convoy's current progress: from the tracker if it answers, else from the stored hooks and
/// work items.
fn counted(ctx: &Context, state: &State, id: &ConvoyId) -> Result<FleetConvoyShown, ApiError> {
    let snapshot = snapshot::take(ctx)?;
    let now = progress::convoys(&snapshot).into_iter().find(|convoy| convoy.id == *id);
    let convoy = match now.filter(|_| snapshot.tracker_failure.is_none()) {
        Some(now) => state.put_convoy_progress(id, now.progress),
        None => state.update_convoy_progress(id),
    };
    shown(state, Some(convoy.map_err(fleet_error)?))
}

fn shown(state: &State, convoy: Option<Convoy>) -> Result<FleetConvoyShown, ApiError> {
    let events = match &convoy {
        Some(convoy) => state.events(Some(&convoy.id)).map_err(fleet_error)?,
        None => Vec::new(),
    };
    Ok(FleetConvoyShown { convoy, events, warnings: state.take_warnings() })
}
