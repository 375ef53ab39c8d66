//! The roles of fleet agents.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The role of a fleet agent. This program offers only polecats and crew; the other roles come from other
/// programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum AgentRole {
    /// Creates work and assigns it.
    Mayor,
    /// Watches the other agents.
    Witness,
    /// Merges finished work.
    Refinery,
    /// Takes ready beads, one at a time.
    Polecat,
    /// Works only on beads that a person assigns.
    Crew,
}

impl AgentRole {
    /// All roles, in declaration order.
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

/// The text is not a role's name. The error holds its first 80 characters.
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
