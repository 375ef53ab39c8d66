//! Opens the fleet's state on disk, maps its errors to the contract's, and finds the fleet's own work items.

use crate::{
    context::{
        Context, Project,
        errors::{chain, file_error},
    },
    settings,
};
use bc_core::{
    fleet::{QueueRefused, WorkItem},
    ids::BeadId,
};
use bc_fleet::{FleetError, State};
use bc_wire::{ApiError, ErrorCode};
use std::path::PathBuf;

/// A project's fleet state folder, from the fleet's settings.
pub(crate) fn dir(project: &Project) -> PathBuf {
    project.root.join(settings::fleet(project).state_dir)
}

/// The fleet's state on disk, with its own list of warnings.
pub(crate) fn state(ctx: &Context) -> State {
    ctx.fleet.state(dir(&ctx.project), &ctx.project.root)
}

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

pub(crate) fn fleet_error(error: FleetError) -> ApiError {
    let text = chain(&error);
    match error {
        FleetError::NoAgent(_) => ApiError::new(ErrorCode::AgentNotFound, text)
            .hint("`beads-console fleet agent list` lists the agents"),
        FleetError::NoWork(_) => ApiError::new(ErrorCode::BeadNotFound, text)
            .hint("`beads-console fleet work list` lists the work"),
        FleetError::NoConvoy(_) => ApiError::new(ErrorCode::ConvoyNotFound, text)
            .hint("`beads-console fleet convoy list` lists the convoys"),
        FleetError::Refused(_) => ApiError::new(ErrorCode::HookState, text)
            .hint("`beads-console fleet hook clear AGENT` clears a hook"),
        FleetError::Queue(QueueRefused::Unknown(_)) => ApiError::new(ErrorCode::MergeNotFound, text)
            .hint("`beads-console fleet queue list` lists the requests"),
        FleetError::Queue(_) => ApiError::new(ErrorCode::QueueState, text)
            .hint("`beads-console fleet queue list` shows the state of each request"),
        FleetError::EmptyConvoy
        | FleetError::Text { .. }
        | FleetError::NameTaken { .. }
        | FleetError::Id(_) => ApiError::new(ErrorCode::Usage, text),
        FleetError::Corrupt { .. } => ApiError::new(ErrorCode::FileRefused, text)
            .hint("fix the file, or move it away; it is not overwritten"),
        FleetError::File(error) => file_error(error),
        _ => ApiError::new(ErrorCode::Io, text),
    }
}
