//! What is asked of all sessions at once and what is found. How is the business of `bc-search`; what is
//! looked for in one conversation is found here.

mod within;

pub use within::{Within, within};

use crate::{
    Timestamp,
    ids::{AgentName, BeadId},
    message::Role,
    session::{Meta, Status},
};
use serde::{Deserialize, Serialize};

/// A search. Everything given must be true of a session for it to be found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Query {
    /// Words as typed: all of them in one place, the last one may be a beginning, "…" is a phrase.
    /// Nothing else has a meaning of its own. Empty finds by the rest alone.
    #[serde(default)]
    pub text: String,
    /// Only sessions made or active at this moment or later.
    #[serde(default)]
    pub since: Option<Timestamp>,
    /// Only sessions made or active before this moment; with both, in the time between.
    #[serde(default)]
    pub until: Option<Timestamp>,
    /// Only this bead's.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Only this agent's.
    #[serde(default)]
    pub agent: Option<AgentName>,
    /// Only these states; empty means all.
    #[serde(default)]
    pub status: Vec<Status>,
    /// Only sessions that read or wrote a file with this in its path, capitals or not.
    #[serde(default)]
    pub file: Option<String>,
    /// Only sessions with a commit whose hash begins like this.
    #[serde(default)]
    pub commit: Option<String>,
    /// How many sessions are passed over, for the next page.
    #[serde(default)]
    pub skip: u32,
    /// At most how many sessions; 50 unless given, never over 500.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Milliseconds after which what has been read so far is searched; all of it unless given.
    #[serde(default)]
    pub within_ms: Option<u32>,
}

/// A session that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its record.
    pub meta: Meta,
    /// Where in it, the newest first, a few of them; empty where no text was asked for.
    pub hits: Vec<Hit>,
    /// How many places there are, as far as they were counted.
    pub hit_count: u32,
}

/// A place in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Hit {
    /// The message; absent where it is the title or the objective.
    #[serde(default)]
    pub message: Option<String>,
    /// The message's place in the conversation, from 0.
    #[serde(default)]
    pub place: Option<u32>,
    /// Who speaks.
    #[serde(default)]
    pub role: Option<Role>,
    /// When it was said.
    pub at: Timestamp,
    /// The tool, where the words are in what a tool was given or answered.
    #[serde(default)]
    pub tool: Option<String>,
    /// Some text around the words.
    pub snippet: Vec<Piece>,
}

/// A piece of a text: found or around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether it is what was looked for.
    pub found: bool,
}
