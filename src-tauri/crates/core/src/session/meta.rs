//! `meta.json`: the specification's `Session` without its messages and context pack, and our own
//! fields beside them. Unknown fields survive a round trip through this build.

use super::{CloseReason, Interval, PauseReason, Status};
use crate::{
    Extra, Timestamp,
    ids::{AgentName, BeadId, BranchName, ConversationId, FleetAgentId, ProjectId, SessionId},
    mode::PermissionMode,
    newer,
};
use serde::{Deserialize, Serialize};

/// The version of `meta.json` that this build writes.
pub const SCHEMA_VERSION: u32 = 1;

/// One session, as its `meta.json` has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Meta {
    /// The format's version.
    #[serde(default = "first_version")]
    pub schema_version: u32,
    /// Who it is.
    pub id: SessionId,
    /// Which project.
    pub project_id: ProjectId,
    /// The linked bead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bead_id: Option<BeadId>,
    /// Which agent prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentName>,
    /// Its state.
    pub status: Status,
    /// When it was made.
    pub created_at: Timestamp,
    /// When work began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When it was last paused; absent while active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// Given by the person, or made from the objective or the first prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it tries to accomplish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// Files read or written, relative to the working folder where they are in it.
    #[serde(default)]
    pub files_touched: Vec<String>,
    /// Hashes of the commits made in it, oldest first.
    #[serde(default)]
    pub commits: Vec<String>,
    /// Input + cache creation + output tokens, each message once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub total_tokens: Option<u64>,
    /// Milliseconds of active time, the open interval not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub total_duration_ms: Option<u64>,

    /// The branch it works on. Ours, as all that follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchName>,
    /// The commit that the branch stood on when the session began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_commit: Option<String>,
    /// The branch that its branch began from, where it was made for the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_branch: Option<BranchName>,
    /// The absolute working folder of claude.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Whether `cwd` is a git worktree made for this session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub worktree: bool,
    /// How much claude may do unasked.
    #[serde(default, deserialize_with = "newer::known_or_default")]
    #[specta(type = PermissionMode)]
    pub mode: PermissionMode,
    /// The model asked for; absent means claude's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Who claims in the tracker: `{user}/{first 8 of the id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Whether the built-in simulated agent runs in it and not Claude Code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// The agent of the fleet whose session it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet_agent: Option<FleetAgentId>,
    /// The runner that its program runs by, where that is not this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// Every conversation it had, oldest first.
    #[serde(default)]
    pub claude_sessions: Vec<ClaudeSession>,
    /// Why it is paused; absent while it is not.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "newer::known")]
    #[specta(type = Option<PauseReason>)]
    pub pause_reason: Option<PauseReason>,
    /// Why it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "newer::known")]
    #[specta(type = Option<CloseReason>)]
    pub close_reason: Option<CloseReason>,
    /// When it was active.
    #[serde(default)]
    pub active_intervals: Vec<Interval>,
    /// When it was last started or resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_activated_at: Option<Timestamp>,
    /// `total_tokens` in its parts, and what it leaves out.
    #[serde(default)]
    pub tokens: TokenSplit,
    /// US dollars as claude counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// How many messages `messages.jsonl` has, each id once.
    #[serde(default)]
    #[specta(type = u32)]
    pub message_count: u64,
    /// Lines of claude's transcript that this build could not read.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[specta(type = u32)]
    pub unknown_transcript_lines: u64,
    /// Fields of other versions.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

/// One conversation of Claude Code within a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ClaudeSession {
    /// Claude's id of it.
    pub id: ConversationId,
    /// Claude's transcript file, once known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<String>,
    /// When it began.
    pub started_at: Timestamp,
    /// Whether a prompt was ever submitted: without one claude keeps no conversation to resume.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompted: bool,
    /// Fields of other versions.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

/// Tokens by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TokenSplit {
    /// Sent, not cached.
    #[specta(type = u32)]
    pub input: u64,
    /// Written to the cache.
    #[specta(type = u32)]
    pub cache_creation: u64,
    /// Read from the cache; not part of the total.
    #[specta(type = u32)]
    pub cache_read: u64,
    /// Written by the model.
    #[specta(type = u32)]
    pub output: u64,
}

impl TokenSplit {
    /// Input + cache creation + output, as the specification's `total_tokens` counts.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.cache_creation).saturating_add(self.output)
    }

    /// Adds the other one's parts to this one's.
    pub fn add(&mut self, other: TokenSplit) {
        self.input = self.input.saturating_add(other.input);
        self.cache_creation = self.cache_creation.saturating_add(other.cache_creation);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.output = self.output.saturating_add(other.output);
    }
}

fn first_version() -> u32 {
    1
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
