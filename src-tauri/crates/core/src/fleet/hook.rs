//! An agent's current work: one work item at a time.

use super::{HookStatus, WorkItem, WorkStatus, file_text::status_words};
use crate::{
    Extra, Timestamp,
    ids::{BeadId, FleetAgentId},
};
use serde::{Deserialize, Serialize};

/// Why a hook cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HookRefused {
    #[error("{agent} has {bead} on its hook")]
    Holds { agent: FleetAgentId, bead: BeadId },
    /// The agent's last work is completed but not cleared.
    #[error("the hook of {agent} still has its completed work: clear it first")]
    NotCleared { agent: FleetAgentId },
    /// Another agent has the work.
    #[error("{bead} is on the hook of {agent}")]
    Taken { bead: BeadId, agent: FleetAgentId },
    /// The work is finished.
    #[error("{bead} is already done")]
    Over { bead: BeadId },
    /// The agent was retired.
    #[error("{agent} is terminated")]
    Terminated { agent: FleetAgentId },
    /// Only pending work can be started, and only active work completed.
    #[error("the hook of {agent} is {}, but must be {wanted}", status_words(status))]
    Status { agent: FleetAgentId, status: HookStatus, wanted: &'static str },
}

/// An agent's hook: the slot for its current work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HookState {
    pub agent_id: FleetAgentId,
    pub status: HookStatus,
    /// The work, while it is pending or active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work_item: Option<WorkItem>,
    /// The time of the last change, or of the agent's last sign of life.
    pub last_activity: Timestamp,
    /// Unknown fields, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl HookState {
    /// Creates an empty hook.
    pub fn empty(agent_id: FleetAgentId, now: Timestamp) -> HookState {
        HookState {
            agent_id,
            status: HookStatus::Empty,
            work_item: None,
            last_activity: now,
            extra: Extra::new(),
        }
    }

    /// The bead on the hook; `None` without work.
    pub fn bead(&self) -> Option<&BeadId> {
        self.work_item.as_ref().map(|item| &item.bead_id)
    }

    /// Whether the hook has this work item and the work is not finished.
    pub fn holds(&self, bead: &BeadId) -> bool {
        matches!(self.status, HookStatus::Pending | HookStatus::Active) && self.bead() == Some(bead)
    }

    /// Whether this work item was completed on this hook. Some programs leave the work on a completed hook.
    /// If the hook has no work, the item must be assigned to the hook's agent and must have been started.
    pub fn finished(&self, item: &WorkItem) -> bool {
        let started = item.status == WorkStatus::InProgress
            || item.status == WorkStatus::Hooked
                && matches!(item.hook_status, HookStatus::Active | HookStatus::Completed);
        self.status == HookStatus::Completed
            && match self.bead() {
                Some(bead) => *bead == item.bead_id,
                None => started && item.assignee.as_ref() == Some(&self.agent_id),
            }
    }

    /// Returns the hook with this work on it.
    ///
    /// # Errors
    ///
    /// Returns an error if the hook is not empty or the work is finished.
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

    /// Returns the hook with its work started.
    ///
    /// # Errors
    ///
    /// Returns an error if the hook has no pending work.
    pub fn activated(&self, now: Timestamp) -> Result<HookState, HookRefused> {
        match (self.status, &self.work_item) {
            (HookStatus::Pending, Some(item)) => {
                let item = item.on_hook(&self.agent_id, HookStatus::Active);
                Ok(self.changed(HookStatus::Active, Some(item), now))
            }
            _ => Err(self.refused("pending")),
        }
    }

    /// Returns the hook with its work completed, and the completed item.
    ///
    /// # Errors
    ///
    /// Returns an error if the hook has no active work.
    pub fn completed(&self, now: Timestamp) -> Result<(HookState, WorkItem), HookRefused> {
        match (self.status, &self.work_item) {
            (HookStatus::Active, Some(item)) => {
                let item = item.on_hook(&self.agent_id, HookStatus::Completed);
                Ok((self.changed(HookStatus::Completed, None, now), item))
            }
            _ => Err(self.refused("active")),
        }
    }

    /// Returns the hook without any work.
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

/// Derives the state of an unfinished work item from the hooks; a finished item stays unchanged. A hook that
/// holds the item takes precedence over a hook on which it was completed. This repairs the state after a
/// crash between two writes, and after changes by programs that only write the hook.
pub fn settled<'a>(item: &WorkItem, hooks: impl IntoIterator<Item = &'a HookState>) -> WorkItem {
    if item.status.is_over() {
        return item.clone();
    }
    let mut finished = None;
    for hook in hooks {
        if hook.holds(&item.bead_id) {
            return item.on_hook(&hook.agent_id, hook.status);
        }
        if hook.finished(item) {
            finished = Some(&hook.agent_id);
        }
    }
    // The hook may no longer exist, because some programs remove its file.
    let completed = item.hook_status == HookStatus::Completed && item.status != WorkStatus::Open;
    match finished.or(item.assignee.as_ref().filter(|_| completed)) {
        Some(agent) => item.on_hook(agent, HookStatus::Completed),
        None => item.free(),
    }
}
