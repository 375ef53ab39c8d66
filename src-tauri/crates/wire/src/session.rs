//! The parameters and results of commands for sessions: plan, start, list, live state, permissions, prompts,
//! export. Those of other commands are in the submodules.

mod change_edits;
mod changes;
mod checkpoints;
mod cleanup;
mod completions;
mod composer;
mod context;
mod conversations;
mod end;
mod needs;
mod resume;
mod state;
mod viewed;

pub use change_edits::*;
pub use changes::*;
pub use checkpoints::*;
pub use cleanup::*;
pub use completions::*;
pub use composer::*;
pub use context::*;
pub use conversations::*;
pub use end::*;
pub use needs::*;
pub use resume::*;
pub use state::*;
pub use viewed::*;

use bc_core::{
    Timestamp,
    ids::{AgentName, BeadId, SessionId},
    message::Message,
    mode::{LastingRule, PermissionMode},
    question::QuestionAnswer,
    session::{Meta, Status},
};
use serde::{Deserialize, Serialize};

/// Identifies a session by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionRef {
    pub id: SessionId,
}

/// The choice of a session's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FolderChoice {
    /// The worktree that has the branch checked out, if any; otherwise the main tree, or a new worktree if
    /// another active session uses the main tree on another branch.
    #[default]
    Auto,
    /// A git worktree beside the main tree.
    Worktree,
    /// The main tree. The command fails if another active session uses it on another branch.
    Repository,
}

/// Parameters of `session.plan`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct SessionPlanParams {
    pub bead_id: Option<BeadId>,
    /// The branch; if absent, the bead's default branch. Without a bead, the checked-out branch or, in a
    /// worktree, a new branch.
    pub branch: Option<String>,
    pub folder: FolderChoice,
}

/// The result of `session.plan`: the effects of a start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionPlan {
    /// The branch; `null` if the session uses the checked-out branch.
    #[serde(default)]
    pub branch: Option<String>,
    pub branch_exists: bool,
    /// The absolute working folder.
    pub cwd: String,
    /// Whether the folder is a new or existing worktree.
    pub worktree: bool,
    pub prompt: String,
    /// The errors that a start would report.
    #[serde(default)]
    pub problems: Vec<crate::ApiError>,
}

/// The code context that a session receives at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ContextChoice {
    /// No additional context.
    #[default]
    None,
    /// A context pack, with convention files, files that the bead names or matches, recent commits, and other
    /// pieces (see `PackKind`).
    Automatic,
}

/// Parameters of `session.start`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct SessionStartParams {
    /// The bead to claim; absent for an ad-hoc session.
    pub bead_id: Option<BeadId>,
    pub title: Option<String>,
    pub objective: Option<String>,
    /// The branch; if absent, the bead's default branch. Without a bead, the checked-out branch or, in a
    /// worktree, a new branch.
    pub branch: Option<String>,
    pub agent: Option<AgentName>,
    pub mode: PermissionMode,
    /// The model; claude's default if absent.
    pub model: Option<String>,
    /// The opening prompt; by default made from the bead. If it is empty, claude starts without a prompt.
    pub prompt: Option<String>,
    pub folder: FolderChoice,
    /// The code context that claude receives at its start.
    pub context: ContextChoice,
    /// The choices of the context pack, with [`ContextChoice::Automatic`].
    pub pack: PackRequest,
    /// Whether to use the simulated agent instead of claude.
    pub simulated: bool,
    /// The terminal's size: columns and rows.
    pub size: Option<(u16, u16)>,
    /// The runner from the fleet's settings; this machine by default.
    pub runner: Option<String>,
    /// The place where the session's host runs; this machine by default. Such a session works in a separate
    /// worktree.
    pub place: Option<String>,
    /// Whether to return as soon as the session's host listens; `session.started` then has the result.
    pub at_once: bool,
}

/// Parameters of `session.list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct SessionListParams {
    /// Only sessions in these states; empty means all.
    #[serde(default)]
    pub status: Vec<Status>,
}

/// The result of `session.list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionList {
    /// The sessions, newest first.
    pub sessions: Vec<SessionView>,
    /// Unreadable data.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A session's record, together with live data from its host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionView {
    #[serde(flatten)]
    pub meta: Meta,
    /// The active time in milliseconds; an open interval counts up to now.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// The state, computed from the record and the live data. Older engines do not send the state, which is
    /// then `active`.
    #[serde(default)]
    pub state: SessionState,
    /// Live data from the session's host; absent without a running host.
    #[serde(default)]
    pub live: Option<Live>,
}

/// Live data from a session's host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Live {
    /// The host's process id.
    pub host_pid: u32,
    /// Claude's process id; absent once claude has exited.
    #[serde(default)]
    pub agent_pid: Option<u32>,
    pub activity: Activity,
    /// The model's name, once reported by claude.
    #[serde(default)]
    pub model: Option<String>,
    /// The context usage, once reported by claude.
    #[serde(default)]
    pub context: Option<ContextUse>,
    /// Claude's current retry of a failed request.
    #[serde(default)]
    pub retry: Option<ApiRetry>,
    /// The API failure that ended the last turn, until claude works again.
    #[serde(default)]
    pub failure: Option<TurnFailure>,
    /// The question that claude asks before it starts, if the activity is `asks_at_start`; absent if unknown.
    #[serde(default)]
    pub start_question: Option<StartQuestion>,
    /// Open permission requests.
    #[serde(default)]
    pub permissions: Vec<PermissionRequest>,
    /// Queued prompts, in the order of the queue.
    #[serde(default)]
    pub held: Vec<HeldText>,
    /// Whether claude's hooks have reported; without hooks, prompts and permissions are unknown.
    pub hooks_seen: bool,
    /// Why a prompt sent now would be queued; absent if it would be typed immediately.
    #[serde(default)]
    pub hold: Option<String>,
    /// The start of the current activity.
    pub activity_since: Timestamp,
    /// Current problems.
    #[serde(default)]
    pub troubles: Vec<String>,
    /// The time since which the session's place has been unreachable; absent if the place can be reached.
    /// While the place is unreachable, the other live data is the last known state.
    #[serde(default)]
    pub unreachable_since: Option<Timestamp>,
}

