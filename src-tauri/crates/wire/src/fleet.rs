//! Commands on the fleet: agents, their hooks, work and convoys.

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
        AgentIdentity, AgentRole, AgentStatus, Convoy, FleetEvent, HookState, MergeRequest, Priority,
        WorkItem, WorkStatus,
    },
    ids::{BeadId, ConvoyId, FleetAgentId},
};
use serde::{Deserialize, Serialize};

/// Parameters of `fleet.agent_create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentCreateParams {
    /// What it is there for.
    pub role: AgentRole,
    /// The project that it works in; this one unless given.
    #[serde(default)]
    pub rig: Option<String>,
    /// What people call it; `Agent 1` and so on unless given.
    #[serde(default)]
    pub name: Option<String>,
}

/// Parameters of `fleet.agent_rename`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentRenameParams {
    /// Which agent; its id stays.
    pub id: FleetAgentId,
    /// What people call it; no other agent is called so.
    pub name: String,
}

/// Which agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentRef {
    /// Its name.
    pub id: FleetAgentId,
}

/// Parameters of `fleet.agent_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentStatusParams {
    /// Its name.
    pub id: FleetAgentId,
    /// What it is about.
    pub status: AgentStatus,
}

/// Parameters of `fleet.agents`. Everything given must be true of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentsParams {
    /// Of this role.
    #[serde(default)]
    pub role: Option<AgentRole>,
    /// Of this rig.
    #[serde(default)]
    pub rig: Option<String>,
}

/// One agent, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentShown {
    /// The agent; its status is computed, not the recorded one.
    pub agent: Option<AgentIdentity>,
    /// What people call it.
    pub name: Option<String>,
    /// Its hook, if anything ever hung on it.
    pub hook: Option<HookState>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// Agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgents {
    /// By name; their status is computed, not the recorded one.
    pub agents: Vec<AgentIdentity>,
    /// What people call them, in the same order.
    pub names: Vec<String>,
    /// The hooks of those that have one.
    pub hooks: Vec<HookState>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.work_create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkCreateParams {
    /// What it is, in a line.
    pub title: String,
    /// What is to be done.
    #[serde(default)]
    pub description: String,
    /// How urgent it is.
    #[serde(default)]
    pub priority: Priority,
}

/// Parameters of `fleet.work_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkStatusParams {
    /// The bead.
    pub bead: BeadId,
    /// How far it is.
    pub status: WorkStatus,
}

/// Which piece of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkRef {
    /// The bead.
    pub bead: BeadId,
}

/// One piece of work, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetWorkShown {
    /// It, as the hooks and the tracker say it is.
    pub work: Option<WorkItem>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// Pieces of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetWork {
    /// By their beads, as the hooks say they are.
    pub work: Vec<WorkItem>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.hook_set`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetHookParams {
    /// Who.
    pub agent: FleetAgentId,
    /// Gets what.
    pub bead: BeadId,
}

/// One hook, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetHookShown {
    /// It.
    pub hook: Option<HookState>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.convoy_create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyCreateParams {
    /// Its name for people.
    pub name: String,
    /// What is in it.
    pub beads: Vec<BeadId>,
}

/// Which convoy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyRef {
    /// Its name for programs.
    pub id: ConvoyId,
}

/// One convoy, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyShown {
    /// It.
    pub convoy: Option<Convoy>,
    /// What happened to it, the oldest first.
    pub events: Vec<FleetEvent>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// Convoys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoys {
    /// By name.
    pub convoys: Vec<Convoy>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// The merge queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueue {
    /// By name.
    pub requests: Vec<MergeRequest>,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}
