//! Parameters and results of commands for the fleet: agents, their hooks, work and convoys.

mod dispatch;
mod overview;
mod queue;
mod review;
mod runner;

pub use dispatch::*;
pub use overview::*;
pub use queue::*;
pub use review::*;
pub use runner::*;

use bc_core::{
    fleet::{
        AgentIdentity, AgentRole, AgentStatus, Convoy, FleetEvent, HookState, Priority, WorkItem, WorkStatus,
    },
    ids::{BeadId, ConvoyId, FleetAgentId},
};
use serde::{Deserialize, Serialize};

/// Parameters of `fleet.agent_create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentCreateParams {
    pub role: AgentRole,
    /// The project to which the agent belongs; this project by default.
    #[serde(default)]
    pub rig: Option<String>,
    /// The agent's display name; by default, the first unused name for its role, such as `Agent 1`.
    #[serde(default)]
    pub name: Option<String>,
}

/// Parameters of `fleet.agent_rename`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentRenameParams {
    /// The agent; its id does not change.
    pub id: FleetAgentId,
    /// The new display name, unique in the fleet.
    pub name: String,
}

/// Identifies an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentRef {
    pub id: FleetAgentId,
}

/// Parameters of `fleet.agent_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentStatusParams {
    pub id: FleetAgentId,
    pub status: AgentStatus,
}

/// Parameters of `fleet.agents`. An agent must match all given filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct FleetAgentsParams {
    /// Only agents with this role.
    pub role: Option<AgentRole>,
    /// Only agents of this rig.
    pub rig: Option<String>,
}

/// An agent with its hook; `agent` is absent if the agent does not exist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentShown {
    /// The agent, with the computed status instead of the recorded one.
    pub agent: Option<AgentIdentity>,
    pub name: Option<String>,
    /// The agent's hook; absent if it was never used.
    pub hook: Option<HookState>,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}

/// The result of `fleet.agents`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgents {
    /// The agents, sorted by id, with the computed status instead of the recorded one.
    pub agents: Vec<AgentIdentity>,
    /// The agents' display names, in the same order.
    pub names: Vec<String>,
    pub hooks: Vec<HookState>,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.work_create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkCreateParams {
    /// The title, at most 1,000 bytes.
    pub title: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub priority: Priority,
}

/// Parameters of `fleet.work_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkStatusParams {
    /// The work item's bead id.
    pub bead: BeadId,
    pub status: WorkStatus,
}

/// Identifies a work item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkRef {
    /// The work item's bead id.
    pub bead: BeadId,
}

/// A work item; absent if it does not exist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkShown {
    /// The work item. `fleet.work` takes its state from the hooks and the tracker; commands that change an
    /// item return the recorded state.
    pub work: Option<WorkItem>,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}

/// The result of `fleet.work_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetWork {
    /// The work items, sorted by bead, each with its state from the hooks.
    pub work: Vec<WorkItem>,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.hook_set`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetHookParams {
    pub agent: FleetAgentId,
    /// The id of the bead or work item to assign.
    pub bead: BeadId,
}

/// An agent's hook; absent if it was never used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetHookShown {
    pub hook: Option<HookState>,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.convoy_create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyCreateParams {
    pub name: String,
    pub beads: Vec<BeadId>,
}

/// Identifies a convoy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyRef {
    pub id: ConvoyId,
}

/// A convoy with its history; absent if it does not exist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyShown {
    pub convoy: Option<Convoy>,
    /// The convoy's history, oldest first.
    pub events: Vec<FleetEvent>,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}

/// The result of `fleet.convoys`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoys {
    /// The convoys, sorted by id.
    pub convoys: Vec<Convoy>,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}
