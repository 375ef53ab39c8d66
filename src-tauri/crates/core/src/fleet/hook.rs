//! What an agent has to do now: one piece of work at a time.

use super::WorkItem;
use crate::{
    Extra, Timestamp,
    ids::{BeadId, FleetAgentId},
};
use serde::{Deserialize, Serialize};

/// How a hook is.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "lowercase")]
pub enum HookStatus {
    /// Nothing hangs on it.
    #[default]
    Empty,
    /// Work hangs on it that the agent has not begun.
    Pending,
    /// The agent is at it.
    Active,
    /// The agent is done; the hook has to be cleared before it takes other work.
    Completed,
}

/// Why a hook is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HookRefused {
    /// The agent has work.
    #[error("{agent} has {bead} on its hook")]
    Holds {
        /// Who.
        agent: FleetAgentId,
        /// What.
        bead: BeadId,
    },
    /// The agent's last work is done and was not taken off.
    #[error("the hook of {agent} still says that its last work is done: clear it first")]
    NotCleared {
        /// Who.
        agent: FleetAgentId,
    },
    /// Somebody else has the work.
    #[error("{bead} is on the hook of {agent}")]
    Taken {
        /// What.
        bead: BeadId,
        /// Who has it.
        agent: FleetAgentId,
    },
    /// There is nothing to do any more.
    #[error("{bead} is done already")]
    Over {
        /// What.
        bead: BeadId,
    },
    /// The agent is not used any more.
    #[error("{agent} is terminated")]
    Terminated {
        /// Who.
        agent: FleetAgentId,
    },
    /// Only work that waits can be begun, and only work that was begun can be done.
    #[error("the hook of {agent} is {}: {wanted} is wanted", word(*status))]
    Status {
        /// Who.
        agent: FleetAgentId,
        /// How it is.
        status: HookStatus,
        /// How it would have to be.
        wanted: &'static str,
    },
}

fn word(status: HookStatus) -> &'static str {
    match status {
        HookStatus::Empty => "empty",
        HookStatus::Pending => "pending",
        HookStatus::Active => "active",
        HookStatus::Completed => "completed",
    }
}

/// An agent's hook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HookState {
    /// Whose.
    pub agent_id: FleetAgentId,
    /// How it is.
    pub status: HookStatus,
    /// The work, while it is pending or active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work_item: Option<WorkItem>,
    /// When it changed last, or its agent was last heard of.
    pub last_activity: Timestamp,
    /// What this build does not know.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl HookState {
    /// One that nothing hangs on.
    pub fn empty(agent_id: FleetAgentId, now: Timestamp) -> HookState {
        HookState {
            agent_id,
            status: HookStatus::Empty,
            work_item: None,
            last_activity: now,
            extra: Extra::new(),
        }
    }

    /// What hangs on it.
    pub fn bead(&self) -> Option<&BeadId> {
        self.work_item.as_ref().map(|item| &item.bead_id)
    }

    /// Whether this piece of work hangs on it and is not done.
    pub fn holds(&self, bead: &BeadId) -> bool {
        matches!(self.status, HookStatus::Pending | HookStatus::Active) && self.bead() == Some(bead)
    }

    /// With work on it.
    ///
    /// # Errors
    /// It is not empty, or the work is done.
    pub fn with(&self, item: &WorkItem, now: Timestamp) -> Result<HookState, HookRefused> {
        let agent = self.agent_id.clone();
        match (self.status, self.bead()) {
            (HookStatus::Empty, _) => {}
            (HookStatus::Completed, _) | (_, None) => return Err(HookRefused::NotCleared { agent }),
            (_, Some(bead)) => return Err(HookRefused::Holds { agent, bead: bead.clone() }),
        }
        if item.status.is_over() {
            return Err(HookRefused::Over { bead: item.bead_id.clone() });
        }
        Ok(self.changed(HookStatus::Pending, Some(item.on_hook(&agent, HookStatus::Pending)), now))
    }

    /// With its work begun.
    ///
    /// # Errors
    /// No work waits on it.
    pub fn activated(&self, now: Timestamp) -> Result<HookState, HookRefused> {
        match (self.status, &self.work_item) {
            (HookStatus::Pending, Some(item)) => {
                let item = item.on_hook(&self.agent_id, HookStatus::Active);
                Ok(self.changed(HookStatus::Active, Some(item), now))
            }
            _ => Err(self.refused("pending")),
        }
    }

    /// With its work done, which is returned as it is then.
    ///
    /// # Errors
    /// No work is begun on it.
    pub fn completed(&self, now: Timestamp) -> Result<(HookState, WorkItem), HookRefused> {
        match (self.status, &self.work_item) {
            (HookStatus::Active, Some(item)) => {
                let item = item.on_hook(&self.agent_id, HookStatus::Completed);
                Ok((self.changed(HookStatus::Completed, None, now), item))
            }
            _ => Err(self.refused("active")),
        }
    }

    /// With nothing on it, whatever there was.
    pub fn cleared(&self, now: Timestamp) -> HookState {
        self.changed(HookStatus::Empty, None, now)
    }

    fn refused(&self, wanted: &'static str) -> HookRefused {
        HookRefused::Status { agent: self.agent_id.clone(), status: self.status, wanted }
    }

    fn changed(&self, status: HookStatus, work_item: Option<WorkItem>, now: Timestamp) -> HookState {
        HookState { status, work_item, last_activity: now, ..self.clone() }
    }
}
