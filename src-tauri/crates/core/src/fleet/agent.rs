//! The record of a fleet agent.

use super::AgentRole;
use crate::{
    Extra,
    ids::{AgentSession, FleetAgentId, SessionId},
};
use serde::{Deserialize, Serialize};

/// The state of a fleet agent, as stored in its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum AgentStatus {
    /// The agent has no session, or a paused one.
    Idle,
    /// The agent's session is starting, in a turn, or at its prompt.
    Active,
    /// The agent's session waits for the user or a usage limit, makes no progress, or was interrupted.
    Stalled,
    /// The agent was retired.
    Terminated,
}

/// A fleet agent's record, stored as one JSON file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentIdentity {
    /// The agent's id, which is also the name of its file.
    pub id: FleetAgentId,
    pub role: AgentRole,
    pub rig: String,
    /// The id of the agent's hook, `hook-{agent}`.
    pub hook_id: String,
    pub status: AgentStatus,
    /// The agent's active session of this program, or its session of another program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<AgentSession>,
    /// Unknown fields, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl AgentIdentity {
    /// Creates an idle agent with an empty hook.
    pub fn new(id: FleetAgentId, role: AgentRole, rig: String) -> AgentIdentity {
        let hook_id = format!("hook-{id}");
        AgentIdentity {
            id,
            role,
            rig,
            hook_id,
            status: AgentStatus::Idle,
            session_id: None,
            extra: Extra::new(),
        }
    }

    /// The session, if its id has this program's format.
    pub fn own_session(&self) -> Option<SessionId> {
        self.session_id.as_ref().and_then(AgentSession::ours)
    }
}
