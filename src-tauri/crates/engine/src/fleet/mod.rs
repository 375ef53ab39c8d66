//! The commands on the fleet's state. They need neither the engine nor its lock: the state has its own lock.
//!
//! The status in an agent's file is what some program last wrote. Clients see the observed status
//! ([`agent_status`]): whether the session is live and makes progress. The tracker decides whether a bead is done.

pub(crate) mod agent_commands;
mod agent_status;
mod agents;
pub(crate) mod all_agents;
mod attempts;
mod convoys;
mod dispatch;
mod open_sessions;
mod overview;
mod probing;
mod progress;
pub(crate) mod queue;
mod reconcile;
mod runtime_state;
mod settings;
mod snapshot;
#[cfg(test)]
mod tests;
mod work;

pub(crate) use agents::{agent, agents, create_agent, rename_agent, set_status};
pub(crate) use convoys::{
    add_to_convoy, close_convoy, convoy, convoys, count_convoy, create_convoy, queue, remove_from_convoy,
    rename_convoy,
};
pub(crate) use dispatch::dispatch;
pub(crate) use overview::overview;
pub(crate) use probing::probe;
pub(crate) use reconcile::reconcile;
pub(crate) use runtime_state::RuntimeState;
pub(crate) use settings::{set_settings, settings};
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

/// The folder of a project's fleet state.
pub(crate) fn dir(project: &Project) -> PathBuf {
    project.root.join(settings(project).state_dir)
}

fn state(engine: &Engine) -> State {
    engine.fleet.state(dir(&engine.project), &engine.project.root)
}

fn fleet_error(error: FleetError) -> ApiError {
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
