//! Finds the fleet's own work items.

use super::access::{fleet_error, state};
use crate::context::Context;
use bc_core::{fleet::WorkItem, ids::BeadId};
use bc_wire::ApiError;

/// Whether this is one of the fleet's own work items, which no tracker has. `false` if the lookup fails.
pub(crate) fn is_own_work(ctx: &Context, id: &BeadId) -> bool {
    matches!(own_work(ctx, id), Ok(Some(_)))
}

/// The work item with this id; `None` if it is a tracker's bead or does not exist.
pub(crate) fn own_work(ctx: &Context, id: &BeadId) -> Result<Option<WorkItem>, ApiError> {
    if !id.is_of_fleet() || ctx.find_bead(id)?.is_some() {
        return Ok(None);
    }
    state(ctx).work_item(id).map_err(fleet_error)
}
