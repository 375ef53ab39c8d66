//! Display names of agents. They are in a file that only this program uses, because the shared format has
//! only ids.

use crate::{FleetError, State, work::check};
use bc_core::{
    fleet::{AgentIdentity, AgentNames},
    ids::FleetAgentId,
    text::one_line,
};

/// The name of the file with the agents' names.
const NAMES: &str = "names";

/// The maximum length of a name, in bytes.
const LONGEST: usize = 80;

impl State {
    /// The display names of all agents.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn agent_names(&self) -> Result<AgentNames, FleetError> {
        self.kept(NAMES)
    }

    /// Renames an agent.
    ///
    /// # Errors
    ///
    /// The agent does not exist, the name is not valid or taken, or the file cannot be written.
    pub fn rename_agent(&self, id: &FleetAgentId, name: &str) -> Result<(), FleetError> {
        let name = checked(name)?;
        let agents = self.agents(None, None)?;
        if !agents.iter().any(|agent| agent.id == *id) {
            return Err(FleetError::NoAgent(id.to_string()));
        }
        let mut taken = None;
        self.keep(NAMES, |kept: &mut AgentNames| {
            taken = kept.holder(name, Some(id), &agents).map(|agent| agent.id.clone());
            if taken.is_none() {
                kept.names.insert(id.clone(), name.to_owned());
            }
        })?;
        match taken {
            Some(agent) => Err(FleetError::NameTaken { name: name.to_owned(), agent }),
            None => Ok(()),
        }
    }

    /// Checks the name of a new agent.
    ///
    /// # Errors
    ///
    /// The name is not valid or taken, or the file cannot be opened.
    pub fn check_new_name(&self, name: &str) -> Result<(), FleetError> {
        let (name, agents, names) = (checked(name)?, self.agents(None, None)?, self.agent_names()?);
        match names.holder(name, None, &agents) {
            Some(agent) => Err(FleetError::NameTaken { name: name.to_owned(), agent: agent.id.clone() }),
            None => Ok(()),
        }
    }

    /// Gives a new agent the first unused default name.
    pub(crate) fn name_new(&self, agent: &AgentIdentity) -> Result<(), FleetError> {
        let agents = self.agents(None, None)?;
        self.keep(NAMES, |kept: &mut AgentNames| {
            if !kept.names.contains_key(&agent.id) {
                let others: Vec<_> = agents.iter().filter(|other| other.id != agent.id).cloned().collect();
                let name = kept.unused(agent.role, &others);
                kept.names.insert(agent.id.clone(), name);
            }
        })?;
        Ok(())
    }
}

/// The name without surrounding white space, if it is valid.
fn checked(name: &str) -> Result<&str, FleetError> {
    let name = name.trim();
    check("the name", name, LONGEST)?;
    match one_line(name) == name {
        true => Ok(name),
        false => Err(FleetError::Text { what: "the name", why: "has a line break or a control character" }),
    }
}
