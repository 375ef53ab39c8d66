//! The execution log: a session's results as Markdown in its bead's notes, based on recorded facts.

mod command;
mod log;
mod notes;

pub use command::{CommandKind, RanCommand, ran_commands};
pub use log::{last_summary, render};
pub use notes::{HEADING, NotesEdit, with_log};

use crate::{
    Timestamp,
    ids::{AgentName, BranchName, SessionId},
    work::{CommitLine, FileLine},
};
use serde::{Deserialize, Serialize};

/// The recorded facts of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ExecutionFacts {
    pub session: SessionId,
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    #[serde(default)]
    pub agent: Option<AgentName>,
    #[serde(default)]
    pub branch: Option<BranchName>,
    /// The active time in milliseconds.
    #[specta(type = u32)]
    pub active_ms: u64,
    /// Files that changed since the session started, committed or not.
    #[serde(default)]
    pub files: Vec<FileLine>,
    /// The session's commits, oldest first.
    #[serde(default)]
    pub commits: Vec<CommitLine>,
    /// Commands that ran tests or builds, oldest first.
    #[serde(default)]
    pub commands: Vec<RanCommand>,
    /// The agent's last text.
    #[serde(default)]
    pub summary: Option<String>,
    /// Whether the built-in simulated agent ran instead of Claude Code.
    #[serde(default)]
    pub simulated: bool,
}
