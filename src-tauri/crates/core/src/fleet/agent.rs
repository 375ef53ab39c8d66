//! An agent of the fleet.

use crate::{
    Extra,
    ids::{FleetAgentId, SessionId},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What an agent is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum AgentRole {
    /// Makes work and hands it out.
    Mayor,
    /// Watches the others.
    Witness,
    /// Merges what is done.
    Refinery,
    /// Does one piece of work and goes.
    Polecat,
    /// Stays, and works for a person.
    Crew,
}

impl AgentRole {
    /// All of them.
    pub const ALL: [AgentRole; 5] =
        [AgentRole::Mayor, AgentRole::Witness, AgentRole::Refinery, AgentRole::Polecat, AgentRole::Crew];

    /// The word for it, as in every file and in ids.
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

/// A word that is no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no role {0:?}; there are mayor, witness, refinery, polecat and crew")]
pub struct UnknownRole(String);

impl FromStr for AgentRole {
    type Err = UnknownRole;
    fn from_str(text: &str) -> Result<AgentRole, UnknownRole> {
        let known = AgentRole::ALL.into_iter().find(|role| role.as_str() == text);
        known.ok_or_else(|| UnknownRole(text.chars().take(80).collect()))
    }
}

/// What an agent is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum AgentStatus {
    /// It has no live session.
    Idle,
    /// Its session lives.
    Active,
    /// Its session lives and gets nowhere.
    Stalled,
    /// It is not used any more.
    Terminated,
}

/// An agent's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentIdentity {
    /// Its name, also its file's.
    pub id: FleetAgentId,
    /// What it is there for.
    pub role: AgentRole,
    /// The project that it works in.
    pub rig: String,
    /// The hook that its work hangs on, `hook-{agent}`.
    pub hook_id: String,
    /// What was last written of it.
    pub status: AgentStatus,
    /// Its session, while it is active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// What this build does not know.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl AgentIdentity {
    /// A new one, idle and with nothing on its hook.
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
}
