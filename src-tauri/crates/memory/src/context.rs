//! The context of a session: its memories and the tracker's open work.

use crate::{Loaded, MemoryProvider, ProviderError};
use bc_beads::ListFilter;
use bc_core::{Extra, bead::Bead};
use serde_json::json;

/// The context of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionContext {
    /// The session.
    pub session_id: String,
    /// The session's memories, oldest first.
    pub memories: Vec<Loaded>,
    /// The agents that stored them.
    pub active_agents: Vec<String>,
    /// Beads that are not done.
    pub open_issues: Vec<Bead>,
    /// Beads that are ready to start.
    pub ready_work: Vec<Bead>,
    /// `workstream` and counts.
    pub metadata: Extra,
    /// Parts that could not be read.
    pub warnings: Vec<String>,
}

impl MemoryProvider {
    /// Collects the context of `session`, or of the caller's session if `None`. If the tracker fails, its
    /// parts stay empty and a warning says so.
    pub fn get_session_context(&self, session: Option<&str>) -> Result<SessionContext, ProviderError> {
        let session_id = session.unwrap_or(&self.caller.session).to_owned();
        let memories = self.restore_session(&session_id)?;
        let mut active_agents: Vec<String> =
            memories.iter().filter_map(|m| m.entry.agent_id.clone()).collect();
        active_agents.sort();
        active_agents.dedup();
        let (open_issues, warnings) = match self.open_beads() {
            Ok(beads) => (beads, Vec::new()),
            Err(error) => (Vec::new(), vec![format!("beads could not be listed: {error}")]),
        };
        let ready_work: Vec<Bead> = open_issues.iter().filter(|bead| bead.ready).cloned().collect();
        let mut metadata = Extra::new();
        metadata.insert("workstream".to_owned(), json!(self.caller.workstream));
        metadata.insert("memories".to_owned(), json!(memories.len()));
        metadata.insert("open_issues".to_owned(), json!(open_issues.len()));
        metadata.insert("ready_work".to_owned(), json!(ready_work.len()));
        Ok(SessionContext {
            session_id,
            memories,
            active_agents,
            open_issues,
            ready_work,
            metadata,
            warnings,
        })
    }

    fn open_beads(&self) -> Result<Vec<Bead>, bc_beads::TrackerError> {
        let tracker = bc_beads::open(&self.place.root, &self.place.environment)?;
        Ok(tracker.list(&ListFilter::open())?.beads)
    }
}
