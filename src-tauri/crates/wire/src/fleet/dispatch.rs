//! Assigning work, and controlling the agents that have some.

use super::{FleetAgentNow, FleetHookParams};
use crate::session::Delivery;
use bc_core::ids::{BeadId, ConvoyId, FleetAgentId, SessionId};
use serde::{Deserialize, Serialize};

/// Parameters of `fleet.dispatch`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetDispatchParams {
    /// These agents get these beads.
    #[serde(default)]
    pub pairs: Vec<FleetHookParams>,
    /// Whether idle agents get what is ready, as far as the limits allow.
    #[serde(default)]
    pub all: bool,
}

/// The result of `fleet.dispatch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetDispatched {
    /// The assignments made.
    pub given: Vec<FleetGiven>,
    /// Refused assignments.
    pub refused: Vec<FleetRefused>,
    /// Why no more work was assigned.
    pub why_not: Option<String>,
    /// What was found wrong.
    pub warnings: Vec<String>,
}

/// A piece of work that an agent got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetGiven {
    /// Who.
    pub agent: FleetAgentId,
    /// Got what.
    pub bead: BeadId,
    /// The session that was opened for it.
    pub session_id: SessionId,
}

/// A piece of work that an agent did not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetRefused {
    /// Who.
    pub agent: FleetAgentId,
    /// Did not get what.
    pub bead: BeadId,
    /// Why.
    pub why: String,
}

/// What became of one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentSteered {
    /// It, as it is now.
    pub agent: FleetAgentNow,
    /// What was found wrong.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.recover`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetRecoverParams {
    /// Whose work.
    pub agent: FleetAgentId,
    /// What becomes of it.
    pub action: FleetRecovery,
}

/// What to do with the work of a stuck agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FleetRecovery {
    /// Resume its session.
    Resume,
    /// End its session and let another agent continue on its branch, immediately if one is idle.
    HandOn,
    /// End its session and leave the work unassigned until a user assigns it.
    Release,
}

/// Parameters of `fleet.broadcast`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetBroadcastParams {
    /// The agents; if empty, every agent with a live session.
    #[serde(default)]
    pub agents: Vec<FleetAgentId>,
    /// What.
    pub text: String,
}

/// The result of a broadcast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetBroadcasted {
    /// In the order in which they were named, else by name.
    pub told: Vec<FleetTold>,
}

/// The result of a broadcast for one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetTold {
    /// Who.
    pub agent: FleetAgentId,
    /// Whether the agent received it; absent if it could not be sent.
    pub delivery: Option<Delivery>,
    /// Why not, or why it waits.
    pub reason: Option<String>,
}

/// The result of pausing or resuming the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetPaused {
    /// Whether the fleet is paused now.
    pub paused: bool,
    /// Whose sessions were paused or resumed.
    pub agents: Vec<FleetAgentId>,
    /// What did not work.
    pub warnings: Vec<String>,
}

/// Parameters of `fleet.go_on`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetGoOnParams {
    /// Whether the sessions that were paused are resumed, too.
    #[serde(default)]
    pub resume: bool,
}

/// Parameters of `fleet.convoy_add` and `fleet.convoy_remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyBeadsParams {
    /// Which convoy.
    pub id: ConvoyId,
    /// Which beads.
    pub beads: Vec<BeadId>,
}

/// Parameters of `fleet.convoy_rename`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyRenameParams {
    /// Which convoy.
    pub id: ConvoyId,
    /// Its new name for people.
    pub name: String,
}

/// Parameters of `fleet.convoy_close`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyCloseParams {
    /// Which convoy.
    pub id: ConvoyId,
    /// Whether it is opened again instead.
    #[serde(default)]
    pub reopen: bool,
}
