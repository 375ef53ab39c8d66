//! Parameters and results of commands that assign work and control agents.

use super::{FleetAgentNow, FleetHookParams};
use crate::session::Delivery;
use bc_core::ids::{BeadId, ConvoyId, FleetAgentId, SessionId};
use serde::{Deserialize, Serialize};

/// Parameters of `fleet.dispatch`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct FleetDispatchParams {
    /// Beads to assign to particular agents.
    pub pairs: Vec<FleetHookParams>,
    /// Whether idle agents also get ready beads, within the fleet's limits.
    pub all: bool,
}

/// The result of `fleet.dispatch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetDispatched {
    /// The assignments made.
    pub given: Vec<FleetGiven>,
    pub refused: Vec<FleetRefused>,
    /// Why no more work was assigned.
    pub why_not: Option<String>,
    pub warnings: Vec<String>,
}

/// A bead that was assigned to an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetGiven {
    pub agent: FleetAgentId,
    pub bead: BeadId,
    /// The session that was opened for the bead.
    pub session_id: SessionId,
}

/// An assignment that was not made, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetRefused {
    pub agent: FleetAgentId,
    pub bead: BeadId,
    pub why: String,
}

/// The result of a command on one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentSteered {
    pub agent: FleetAgentNow,
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.recover`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetRecoverParams {
    pub agent: FleetAgentId,
    pub action: FleetRecovery,
}

/// The action for a stuck agent's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FleetRecovery {
    /// Resume the agent's paused session, or start a new session for its work.
    Resume,
    /// End the agent's session and let another agent continue on its branch: immediately if an agent is idle
    /// and the fleet's limits allow it.
    Reassign,
    /// End the agent's session and leave the work unassigned until a user assigns it.
    Release,
}

/// Parameters of `fleet.broadcast`: a prompt for several agents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetBroadcastParams {
    /// The agents; if empty, every agent with a live session.
    #[serde(default)]
    pub agents: Vec<FleetAgentId>,
    pub text: String,
}

/// The result of a broadcast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetBroadcasted {
    /// One result per agent, in the order of the request, or sorted by agent if the request named no agents.
    pub told: Vec<FleetTold>,
}

/// The result of a broadcast for one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetTold {
    pub agent: FleetAgentId,
    /// Whether the agent received the text; absent if it could not be sent.
    pub delivery: Option<Delivery>,
    /// Why the text was not sent, or why it is queued.
    pub reason: Option<String>,
}

/// The result of pausing or resuming the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetPaused {
    /// Whether the fleet is paused now.
    pub paused: bool,
    /// The agents whose sessions were paused or resumed.
    pub agents: Vec<FleetAgentId>,
    /// Failed steps.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.go_on`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetGoOnParams {
    /// Whether to resume the paused sessions, too.
    #[serde(default)]
    pub resume: bool,
}

/// Parameters of `fleet.convoy_add` and `fleet.convoy_remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyBeadsParams {
    pub id: ConvoyId,
    pub beads: Vec<BeadId>,
}

/// Parameters of `fleet.convoy_rename`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyRenameParams {
    pub id: ConvoyId,
    pub name: String,
}

/// Parameters of `fleet.convoy_close`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyCloseParams {
    pub id: ConvoyId,
    /// Whether to reopen the convoy instead.
    #[serde(default)]
    pub reopen: bool,
}
