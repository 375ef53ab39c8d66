//! An agent of the fleet.

use crate::{
    Extra,
    ids::{AgentSession, FleetAgentId, SessionId},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The role of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum AgentRole {
    /// Creates work and assigns it.
    Mayor,
    /// Watches the others.
    Witness,
    /// Merges finished work.
    Refinery,
    /// Does one work item at a time.
    Polecat,
    /// Long-lived, works for the user.
    Crew,
}

impl AgentRole {
    /// All of them.
    pub const ALL: [AgentRole; 5] =
        [AgentRole::Mayor, AgentRole::Witness, AgentRole::Refinery, AgentRole::Polecat, AgentRole::Crew];

    /// The name in files and ids.
    pub fn as_str(self) -> &'static str {
        match self {
            AgentRole::Mayor => "mayor",
            AgentRole::Witness => "witness",
            AgentRole::Refinery => "refinery",
            AgentRole::Polecat => "polecat",
            AgentRole::Crew => "crew",
        }
    }
}

impl fmt::Display for AgentRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An unknown role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown role {0:?}; valid roles are mayor, witness, refinery, polecat and crew")]
pub struct UnknownRole(String);

impl FromStr for AgentRole {
    type Err = UnknownRole;
    fn from_str(text: &str) -> Result<AgentRole, UnknownRole> {
        let known = AgentRole::ALL.into_iter().find(|role| role.as_str() == text);
        known.ok_or_else(|| UnknownRole(text.chars().take(80).collect()))
    }
}

/// The state of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum AgentStatus {
    /// It has no live session.
    Idle,
    /// It has a live session.
    Active,
    /// It has a live session without progress.
    Stalled,
    /// It is no longer used.
    Terminated,
}

/// An agent's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentIdentity {
    /// Its id, also its file's name.
    pub id: FleetAgentId,
    /// Its role.
    pub role: AgentRole,
    /// Its project.
    pub rig: String,
    /// The id of its hook, `hook-{agent}`.
    pub hook_id: String,
    /// Its last recorded state.
    pub status: AgentStatus,
    /// Its session while it is active, of this or another program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<AgentSession>,
    /// Unknown fields.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl AgentIdentity {
    /// A new idle agent with an empty hook.
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

    /// Its session, if it can be one of this program.
    pub fn own_session(&self) -> Option<SessionId> {
        self.session_id.as_ref().and_then(AgentSession::ours)
    }
}
