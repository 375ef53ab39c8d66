//! A host's replies.

use crate::{exit_note::ExitNote, permissions::Card, prompt_state::Activity};
use bc_core::{
    Timestamp,
    ids::{ConversationId, SessionId},
    mode::PermissionMode,
    session::Status,
};
use bc_process::{descendants::Identity, size::Size};
use serde::{Deserialize, Serialize};

/// A host's status: claude's activity, the prompt queue, open permission requests, and problems.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostStatus {
    pub session: SessionId,
    pub host: Identity,
    /// Claude's process; absent once it has exited.
    pub agent: Option<Identity>,
    /// Whether the program is the simulated agent.
    pub simulated: bool,
    pub activity: Activity,
    /// The reason for holding a prompt now; absent if it would be typed.
    pub hold: Option<String>,
    /// The host's time. If the machine's clock is set back by more than ten seconds, this time is not.
    #[serde(default)]
    pub now: Option<Timestamp>,
    /// When `activity` last changed.
    pub activity_since: Timestamp,
    /// Open permission requests, oldest first.
    pub permissions: Vec<Card>,
    /// The prompts in the queue, in order.
    pub held: Vec<HeldText>,
    pub size: Size,
    pub title: String,
    /// The permission mode that claude shows; absent until it is known.
    #[serde(default)]
    pub mode: Option<PermissionMode>,
    /// The model's name, once claude has reported it.
    #[serde(default)]
    pub model: Option<String>,
    /// The context usage, once claude has reported it.
    #[serde(default)]
    pub context: Option<ContextUse>,
    /// Claude's current retry of a failed API request.
    #[serde(default)]
    pub retry: Option<ApiRetry>,
    /// The API failure that ended the last turn, until claude works again.
    #[serde(default)]
    pub failure: Option<TurnFailure>,
    /// Claude's question before it starts, if the screen shows one.
    #[serde(default)]
    pub start_question: Option<StartQuestion>,
    pub attached: usize,
    /// Whether any hook of claude has reported.
    pub hooks_seen: bool,
    pub conversation: ConversationId,
    /// The path of claude's transcript.
    pub transcript: Option<String>,
    pub messages: u64,
    /// The number of transcript lines that are unknown or cannot be read.
    pub unknown_lines: u64,
    /// Unresolved problems, as text for users.
    pub troubles: Vec<String>,
    /// Whether claude is being ended.
    pub stopping: bool,
    /// When the connection to the session's place was lost; the other fields then contain the last known
    /// state. Only a link sets this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreachable_since: Option<Timestamp>,
}

/// Claude's current retry of a failed API request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiRetry {
    pub attempt: u32,
    /// The maximum number of attempts.
    pub of: u32,
    /// The failure, if claude reports it.
    pub why: Option<String>,
}

/// An API failure that ended a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnFailure {
    /// Claude's name for the failure, such as `rate_limit` or `authentication_failed`.
    pub error: String,
    /// Claude's message, or the failure's name if claude reports no message.
    pub message: String,
    /// When the turn ended.
    pub at: Timestamp,
}

/// Claude's question before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartQuestion {
    /// Whether claude may work in the folder.
    Trust,
    /// Which account to log in with.
    Login,
}

/// The model's context usage, as counted by claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextUse {
    pub tokens: u64,
    /// The size of the context window, in tokens.
    pub size: u64,
}

/// A prompt in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldText {
    pub id: String,
    pub text: String,
    /// When the host queued the text.
    pub at: Timestamp,
    #[serde(default)]
    pub state: HeldState,
}

/// The state of a prompt in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldState {
    /// The text is being typed, or is typed when claude is at its prompt.
    #[default]
    Waiting,
    /// The text was typed but not confirmed. It is never typed again automatically.
    Unconfirmed,
    /// Claude returned the text, because the turn was stopped before the first word of an answer. It is never
    /// typed again automatically.
    Returned,
}

/// The result of sending a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    pub id: String,
    pub delivery: Delivery,
    /// Why the text is held or unconfirmed; absent if claude confirmed it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Whether a prompt reached claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Claude confirmed the text.
    Sent,
    /// The text is saved on disk and waits in the queue.
    Held,
    /// The text was typed but not confirmed.
    Unconfirmed,
}

/// The outcome of claude's start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "readiness", rename_all = "snake_case")]
pub enum Readiness {
    /// Claude's SessionStart hook has reported.
    Ready,
    Exited {
        /// Claude's exit and last screen.
        note: ExitNote,
    },
    /// Claude drew something and went quiet without running a hook, probably because it asks the user a
    /// question or a policy forbids hooks.
    Quiet { screen: String },
}

/// The result of a [`Stop`](super::Call::Stop) request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    pub status: Status,
    /// Processes that could not be terminated.
    pub left: Vec<String>,
    /// Why the state is not saved yet: claude exited while the disk was full. The host saves it when there is
    /// space again.
    #[serde(default)]
    pub unsaved: Option<String>,
}
