//! What this program keeps of the fleet beyond the format that it shares with others: files of its own in
//! `console/`, beside theirs. Losing one costs no work.

use crate::{
    Extra, Timestamp,
    ids::{BeadId, ConvoyId},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// Beads with which something went wrong.
    #[serde(default)]
    pub beads: BTreeMap<BeadId, Tries>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for DispatchRecord {
    fn default() -> Self {
        DispatchRecord { version: VERSION, paused: false, beads: BTreeMap::new(), extra: Extra::new() }
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
    /// Why it is handed to nobody unasked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
}

/// `console/convoys.json`: which convoys are closed, and since when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClosedConvoys {
    /// The format's version.
    #[serde(default = "version")]
    pub version: u32,
    /// Since when.
    #[serde(default)]
    pub closed: BTreeMap<ConvoyId, Timestamp>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for ClosedConvoys {
    fn default() -> Self {
        ClosedConvoys { version: VERSION, closed: BTreeMap::new(), extra: Extra::new() }
    }
}
