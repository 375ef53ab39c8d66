//! A piece of work on its way through the fleet.

use super::{HookState, HookStatus};
use crate::{
    Extra,
    ids::{BeadId, FleetAgentId},
};
use serde::{Deserialize, Serialize};

/// How far a piece of work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum WorkStatus {
    /// Nobody has it.
    Open,
    /// It hangs on an agent's hook.
    Hooked,
    /// The agent is at it.
    InProgress,
    /// The agent is done.
    Done,
    /// It is part of the target branch.
    Merged,
}

impl WorkStatus {
    /// Whether nothing is left to do for an agent.
    pub fn is_over(self) -> bool {
        matches!(self, WorkStatus::Done | WorkStatus::Merged)
    }
}

/// How urgent it is.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type,
)]
pub enum Priority {
    /// Before all else.
    P1,
    /// As most.
    #[default]
    P2,
    /// When there is time.
    P3,
}

impl Priority {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Priority::P1 => "P1",
            Priority::P2 => "P2",
            Priority::P3 => "P3",
        }
    }

    /// Of a bead's priority: 0 and 1 are P1, 2 is P2, all else P3.
    pub fn of_bead(priority: u8) -> Priority {
        match priority {
            0 | 1 => Priority::P1,
            2 => Priority::P2,
            _ => Priority::P3,
        }
    }

    /// The middle of what a bead's priority may be for it.
    pub fn as_of_bead(self) -> u8 {
        match self {
            Priority::P1 => 1,
            Priority::P2 => 2,
            Priority::P3 => 3,
        }
    }
}

/// A piece of work. Its bead's own state, in the tracker, wins over what is written here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkItem {
    /// The bead, also its file's name.
    pub bead_id: BeadId,
    /// What it is, in a line.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// How far it is.
    pub status: WorkStatus,
    /// Who has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<FleetAgentId>,
    /// How the hook is that it hangs on.
    pub hook_status: HookStatus,
    /// How urgent it is.
    pub priority: Priority,
    /// What this build does not know.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl WorkItem {
    /// A new one that nobody has.
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

    /// As it is on that agent's hook.
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

/// The item as it has to be beside the hook that holds it, or beside none that does: what a program that died
/// between two files left is made whole by it.
pub fn settled(item: &WorkItem, holder: Option<&HookState>) -> WorkItem {
    match holder {
        _ if item.status.is_over() => item.clone(),
        Some(hook) => item.on_hook(&hook.agent_id, hook.status),
        None => WorkItem {
            status: WorkStatus::Open,
            assignee: None,
            hook_status: HookStatus::Empty,
            ..item.clone()
        },
    }
}