/// How much of the model's context is in use, as claude reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ContextUse {
    /// The tokens in use.
    #[specta(type = u32)]
    pub tokens: u64,
    /// The capacity in tokens.
    #[specta(type = u32)]
    pub size: u64,
}

/// Claude's next retry of a failed API request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ApiRetry {
    /// The number of the next attempt.
    pub attempt: u32,
    /// The maximum number of attempts.
    pub of: u32,
    /// The failure, if reported by claude.
    #[serde(default)]
    pub why: Option<String>,
}

/// An API failure that ended the last turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TurnFailure {
    pub kind: FailureKind,
    /// Claude's message.
    pub message: String,
    /// When the turn ended.
    pub at: Timestamp,
    /// When a limit ends, if the message says so.
    #[serde(default)]
    pub until: Option<Timestamp>,
}

/// Why the API failed, as far as claude reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// A usage or rate limit, or an overload.
    RateLimit,
    /// Claude is not logged in, or its account was refused.
    Login,
    /// Any other failure.
    Other,
}

/// A question that claude asks in its terminal before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum StartQuestion {
    /// Whether claude may work in the folder.
    Trust,
    /// Which account claude should use.
    Login,
}

/// Claude's activity, as reported by its hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Claude has reported nothing yet.
    Starting,
    /// Claude asks for trust in the folder or for a login in its terminal before it starts.
    AsksAtStart,
    /// Claude is at its prompt.
    Idle,
    /// Claude is in a turn.
    Working,
    /// Claude asks for a permission.
    WaitingPermission,
    /// A dialog or another view covers the input box in claude's terminal.
    DialogOpen,
    /// The user typed in claude's terminal, or a dialog may be open.
    Unknown,
    /// Claude has exited.
    Gone,
}

/// A permission request from claude that is not answered yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PermissionRequest {
    /// The id for answers.
    pub id: String,
    pub tool: String,
    pub input: serde_json::Value,
    /// The name of the requesting subagent, if any.
    #[serde(default)]
    pub subagent: Option<String>,
    /// Permission rules that claude suggests storing.
    #[serde(default)]
    pub lasting: Vec<LastingRule>,
    /// The time of the request.
    pub asked_at: Timestamp,
}

/// A prompt in the queue, or one that needs the user's decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HeldText {
    pub id: String,
    pub text: String,
    /// When the text was queued.
    pub at: Timestamp,
    #[serde(default)]
    pub state: HeldState,
}

/// Whether a prompt still waits in the queue or needs the user's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HeldState {
    /// The text is typed when claude is at its prompt.
    #[default]
    Waiting,
    /// The text was typed but not confirmed by claude. It is never typed again automatically.
    Unconfirmed,
    /// Claude returned the text, because the turn was stopped before the first word of a reply. It is never
    /// typed again automatically.
    Returned,
}

/// Parameters of `session.retry`, `session.forget` and `session.send_now`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct HeldTextRef {
    pub id: SessionId,
    pub text: String,
}

/// Parameters of `session.permission`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct PermissionParams {
    pub id: SessionId,
    pub request: String,
    pub answer: PermissionAnswer,
    /// The reason for a denial, for the model.
    #[serde(default)]
    pub message: Option<String>,
    /// The answers to claude's questions, one per question, with [`PermissionAnswer::Allow`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<QuestionAnswer>,
    /// The mode in which claude carries out an approved plan, with [`PermissionAnswer::Allow`]; Manual by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PermissionMode>,
}

/// The answer to a permission request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PermissionAnswer {
    /// Allow this tool call only.
    Allow,
    /// Allow this tool call, and store the permission rules that claude suggested.
    Always,
    Deny,
}

/// Parameters of `session.mode`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, specta::Type)]
pub struct SessionModeParams {
    pub id: SessionId,
    /// The mode; by default claude's next mode, as with Shift+Tab, but never Bypass.
    #[serde(default)]
    pub mode: Option<PermissionMode>,
}

/// The result of `session.transcript`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Transcript {
    /// The messages in order.
    pub messages: Vec<Message>,
    /// Unreadable data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The formats of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Markdown, readable in a plain viewer.
    #[default]
    Md,
    /// JSON with the record and the messages.
    Json,
    /// One HTML file without scripts or remote content.
    Html,
}

/// Parameters of `session.export`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionExportParams {
    pub id: SessionId,
    #[serde(default)]
    pub format: ExportFormat,
    /// Whether to omit the output of tools.
    #[serde(default)]
    pub no_tool_output: bool,
    /// Whether to keep secrets instead of redacting them.
    #[serde(default)]
    pub keep_secrets: bool,
}

/// The result of `session.export`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Exported {
    pub file_name: String,
    pub text: String,
    /// The number of redacted secrets.
    #[serde(default)]
    pub secrets_removed: u32,
}

/// Parameters of `session.send`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionSendParams {
    pub id: SessionId,
    /// The text, at most 256 KiB.
    pub text: String,
}

/// Whether a prompt was typed immediately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Sent {
    pub delivery: Delivery,
    /// Why the text is queued.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Whether a prompt reached claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// The text was typed, and claude confirmed it.
    Sent,
    /// The text is queued on disk until claude is at its prompt.
    Held,
    /// The text was typed, but claude did not confirm it. Check the terminal before a retry.
    Unconfirmed,
}
