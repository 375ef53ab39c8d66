//! The fleet's record of a bead's work, with its status and priority.

use super::HookStatus;
use crate::{
    Extra,
    ids::{BeadId, FleetAgentId},
};
use serde::{Deserialize, Serialize};

/// The status of a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum WorkStatus {
    /// Not assigned.
    Open,
    /// On an agent's hook.
    Hooked,
    InProgress,
    /// Completed by the agent.
    Done,
    /// The work is part of the target branch.
    Merged,
}

impl WorkStatus {
    /// Whether the agent has no work left to do.
    pub fn is_over(self) -> bool {
        matches!(self, WorkStatus::Done | WorkStatus::Merged)
    }
}

/// The priority of a work item. The shared format has three levels; a tracker has five.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type,
)]
pub enum Priority {
    /// High.
    P1,
    /// Normal.
    #[default]
    P2,
    /// Low.
    P3,
}

impl Priority {
    /// The priority's name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Priority::P1 => "P1",
            Priority::P2 => "P2",
            Priority::P3 => "P3",
        }
    }

    /// Converts a bead's priority, which has five levels.
    pub fn of_bead(priority: u8) -> Priority {
        match priority {
            0 | 1 => Priority::P1,
            2 => Priority::P2,
            _ => Priority::P3,
        }
    }

    /// The corresponding priority of a bead, 1 to 3.
    pub fn as_of_bead(self) -> u8 {
        match self {
            Priority::P1 => 1,
            Priority::P2 => 2,
            Priority::P3 => 3,
        }
    }
}

/// A work item. The bead's state in the tracker takes precedence over the work item's own state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkItem {
    /// The bead's id, which is also the name of the work item's file.
    pub bead_id: BeadId,
    pub title: String,
    pub description: String,
    pub status: WorkStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<FleetAgentId>,
    pub hook_status: HookStatus,
    pub priority: Priority,
    /// Unknown fields, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl WorkItem {
    /// Creates an unassigned work item.
    pub fn new(bead_id: BeadId, title: String, description: String, priority: Priority) -> WorkItem {
        WorkItem {
            bead_id,
            title,
            description,
            status: WorkStatus::Open,
            assignee: None,
            hook_status: HookStatus::Empty,
            priority,
            extra: Extra::new(),
        }
    }

    /// Returns the item as open and unassigned.
    pub fn free(&self) -> WorkItem {
        let (status, assignee, hook_status) = (WorkStatus::Open, None, HookStatus::Empty);
        WorkItem { status, assignee, hook_status, ..self.clone() }
    }

    /// Returns the item with the state of the agent's hook. An empty hook gives an open, unassigned item.
    pub fn on_hook(&self, agent: &FleetAgentId, hook: HookStatus) -> WorkItem {
        let status = match hook {
            HookStatus::Empty => WorkStatus::Open,
            HookStatus::Pending => WorkStatus::Hooked,
            HookStatus::Active => WorkStatus::InProgress,
            HookStatus::Completed => WorkStatus::Done,
        };
        let assignee = (hook != HookStatus::Empty).then(|| agent.clone());
        WorkItem { status, assignee, hook_status: hook, ..self.clone() }
    }
}
