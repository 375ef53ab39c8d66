//! What happened in the fleet, a line each.

use super::{AgentStatus, MergeStatus, WorkStatus};
use crate::{
    Timestamp,
    ids::{BeadId, ConvoyId, FleetAgentId, MergeRequestId, SessionId},
};
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "event", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum FleetEventKind {
    /// An agent was made.
    AgentCreated {
        /// It.
        agent: FleetAgentId,
    },
    /// An agent's status was written.
    AgentStatus {
        /// It.
        agent: FleetAgentId,
        /// What was written.
        status: AgentStatus,
    },
    /// A piece of work was made.
    WorkCreated {
        /// It.
        bead: BeadId,
    },
    /// How far a piece of work is was written.
    WorkStatus {
        /// It.
        bead: BeadId,
        /// What was written.
        status: WorkStatus,
    },
    /// An agent was given work.
    HookSet {
        /// Who.
        agent: FleetAgentId,
        /// What.
        bead: BeadId,
    },
    /// An agent began its work.
    HookActivated {
        /// Who.
        agent: FleetAgentId,
        /// What.
        bead: BeadId,
    },
    /// An agent is done with its work.
    HookCompleted {
        /// Who.
        agent: FleetAgentId,
        /// What.
        bead: BeadId,
    },
    /// An agent's work was taken off its hook.
    HookCleared {
        /// Who.
        agent: FleetAgentId,
        /// What hung on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bead: Option<BeadId>,
    },
    /// A convoy was made.
    ConvoyCreated {
        /// It.
        convoy: ConvoyId,
    },
    /// More or less of a convoy is done than was written.
    ConvoyProgress {
        /// It.
        convoy: ConvoyId,
        /// 0 to 1.
        progress: f64,
    },
    /// A branch waits to be merged.
    MergeQueued {
        /// The request.
        request: MergeRequestId,
        /// Whose work it is.
        bead: BeadId,
    },
    /// How far a merge is was written.
    MergeStatus {
        /// The request.
        request: MergeRequestId,
        /// Whose work it is.
        bead: BeadId,
        /// What was written.
        status: MergeStatus,
    },
    /// A request to merge was taken out.
    MergeCancelled {
        /// The request.
        request: MergeRequestId,
        /// Whose work it is.
        bead: BeadId,
    },
    /// An agent has a session, or has none any more.
    AgentSession {
        /// Who.
        agent: FleetAgentId,
        /// Which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<SessionId>,
    },
    /// An agent's work is to be gone on with by another one.
    WorkHandedOn {
        /// Who had it.
        agent: FleetAgentId,
        /// What.
        bead: BeadId,
    },
    /// There is other work in a convoy, or it has another name.
    ConvoyChanged {
        /// It.
        convoy: ConvoyId,
    },
    /// A convoy was closed, or opened again.
    ConvoyClosed {
        /// It.
        convoy: ConvoyId,
        /// Which of the two.
        closed: bool,
    },
}

impl FleetEventKind {
    /// The bead that it is about, where it is about one.
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

    /// The convoy that it is about, where it is about one.
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

/// A line of an event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetEvent {
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub what: FleetEventKind,
}
