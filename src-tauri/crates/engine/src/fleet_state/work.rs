//! The beads and work items behind assignments.

use super::access::{fleet_error, state};
use crate::context::{Context, errors::tracker_error};
use bc_beads::TrackerError;
use bc_core::{bead::BeadDetail, fleet::WorkItem, ids::BeadId};
use bc_wire::ApiError;

/// The tracker's bead with this id; `None` if it has none.
pub(crate) fn bead(ctx: &Context, id: &BeadId) -> Result<Option<BeadDetail>, ApiError> {
    bead_if_found(ctx.tracker()?.show(id))
}

/// The bead; `None` if the tracker has none with this id.
pub(crate) fn bead_if_found(shown: Result<BeadDetail, TrackerError>) -> Result<Option<BeadDetail>, ApiError> {
    match shown {
        Ok(bead) => Ok(Some(bead)),
        Err(TrackerError::NotFound { .. }) => Ok(None),
        Err(error) => Err(tracker_error(error)),
    }
}

/// Whether only the fleet's files, not the tracker, know this work.
pub(crate) fn is_own_work(ctx: &Context, id: &BeadId) -> bool {
    matches!(own_work(ctx, id), Ok(Some(_)))
}

/// The work item with this id that exists only in the fleet's files.
pub(crate) fn own_work(ctx: &Context, id: &BeadId) -> Result<Option<WorkItem>, ApiError> {
    if !id.is_of_fleet() || bead(ctx, id)?.is_some() {
        return Ok(None);
    }
    state(ctx).work_item(id).map_err(fleet_error)
}
