//! Opens the fleet's state on disk, and maps its errors to the contract's.

use crate::{
    context::{
        Context, Project,
        errors::{chain, file_error},
    },
    settings,
};
use bc_core::fleet::QueueRefused;
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
