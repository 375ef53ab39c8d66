//! The fleet's events. [`super::event_line`] defines their format.

use super::{AgentStatus, MergeStatus, WorkStatus};
use crate::ids::{BeadId, ConvoyId, FleetAgentId, MergeRequestId, SessionId};
use serde::{Deserialize, Serialize};

/// The kind of an event, which is stored in the `details` of a log entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum FleetEventKind {
    AgentCreated {
        agent: FleetAgentId,
    },
    AgentStatus {
        agent: FleetAgentId,
        status: AgentStatus,
    },
    WorkCreated {
        bead: BeadId,
    },
    WorkStatus {
        bead: BeadId,
        status: WorkStatus,
    },
    /// Work was assigned to an agent.
    HookSet {
        agent: FleetAgentId,
        bead: BeadId,
    },
    /// An agent started its work.
    HookActivated {
        agent: FleetAgentId,
        bead: BeadId,
    },
    /// An agent completed its work.
    HookCompleted {
        agent: FleetAgentId,
        bead: BeadId,
    },
    /// An agent's work was removed from its hook.
    HookCleared {
        agent: FleetAgentId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bead: Option<BeadId>,
    },
    ConvoyCreated {
        convoy: ConvoyId,
    },
    ConvoyProgress {
        convoy: ConvoyId,
        /// The progress, 0 to 1.
        progress: f64,
    },
    MergeQueued {
        request: MergeRequestId,
        bead: BeadId,
    },
    MergeStatus {
        request: MergeRequestId,
        bead: BeadId,
        status: MergeStatus,
    },
    MergeCancelled {
        request: MergeRequestId,
        bead: BeadId,
    },
    AgentSession {
        agent: FleetAgentId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<SessionId>,
    },
    /// An agent's work was reassigned; `agent` is the previous agent.
    WorkHandedOn {
        agent: FleetAgentId,
        bead: BeadId,
    },
    ConvoyChanged {
        convoy: ConvoyId,
    },
    /// A convoy was closed, or opened again.
    ConvoyClosed {
        convoy: ConvoyId,
        closed: bool,
    },
}

impl FleetEventKind {
    /// The event's agent, if any.
    pub fn agent(&self) -> Option<&FleetAgentId> {
        use FleetEventKind as E;
        match self {
            E::AgentCreated { agent }
            | E::AgentStatus { agent, .. }
            | E::AgentSession { agent, .. }
            | E::HookSet { agent, .. }
            | E::HookActivated { agent, .. }
            | E::HookCompleted { agent, .. }
            | E::HookCleared { agent, .. }
            | E::WorkHandedOn { agent, .. } => Some(agent),
            E::WorkCreated { .. }
            | E::WorkStatus { .. }
            | E::MergeQueued { .. }
            | E::MergeStatus { .. }
            | E::MergeCancelled { .. }
            | E::ConvoyCreated { .. }
            | E::ConvoyProgress { .. }
            | E::ConvoyChanged { .. }
            | E::ConvoyClosed { .. } => None,
        }
    }

    /// The event's bead, if any.
    pub fn bead(&self) -> Option<&BeadId> {
        use FleetEventKind as E;
        match self {
            E::WorkCreated { bead }
            | E::WorkStatus { bead, .. }
            | E::HookSet { bead, .. }
            | E::HookActivated { bead, .. }
            | E::HookCompleted { bead, .. }
            | E::MergeQueued { bead, .. }
            | E::MergeStatus { bead, .. }
            | E::MergeCancelled { bead, .. }
            | E::WorkHandedOn { bead, .. } => Some(bead),
            E::HookCleared { bead, .. } => bead.as_ref(),
            E::AgentCreated { .. }
            | E::AgentStatus { .. }
            | E::AgentSession { .. }
            | E::ConvoyCreated { .. }
            | E::ConvoyProgress { .. }
            | E::ConvoyChanged { .. }
            | E::ConvoyClosed { .. } => None,
        }
    }

    /// The event's convoy, if any.
    pub fn convoy(&self) -> Option<&ConvoyId> {
        match self {
            FleetEventKind::ConvoyCreated { convoy }
            | FleetEventKind::ConvoyProgress { convoy, .. }
            | FleetEventKind::ConvoyChanged { convoy }
            | FleetEventKind::ConvoyClosed { convoy, .. } => Some(convoy),
            _ => None,
        }
    }
}
