//! The fleet commands: agents, their assignments, and convoys. Commands that change only the fleet's files do
//! not need the engine lock, because these files have their own lock.
//!
//! The status in an agent's file is the last status that any program wrote. Clients see the observed status
//! ([`agent_status`]): whether the session is live and makes progress. The tracker decides whether a bead is
//! done.
//!
//! May use: `claude`, `context`, `fleet_state`, `merge_queue`, `places`, `session`, `settings`.

pub(crate) mod agent_commands;
mod agent_status;
mod agent_steps;
mod agents;
pub(crate) mod all_agents;
mod attempts;
mod convoys;
mod dispatch;
mod open_sessions;
mod overview;
mod place_room;
mod probing;
mod progress;
mod reconcile;
mod snapshot;
#[cfg(test)]
mod tests;
mod work;

pub(crate) use agents::{agent, agents, create_agent, rename_agent, set_status};
pub(crate) use convoys::{
    add_to_convoy, close_convoy, convoy, convoys, count_convoy, create_convoy, remove_from_convoy,
    rename_convoy,
};
pub(crate) use dispatch::dispatch;
pub(crate) use overview::overview;
pub(crate) use probing::probe;
pub(crate) use reconcile::reconcile;
pub(crate) use work::{
    activate_hook, clear_hook, complete_hook, create_work, hook, set_hook, set_work_status, work, work_items,
};
