//! Finds a tracker's bead or a fleet's work item by its id.

use super::access::{fleet_error, state};
use crate::context::{Context, errors::tracker_error};
use bc_beads::TrackerError;
use bc_core::{bead::BeadDetail, fleet::WorkItem, ids::BeadId};
use bc_wire::ApiError;

/// The tracker's bead with this id; `None` if the tracker does not have it.
pub(crate) fn bead(ctx: &Context, id: &BeadId) -> Result<Option<BeadDetail>, ApiError> {
    bead_if_found(ctx.tracker()?.show(id))
}

pub(crate) fn bead_if_found(shown: Result<BeadDetail, TrackerError>) -> Result<Option<BeadDetail>, ApiError> {
    match shown {
        Ok(bead) => Ok(Some(bead)),
        Err(TrackerError::NotFound { .. }) => Ok(None),
        Err(error) => Err(tracker_error(error)),
    }
}

/// Whether this is one of the fleet's own work items, which no tracker has. `false` if the lookup fails.
pub(crate) fn is_own_work(ctx: &Context, id: &BeadId) -> bool {
    matches!(own_work(ctx, id), Ok(Some(_)))
}

/// The work item with this id; `None` if it is a tracker's bead or does not exist.
pub(crate) fn own_work(ctx: &Context, id: &BeadId) -> Result<Option<WorkItem>, ApiError> {
    if !id.is_of_fleet() || bead(ctx, id)?.is_some() {
        return Ok(None);
    }
    state(ctx).work_item(id).map_err(fleet_error)
}
