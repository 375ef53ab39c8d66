//! What this program keeps of the fleet beyond the format that it shares with others: files of its own in
//! `console/`, beside theirs. Losing one costs no work.

use crate::{
    Extra, Timestamp,
    ids::{BeadId, ConvoyId, FleetAgentId},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of these files that this build writes.
const VERSION: u32 = 1;

fn version() -> u32 {
    VERSION
}

/// `console/dispatch.json`: what is remembered of handing out work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DispatchRecord {
    /// The format's version.
    #[serde(default = "version")]
    pub version: u32,
    /// Whether everything was paused by a person.
    #[serde(default)]
    pub paused: bool,
    /// Agents whose sessions were paused with it.
    #[serde(default)]
    pub paused_agents: BTreeSet<FleetAgentId>,
    /// Beads with which something went wrong.
    #[serde(default)]
    pub beads: BTreeMap<BeadId, Tries>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for DispatchRecord {
    fn default() -> Self {
        DispatchRecord {
            version: VERSION,
            paused: false,
            paused_agents: BTreeSet::new(),
            beads: BTreeMap::new(),
            extra: Extra::new(),
        }
    }
}

/// What went wrong with a bead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tries {
    /// How often the session of the agent that has it was resumed because it had died.
    pub resumed: u32,
    /// How often it was handed on because that did not help.
    pub handed_on: u32,
    /// Who had it last: somebody else gets it, if there is anybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<FleetAgentId>,
    /// Why it is handed to nobody unasked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
}

/// That a convoy is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvoyEnd {
    /// Since when.
    pub at: Timestamp,
    /// Whether that is because all of it was done: it is open again when that is so no more.
    #[serde(default)]
    pub done: bool,
}

/// `console/convoys.json`: which convoys are closed, and since when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClosedConvoys {
    /// The format's version.
    #[serde(default = "version")]
    pub version: u32,
    /// How.
    #[serde(default)]
    pub closed: BTreeMap<ConvoyId, ConvoyEnd>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for ClosedConvoys {
    fn default() -> Self {
        ClosedConvoys { version: VERSION, closed: BTreeMap::new(), extra: Extra::new() }
    }
}
