//! What a host answers.

use crate::{permissions::Card, prompt_state::Activity, scribe::ExitNote};
use bc_core::{
    Timestamp,
    ids::{ConversationId, SessionId},
    mode::PermissionMode,
    session::Status,
};
use bc_process::{descendants::Identity, size::Size};
use serde::{Deserialize, Serialize};

/// What a host says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostStatus {
    /// The session.
    pub session: SessionId,
    /// The host's process.
    pub host: Identity,
    /// Claude's process; absent once it has ended.
    pub agent: Option<Identity>,
    /// Whether the simulated agent runs.
    pub simulated: bool,
    /// What claude is doing.
    pub activity: Activity,
    /// Why a text would be held now; absent when it would be typed.
    pub hold: Option<String>,
    /// Since when nothing changed in that.
    pub activity_since: Timestamp,
    /// Permission requests that wait, oldest first.
    pub permissions: Vec<Card>,
    /// Texts that claude has not confirmed, oldest first.
    pub held: Vec<HeldText>,
    /// The terminal's size.
    pub size: Size,
    /// The terminal's title.
    pub title: String,
    /// The permission mode that claude shows; absent until it has.
    #[serde(default)]
    pub mode: Option<PermissionMode>,
    /// The model's name, once claude has said it.
    #[serde(default)]
    pub model: Option<String>,
    /// How full the model's context is, once claude has said it.
    #[serde(default)]
    pub context: Option<ContextUse>,
    /// How many terminals are attached.
    pub attached: usize,
    /// Whether any hook of claude was heard.
    pub hooks_seen: bool,
    /// Claude's conversation, as far as is known.
    pub conversation: ConversationId,
    /// Claude's transcript file.
    pub transcript: Option<String>,
    /// How many messages were recorded.
    pub messages: u64,
    /// Lines of the transcript that could not be read.
    pub unknown_lines: u64,
    /// What went wrong and still is.
    pub troubles: Vec<String>,
    /// Whether claude is being ended.
    pub stopping: bool,
}

/// How full the model's context is, as claude counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextUse {
    /// Tokens in it.
    pub tokens: u64,
    /// How many fit.
    pub size: u64,
}

/// A text that claude has not confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldText {
    /// Ours.
    pub id: String,
    /// The text.
    pub text: String,
    /// Since when.
    pub at: Timestamp,
    /// What is the matter with it.
    #[serde(default)]
    pub state: HeldState,
}

/// What is the matter with a text that claude does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldState {
    /// It waits for claude's prompt and is typed then.
    #[default]
    Waiting,
    /// It was typed and claude did not confirm it: it is never typed again by itself.
    Unconfirmed,
    /// Claude had it and gave it back: the turn was stopped before the first word of an answer. It is
    /// never typed again by itself.
    Returned,
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// The text's id.
    pub id: String,
    /// Typed, held, or in doubt.
    pub delivery: Delivery,
    /// Why, if it did not reach claude.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Whether a text reached claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Claude confirmed it.
    Sent,
    /// It waits on disk.
    Held,
    /// It was typed and claude did not confirm it.
    Unconfirmed,
}

/// What claude's start came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "readiness", rename_all = "snake_case")]
pub enum Readiness {
    /// Its hooks were heard.
    Ready,
    /// It has ended.
    Exited {
        /// How, and what was on its screen.
        note: ExitNote,
    },
    /// It drew something and went quiet without a hook: it asks for trust, or a policy forbids hooks.
    Quiet {
        /// What is on the screen.
        screen: String,
    },
}

/// What a stop came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    /// The session's state now.
    pub status: Status,
    /// Processes that could not be ended.
    pub left: Vec<String>,
}
