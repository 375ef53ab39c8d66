//! The commands on the fleet's state. They need neither the engine nor its lock: the state has one of its own.
//!
//! What a file says of an agent's status is what somebody last wrote; what is shown is what is true: whether
//! its session lives, and whether it gets anywhere ([`truth`]). Whether a bead is done is its tracker's word.

mod agents;
mod begin;
mod convoys;
mod hand;
mod look;
mod memory;
mod overview;
mod probing;
mod progress;
pub(crate) mod queue;
mod settings;
pub(crate) mod steer;
mod tend;
#[cfg(test)]
mod tests;
pub(crate) mod together;
mod tries;
mod truth;
mod work;

pub(crate) use agents::{agent, agents, create_agent, set_status};
pub(crate) use convoys::{
    add_to_convoy, close_convoy, convoy, convoys, count_convoy, create_convoy, queue, remove_from_convoy,
    rename_convoy,
};
pub(crate) use hand::dispatch;
pub(crate) use memory::Memory;
pub(crate) use overview::overview;
pub(crate) use probing::probe;
pub(crate) use settings::{set_settings, settings};
pub(crate) use tend::tend;
pub(crate) use work::{
    activate_hook, clear_hook, complete_hook, create_work, hook, own_work, set_hook, set_work_status, work,
    work_items,
};

use crate::{
    engine::Engine,
    errors::{chain, file_error},
    project::Project,
};
use bc_core::fleet::QueueRefused;
use bc_fleet::{FleetError, State};
use bc_wire::{ApiError, ErrorCode};
use std::path::PathBuf;

/// Where the state of a project's fleet is.
pub(crate) fn dir(project: &Project) -> PathBuf {
    project.root.join(settings(project).state_dir)
}

fn state(engine: &Engine) -> State {
    engine.fleet.state(dir(&engine.project))
}

fn fleet_error(error: FleetError) -> ApiError {
    let text = chain(&error);
    match error {
        FleetError::NoAgent(_) => ApiError::new(ErrorCode::AgentNotFound, text)
            .hint("`beads-console fleet agent list` shows what there is"),
        FleetError::NoWork(_) => ApiError::new(ErrorCode::BeadNotFound, text)
            .hint("`beads-console fleet work list` shows what there is"),
        FleetError::NoConvoy(_) => ApiError::new(ErrorCode::ConvoyNotFound, text)
            .hint("`beads-console fleet convoy list` shows what there is"),
        FleetError::Refused(_) => ApiError::new(ErrorCode::HookState, text)
            .hint("`beads-console fleet hook clear AGENT` takes work off a hook"),
        FleetError::Queue(QueueRefused::Unknown(_)) => ApiError::new(ErrorCode::MergeNotFound, text)
            .hint("`beads-console fleet queue list` shows what there is"),
        FleetError::Queue(_) => ApiError::new(ErrorCode::QueueState, text)
            .hint("`beads-console fleet queue list` shows how far each request is"),
        FleetError::EmptyConvoy | FleetError::Text { .. } | FleetError::Id(_) => {
            ApiError::new(ErrorCode::Usage, text)
        }
        FleetError::Corrupt { .. } => ApiError::new(ErrorCode::FileRefused, text)
            .hint("mend the file, or take it out of the way; nothing of it is overwritten"),
        FleetError::File(error) => file_error(error),
        _ => ApiError::new(ErrorCode::Io, text),
    }
}
