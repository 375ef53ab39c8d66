//! Agent files: create, read, change the status and the session.

use crate::{FleetError, State, files::Kind};
use bc_core::{
    fleet::{AgentIdentity, AgentRole, AgentStatus, FleetEventKind},
    ids::{AgentSession, FleetAgentId, SessionId},
};

impl State {
    /// Creates an agent with a unique id and a default name.
    ///
    /// # Errors
    ///
    /// `rig`, the project's name, is empty, or the file cannot be written.
    pub fn create_agent(&self, role: AgentRole, rig: &str) -> Result<AgentIdentity, FleetError> {
        if rig.trim().is_empty() {
            return Err(FleetError::Text { what: "the rig", why: "is empty" });
        }
        let lock = self.lock()?;
        let id = FleetAgentId::new(role, State::random());
        let agent = self.change(Kind::Agents, id.as_str(), |_| {
            Ok(AgentIdentity::new(id.clone(), role, rig.to_owned()))
        })?;
        self.log_event(FleetEventKind::AgentCreated { agent: agent.id.clone() })?;
        drop(lock);
        // If this fails, the agent exists without a name, and is shown with its id.
        self.name_new(&agent)?;
        Ok(agent)
    }

    /// Returns the agent, or `None` if its file does not exist. An invalid file also yields `None`, with a
    /// warning.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn agent(&self, id: &FleetAgentId) -> Result<Option<AgentIdentity>, FleetError> {
        self.read(Kind::Agents, id.as_str())
    }

    /// Sets an agent's status. Unless the new status is active or stalled, the agent also loses its session.
    ///
    /// # Errors
    ///
    /// The agent does not exist, or the file cannot be written.
    pub fn update_agent_status(
        &self,
        id: &FleetAgentId,
        status: AgentStatus,
    ) -> Result<AgentIdentity, FleetError> {
        let _lock = self.lock()?;
        let agent = self.change(Kind::Agents, id.as_str(), |agent: Option<AgentIdentity>| {
            let agent = agent.ok_or_else(|| FleetError::NoAgent(id.to_string()))?;
            let keeps_session = matches!(status, AgentStatus::Active | AgentStatus::Stalled);
            Ok(AgentIdentity { status, session_id: agent.session_id.filter(|_| keeps_session), ..agent })
        })?;
        self.log_event(FleetEventKind::AgentStatus { agent: id.clone(), status })?;
        Ok(agent)
    }

    /// Sets an agent's session. With a session, the agent becomes active; without one, it becomes idle. A
    /// terminated agent stays terminated. Unchanged values are not written.
    ///
    /// # Errors
    ///
    /// The agent does not exist, or the file cannot be written.
    pub fn set_agent_session(
        &self,
        id: &FleetAgentId,
        session: Option<SessionId>,
    ) -> Result<AgentIdentity, FleetError> {
        let _lock = self.lock()?;
        let mut changed = false;
        let agent = self.change(Kind::Agents, id.as_str(), |agent: Option<AgentIdentity>| {
            let agent = agent.ok_or_else(|| FleetError::NoAgent(id.to_string()))?;
            let with = with_session(&agent, session);
            changed = with != agent;
            Ok(with)
        })?;
        if changed {
            self.log_event(FleetEventKind::AgentSession { agent: id.clone(), session })?;
        }
        Ok(agent)
    }

    /// Returns the agents with the given role and rig, sorted by id. `None` matches any role or rig.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn agents(
        &self,
        role: Option<AgentRole>,
        rig: Option<&str>,
    ) -> Result<Vec<AgentIdentity>, FleetError> {
        let mut agents: Vec<AgentIdentity> = self.all(Kind::Agents)?;
        agents.retain(|agent| {
            role.is_none_or(|role| agent.role == role) && rig.is_none_or(|rig| agent.rig == rig)
        });
        Ok(agents)
    }
}

/// Returns a copy of the agent with the given session and the matching status. A terminated agent stays
/// terminated.
fn with_session(agent: &AgentIdentity, session: Option<SessionId>) -> AgentIdentity {
    let status = match session {
        _ if agent.status == AgentStatus::Terminated => AgentStatus::Terminated,
        Some(_) => AgentStatus::Active,
        None => AgentStatus::Idle,
    };
    AgentIdentity { status, session_id: session.map(AgentSession::from), ..agent.clone() }
}
