//! Queries over all sessions and their results, and the search within one conversation. `bc-search` runs the
//! queries over all sessions.

mod within;

pub use within::{Within, within};

use crate::{
    Timestamp,
    ids::{AgentName, BeadId},
    message::Role,
    session::{Meta, Status},
};
use serde::{Deserialize, Serialize};

/// A search. A session must match all given conditions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Query {
    /// Words as typed. All words must occur in the same message or in the title, objective and bead id, the
    /// last word may be a prefix, and "…" is a phrase. There is no other syntax. If empty, only the other
    /// conditions apply.
    #[serde(default)]
    pub text: String,
    /// Only sessions created or active at or after this time.
    #[serde(default)]
    pub since: Option<Timestamp>,
    /// Only sessions created or active before this time. With `since`, only sessions between the two times.
    #[serde(default)]
    pub until: Option<Timestamp>,
    /// Only sessions on this bead.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Only sessions with this agent prompt.
    #[serde(default)]
    pub agent: Option<AgentName>,
    /// Only sessions in these states; empty means all.
    #[serde(default)]
    pub status: Vec<Status>,
    /// Only sessions that read or wrote a file whose path contains this text, ignoring case.
    #[serde(default)]
    pub file: Option<String>,
    /// Only sessions with a commit whose hash starts with this text.
    #[serde(default)]
    pub commit: Option<String>,
    /// The number of sessions to skip, for the next page.
    #[serde(default)]
    pub skip: u32,
    /// The maximum number of sessions; 50 by default, at most 500.
    #[serde(default)]
    pub limit: Option<u32>,
    /// The time limit for updating the index before the search, in milliseconds; unlimited by default.
    #[serde(default)]
    pub within_ms: Option<u32>,
}

/// A session that matches a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub meta: Meta,
    /// Some of the matches, newest first; empty if the query has no text.
    pub hits: Vec<Hit>,
    pub hit_count: u32,
}

/// A match in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Hit {
    /// The message; `None` if the match is in the title, objective or bead id.
    #[serde(default)]
    pub message: Option<String>,
    /// The message's position in the conversation, from 0.
    #[serde(default)]
    pub place: Option<u32>,
    /// The message's author.
    #[serde(default)]
    pub role: Option<Role>,
    /// The time of the message; for a match in the title, objective or bead id, when the session was created.
    pub at: Timestamp,
    /// The tool, if the match is in a tool call.
    #[serde(default)]
    pub tool: Option<String>,
    /// The text around the match.
    pub snippet: Vec<Piece>,
}

/// A piece of a snippet: a match or the text around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Piece {
    pub text: String,
    /// Whether the piece is a match.
    pub found: bool,
}
