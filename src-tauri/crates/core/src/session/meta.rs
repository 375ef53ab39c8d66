//! `meta.json`: the specification's `Session` without messages and context pack, plus fields of this program.
//! Unknown fields survive a round trip through this build.

use super::{CloseReason, Interval, PauseReason, Status};
use crate::{
    Extra, Timestamp,
    ids::{AgentName, BeadId, BranchName, ConversationId, FleetAgentId, ProjectId, SessionId},
    mode::PermissionMode,
    newer,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of `meta.json` that this build writes.
pub const SCHEMA_VERSION: u32 = 1;

/// One session, as in its `meta.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Meta {
    #[serde(default = "first_version")]
    pub schema_version: u32,
    pub id: SessionId,
    pub project_id: ProjectId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bead_id: Option<BeadId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentName>,
    pub status: Status,
    pub created_at: Timestamp,
    /// When the session first became active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When the session was last paused; `None` while active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// The title: set by the user, or derived from the objective or the first prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// Files read or written; relative to the working folder if inside it.
    #[serde(default)]
    pub files_touched: Vec<String>,
    /// The hashes of the commits made in the session, oldest first.
    #[serde(default)]
    pub commits: Vec<String>,
    /// The sum of input, cache-creation and output tokens; each message counts once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub total_tokens: Option<u64>,
    /// The active time in milliseconds, without the open interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub total_duration_ms: Option<u64>,

    /// The session's branch. This field and all fields below are not in the specification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchName>,
    /// The checked-out commit when the session started; for a draft, when it was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_commit: Option<String>,
    /// The branch from which the session's branch was created, if it was created for the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_branch: Option<BranchName>,
    /// Claude's working folder, absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Whether `cwd` is in a linked git worktree.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub worktree: bool,
    #[serde(default, deserialize_with = "newer::known_or_default")]
    #[specta(type = PermissionMode)]
    pub mode: PermissionMode,
    /// The requested model; `None` for claude's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The tracker's actor: `{user}/{first 8 hex digits of the id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Whether the built-in simulated agent runs instead of Claude Code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet_agent: Option<FleetAgentId>,
    /// The runner that runs claude; `None` if claude runs on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// The place where the session's host runs; `None` for this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Every conversation of the session, oldest first.
    #[serde(default)]
    pub claude_sessions: Vec<ClaudeSession>,
    /// Why the session is paused; `None` if it is not paused.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "newer::known")]
    #[specta(type = Option<PauseReason>)]
    pub pause_reason: Option<PauseReason>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "newer::known")]
    #[specta(type = Option<CloseReason>)]
    pub close_reason: Option<CloseReason>,
    #[serde(default)]
    pub active_intervals: Vec<Interval>,
    /// When the session was last started or resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_activated_at: Option<Timestamp>,
    /// The tokens by kind, including those that `total_tokens` omits.
    #[serde(default)]
    pub tokens: TokenSplit,
    /// The cost in US dollars, as reported by claude.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// The number of messages in `messages.jsonl`; each id counts once.
    #[serde(default)]
    #[specta(type = u32)]
    pub message_count: u64,
    /// The number of lines in claude's transcript that this build could not parse.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[specta(type = u32)]
    pub unknown_transcript_lines: u64,
    /// The number of unparsed transcript lines by kind: the line's type, or a note that the line could not be
    /// parsed at all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[specta(type = BTreeMap<String, u32>)]
    pub unknown_kinds: BTreeMap<String, u64>,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl Meta {
    /// The kinds of transcript lines that this build could not parse, on one line: `attachment/x (3),
    /// system/y (1)`.
    pub fn unknown_in_words(&self) -> String {
        unknown_in_words(&self.unknown_kinds)
    }
}

/// Formats kinds of transcript lines and their counts on one line. The kinds are untrusted text, so control
/// characters are removed.
pub fn unknown_in_words(kinds: &BTreeMap<String, u64>) -> String {
    let one = |(kind, count): (&String, &u64)| format!("{} ({count})", crate::text::one_line(kind));
    kinds.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// One Claude Code conversation within a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ClaudeSession {
    pub id: ConversationId,
    /// Claude's transcript file, once known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<String>,
    pub started_at: Timestamp,
    /// Whether a prompt was ever submitted. Without a prompt, claude keeps no conversation to resume.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompted: bool,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

/// Tokens by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TokenSplit {
    /// Input tokens that were not cached.
    #[specta(type = u32)]
    pub input: u64,
    /// Input tokens written to the cache.
    #[specta(type = u32)]
    pub cache_creation: u64,
    /// Input tokens read from the cache; not part of the total.
    #[specta(type = u32)]
    pub cache_read: u64,
    /// Tokens generated by the model.
    #[specta(type = u32)]
    pub output: u64,
}

impl TokenSplit {
    /// The sum of input, cache-creation and output tokens, like the specification's `total_tokens`.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.cache_creation).saturating_add(self.output)
    }

    /// The difference from `other`, at least 0 for each kind.
    pub fn without(self, other: TokenSplit) -> TokenSplit {
        TokenSplit {
            input: self.input.saturating_sub(other.input),
            cache_creation: self.cache_creation.saturating_sub(other.cache_creation),
            cache_read: self.cache_read.saturating_sub(other.cache_read),
            output: self.output.saturating_sub(other.output),
        }
    }

    /// Adds the values of `other`; a sum never overflows.
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
