//! The fleet's events. [`super::event_line`] defines their format.

use super::{AgentStatus, MergeStatus, WorkStatus};
use crate::ids::{BeadId, ConvoyId, FleetAgentId, MergeRequestId, SessionId};
use serde::{Deserialize, Serialize};

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum FleetEventKind {
    /// An agent was created.
    AgentCreated {
        /// The agent.
        agent: FleetAgentId,
    },
    /// An agent's status was written.
    AgentStatus {
        /// The agent.
        agent: FleetAgentId,
        /// The new status.
        status: AgentStatus,
    },
    /// A work item was created.
    WorkCreated {
        /// The bead.
        bead: BeadId,
    },
    /// The status of a work item was written.
    WorkStatus {
        /// The bead.
        bead: BeadId,
        /// The new status.
        status: WorkStatus,
    },
    /// Work was assigned to an agent.
    HookSet {
        /// The agent.
        agent: FleetAgentId,
        /// The bead.
        bead: BeadId,
    },
    /// An agent started its work.
    HookActivated {
        /// The agent.
        agent: FleetAgentId,
        /// The bead.
        bead: BeadId,
    },
    /// An agent completed its work.
    HookCompleted {
        /// The agent.
        agent: FleetAgentId,
        /// The bead.
        bead: BeadId,
    },
    /// An agent's work was removed from its hook.
    HookCleared {
        /// The agent.
        agent: FleetAgentId,
        /// The bead on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bead: Option<BeadId>,
    },
    /// A convoy was created.
    ConvoyCreated {
        /// The convoy.
        convoy: ConvoyId,
    },
    /// The progress of a convoy changed.
    ConvoyProgress {
        /// The convoy.
        convoy: ConvoyId,
        /// The progress, 0 to 1.
        progress: f64,
    },
    /// A branch was queued for merging.
    MergeQueued {
        /// The request.
        request: MergeRequestId,
        /// The bead.
        bead: BeadId,
    },
    /// The status of a merge was written.
    MergeStatus {
        /// The request.
        request: MergeRequestId,
        /// The bead.
        bead: BeadId,
        /// The new status.
        status: MergeStatus,
    },
    /// A merge request was cancelled.
    MergeCancelled {
        /// The request.
        request: MergeRequestId,
        /// The bead.
        bead: BeadId,
    },
    /// An agent's session was set or cleared.
    AgentSession {
        /// The agent.
        agent: FleetAgentId,
        /// The session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<SessionId>,
    },
    /// An agent's work was reassigned: another agent will continue it.
    WorkHandedOn {
        /// The previous agent.
        agent: FleetAgentId,
        /// The bead.
        bead: BeadId,
    },
    /// The beads or the name of a convoy changed.
    ConvoyChanged {
        /// The convoy.
        convoy: ConvoyId,
    },
    /// A convoy was closed, or opened again.
    ConvoyClosed {
        /// The convoy.
        convoy: ConvoyId,
        /// Whether it was closed.
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
