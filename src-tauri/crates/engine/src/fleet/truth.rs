//! What is true of an agent, whatever was written of it.

use crate::{engine::Engine, session};
use bc_core::{
    fleet::{AgentIdentity, AgentStatus},
    session::Status,
};
use bc_wire::session::{Activity, SessionView};

/// The agent with the status that its session has.
pub(super) fn of(engine: &Engine, agent: AgentIdentity) -> AgentIdentity {
    if agent.status == AgentStatus::Terminated {
        return agent;
    }
    // A session without a record is none.
    let session = agent.session_id.and_then(|id| session::show(engine, id).ok());
    let status = session.as_ref().map_or(AgentStatus::Idle, status);
    let session_id = agent.session_id.filter(|_| status != AgentStatus::Idle);
    AgentIdentity { status, session_id, ..agent }
}

fn status(session: &SessionView) -> AgentStatus {
    match (&session.live, session.meta.status) {
        (Some(live), Status::Active) => match live.activity {
            _ if !live.permissions.is_empty() || !live.troubles.is_empty() => AgentStatus::Stalled,
            Activity::WaitingPermission | Activity::AsksAtStart => AgentStatus::Stalled,
            _ => AgentStatus::Active,
        },
        _ => AgentStatus::Idle,
    }
}
