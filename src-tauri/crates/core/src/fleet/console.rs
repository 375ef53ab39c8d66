//! This program's own fleet data beyond the shared format: files in `console/` beside the shared ones. If one
//! of these files is lost, no work is lost.

use super::{AgentIdentity, AgentRole};
use crate::{
    Extra, Timestamp,
    ids::{BeadId, ConvoyId, FleetAgentId},
    text::one_line,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of these files that this build writes.
const VERSION: u32 = 1;

fn version() -> u32 {
    VERSION
}

/// `console/dispatch.json`: the state of dispatch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DispatchRecord {
    #[serde(default = "version")]
    pub version: u32,
    #[serde(default)]
    pub paused: bool,
    /// Agents whose sessions were paused with the fleet.
    #[serde(default)]
    pub paused_agents: BTreeSet<FleetAgentId>,
    /// Places where a session could not be opened, and the time until which dispatch avoids each of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub avoided_places: BTreeMap<String, Timestamp>,
    /// The attempts by bead.
    #[serde(default)]
    pub beads: BTreeMap<BeadId, Tries>,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for DispatchRecord {
    fn default() -> Self {
        DispatchRecord {
            version: VERSION,
            paused: false,
            paused_agents: BTreeSet::new(),
            avoided_places: BTreeMap::new(),
            beads: BTreeMap::new(),
            extra: Extra::new(),
        }
    }
}

impl DispatchRecord {
    /// Whether dispatch currently avoids this place, because it failed to open a session at the place.
    pub fn avoids(&self, place: &str, now: Timestamp) -> bool {
        self.avoided_places.get(place).is_some_and(|until| *until > now)
    }

    /// Avoids a place until a time, and removes the places whose time has passed.
    pub fn avoid(&mut self, place: &str, now: Timestamp, until: Timestamp) {
        self.avoided_places.retain(|_, until| *until > now);
        self.avoided_places.insert(place.to_owned(), until);
    }
}

/// The fleet's attempts on a bead, and why the bead is held back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tries {
    /// How often the session of the bead's current agent was resumed after it died; 0 after a reassignment or
    /// release.
    pub resumed: u32,
    /// How often the bead was reassigned, automatically or by the user.
    pub handed_on: u32,
    /// The agent from which the bead was last reassigned; dispatch prefers another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<FleetAgentId>,
    /// Why the bead is held back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
}

/// When and why a convoy was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvoyEnd {
    pub at: Timestamp,
    /// Whether the convoy was closed because all its work was done. It reopens when that is no longer true.
    #[serde(default)]
    pub done: bool,
}

/// `console/convoys.json`: the closed convoys, and when they were closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClosedConvoys {
    #[serde(default = "version")]
    pub version: u32,
    #[serde(default)]
    pub closed: BTreeMap<ConvoyId, ConvoyEnd>,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for ClosedConvoys {
    fn default() -> Self {
        ClosedConvoys { version: VERSION, closed: BTreeMap::new(), extra: Extra::new() }
    }
}

/// `console/names.json`: the display names of agents. The shared format only has an id, which stays
/// unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentNames {
    #[serde(default = "version")]
    pub version: u32,
    /// The names by agent. An agent without a name is shown with a name made from its id.
    #[serde(default)]
    pub names: BTreeMap<FleetAgentId, String>,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for AgentNames {
    fn default() -> Self {
        AgentNames { version: VERSION, names: BTreeMap::new(), extra: Extra::new() }
    }
}

impl AgentNames {
    /// An agent's display name; without one, a name made from its id, such as `Agent 4f1c`.
    pub fn of(&self, agent: &AgentIdentity) -> String {
        match self.names.get(&agent.id) {
            Some(name) => one_line(name),
            None => name_by_id(agent),
        }
    }

    /// The first unused name for an agent of this role, such as `Agent 1` or `Crew 2`.
    pub fn unused(&self, role: AgentRole, agents: &[AgentIdentity]) -> String {
        let taken: BTreeSet<String> = agents.iter().map(|agent| self.of(agent).to_lowercase()).collect();
        let names = (1_u32..).map(|n| format!("{} {n}", word(role)));
        let mut free = names.filter(|name| !taken.contains(&name.to_lowercase()));
        free.next().expect("there are more numbers than agents")
    }

    /// An agent other than `but` that has this name or id, ignoring case, if any.
    pub fn holder<'a>(
        &self,
        name: &str,
        but: Option<&FleetAgentId>,
        agents: &'a [AgentIdentity],
    ) -> Option<&'a AgentIdentity> {
        let name = name.to_lowercase();
        let others = agents.iter().filter(|agent| Some(&agent.id) != but);
        let mut called = others.filter(|agent| {
            self.of(agent).to_lowercase() == name || agent.id.as_str().to_lowercase() == name
        });
        called.next()
    }
}

/// The display name of a role.
fn word(role: AgentRole) -> &'static str {
    match role {
        AgentRole::Polecat => "Agent",
        AgentRole::Crew => "Crew",
        AgentRole::Mayor => "Mayor",
        AgentRole::Witness => "Witness",
        AgentRole::Refinery => "Refinery",
    }
}

/// A short, stable name from the id, such as `Agent 4f1c` or `Crew mira`.
fn name_by_id(agent: &AgentIdentity) -> String {
    let id = agent.id.as_str();
    let rest = id.strip_prefix(agent.role.as_str()).and_then(|rest| rest.strip_prefix('-')).unwrap_or(id);
    let is_random = rest.len() >= 6 && rest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let short = if is_random { &rest[..4] } else { rest };
    format!("{} {}", word(agent.role), one_line(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(id: &str, role: AgentRole) -> AgentIdentity {
        AgentIdentity::new(id.parse().unwrap(), role, "r".to_owned())
    }

    #[test]
    fn an_agents_name_defaults_to_its_id() {
        let names = AgentNames::default();
        let of = |id, role| names.of(&agent(id, role));
        assert_eq!(of("polecat-287200aabb", AgentRole::Polecat), "Agent 2872");
        assert_eq!(of("polecat-alpha", AgentRole::Polecat), "Agent alpha");
        assert_eq!(of("crew-mira", AgentRole::Crew), "Crew mira");
        assert_eq!(of("überwacher", AgentRole::Witness), "Witness überwacher");
    }

    #[test]
    fn a_new_name_is_the_first_unused_one() {
        let mut names = AgentNames::default();
        let agents = [agent("polecat-a", AgentRole::Polecat), agent("polecat-2", AgentRole::Polecat)];
        names.names.insert(agents[0].id.clone(), "agent 1".to_owned());
        assert_eq!(
            names.unused(AgentRole::Polecat, &agents),
            "Agent 3",
            "the other agent is named by its id"
        );
        assert_eq!(names.unused(AgentRole::Crew, &agents), "Crew 1");
        assert_eq!(names.holder("AGENT 1", None, &agents).map(|agent| &agent.id), Some(&agents[0].id));
        assert!(
            names.holder("Agent 1", Some(&agents[0].id), &agents).is_none(),
            "an agent may keep its name"
        );
        assert!(names.holder("polecat-2", Some(&agents[0].id), &agents).is_some(), "an id counts as a name");
    }
}
