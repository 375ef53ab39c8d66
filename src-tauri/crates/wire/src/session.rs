//! Commands on sessions; resuming, ending and cleaning up are in other files.

mod changes;
mod cleanup;
mod closing;
mod completions;
mod resume;
mod state;
mod viewed;

pub use changes::*;
pub use cleanup::*;
pub use closing::*;
pub use completions::*;
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

/// Which session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionRef {
    /// Its id.
    pub id: SessionId,
}

/// Where a session works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FolderChoice {
    /// The repository itself while no other active session uses it on another branch, else a worktree.
    #[default]
    Auto,
    /// A git worktree beside the repository.
    Worktree,
    /// The repository itself, or an error.
    Repository,
}

/// Parameters of `session.plan`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct SessionPlanParams {
    /// For this bead.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// On this branch, if not on the default one.
    #[serde(default)]
    pub branch: Option<String>,
    /// Where.
    #[serde(default)]
    pub folder: FolderChoice,
}

/// What a start would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionPlan {
    /// The branch; `null` where the session would stay on whatever is checked out.
    #[serde(default)]
    pub branch: Option<String>,
    /// Whether the branch exists already.
    pub branch_exists: bool,
    /// The absolute working folder.
    pub cwd: String,
    /// Whether that is a worktree to be made or used.
    pub worktree: bool,
    /// The opening prompt.
    pub prompt: String,
    /// What would make the start fail, if anything.
    #[serde(default)]
    pub problems: Vec<crate::ApiError>,
}

/// The code context that a session receives at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ContextChoice {
    /// Nothing beside the prompt.
    #[default]
    None,
    /// Convention files and files that are named in the bead.
    Automatic,
}

/// Parameters of `session.start`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct SessionStartParams {
    /// The bead to claim; absent for an ad-hoc session.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// A title for it.
    #[serde(default)]
    pub title: Option<String>,
    /// What it tries to accomplish.
    #[serde(default)]
    pub objective: Option<String>,
    /// The branch, if not the default one.
    #[serde(default)]
    pub branch: Option<String>,
    /// The agent prompt.
    #[serde(default)]
    pub agent: Option<AgentName>,
    /// How much claude may do unasked.
    #[serde(default)]
    pub mode: PermissionMode,
    /// The model, if not claude's default.
    #[serde(default)]
    pub model: Option<String>,
    /// The opening prompt, if not the one made from the bead. An empty one opens claude without.
    #[serde(default)]
    pub prompt: Option<String>,
    /// Where.
    #[serde(default)]
    pub folder: FolderChoice,
    /// The code context that claude receives at its start.
    #[serde(default)]
    pub context: ContextChoice,
    /// The simulated agent in claude's place.
    #[serde(default)]
    pub simulated: bool,
    /// The terminal's size, columns and rows.
    #[serde(default)]
    pub size: Option<(u16, u16)>,
    /// The runner of the fleet's settings that its program runs by; this machine unless given.
    #[serde(default)]
    pub runner: Option<String>,
    /// Return as soon as the session's host listens; `session.started` has the result.
    #[serde(default)]
    pub at_once: bool,
}

/// Parameters of `session.list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct SessionListParams {
    /// Only these states; empty means all.
    #[serde(default)]
    pub status: Vec<Status>,
}

/// Sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionList {
    /// Newest first.
    pub sessions: Vec<SessionView>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A session as clients see it: its record, and what is live of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionView {
    /// Its record.
    #[serde(flatten)]
    pub meta: Meta,
    /// Active milliseconds, the open interval counted up to now.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// Its state in one word, from its record and what its host says. `active` where the engine is older than that.
    #[serde(default)]
    pub state: SessionState,
    /// What its host says; absent when none runs.
    #[serde(default)]
    pub live: Option<Live>,
}

/// What a running session's host says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Live {
    /// The host's process.
    pub host_pid: u32,
    /// Claude's process; absent once it has ended.
    #[serde(default)]
    pub agent_pid: Option<u32>,
    /// What claude is doing.
    pub activity: Activity,
    /// The model's name, once claude has said it.
    #[serde(default)]
    pub model: Option<String>,
    /// How full the model's context is, once claude has said it.
    #[serde(default)]
    pub context: Option<ContextUse>,
    /// Claude's retries of a failed request, while it makes them.
    #[serde(default)]
    pub retry: Option<ApiRetry>,
    /// Permission requests that wait for an answer.
    #[serde(default)]
    pub permissions: Vec<PermissionRequest>,
    /// Texts that wait for claude's prompt, oldest first.
    #[serde(default)]
    pub held: Vec<HeldText>,
    /// Whether claude's hooks were ever heard; without them prompts and permissions are not known.
    pub hooks_seen: bool,
    /// Why a text would be held now; absent when it would be typed.
    #[serde(default)]
    pub hold: Option<String>,
    /// Since when the activity is what it is.
    pub activity_since: Timestamp,
    /// What went wrong and still is.
    #[serde(default)]
    pub troubles: Vec<String>,
}

/// How full the model's context is, as claude counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ContextUse {
    /// Tokens in it.
    #[specta(type = u32)]
    pub tokens: u64,
    /// How many fit.
    #[specta(type = u32)]
    pub size: u64,
}

/// Claude tries a failed request again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ApiRetry {
    /// The number of the next attempt.
    pub attempt: u32,
    /// How many attempts there are.
    pub of: u32,
    /// What failed, where claude says.
    #[serde(default)]
    pub why: Option<String>,
}

/// What claude is doing, as far as its hooks say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// It has not said anything yet.
    Starting,
    /// It asks something in its terminal before it begins: whether the folder is trusted, for a login.
    AsksAtStart,
    /// At its prompt.
    Idle,
    /// In a turn.
    Working,
    /// It asks for a permission.
    WaitingPermission,
    /// A dialog, or another view of claude's, is open in its terminal in the place of the input box.
    DialogOpen,
    /// Something was typed into its terminal, or a dialog may be open.
    Unknown,
    /// It has ended.
    Gone,
}

/// A permission request that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PermissionRequest {
    /// Ours; answers name it.
    pub id: String,
    /// Which tool.
    pub tool: String,
    /// The tool's input.
    pub input: serde_json::Value,
    /// What the subagent that asks is called, if it is one.
    #[serde(default)]
    pub subagent: Option<String>,
    /// What claude suggests to allow for longer; empty where it suggests nothing.
    #[serde(default)]
    pub lasting: Vec<LastingRule>,
    /// Since when.
    pub asked_at: Timestamp,
}

/// A text that waits for claude's prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
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

/// Why claude does not have a text yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HeldState {
    /// It waits for claude's prompt and is then typed.
    #[default]
    Waiting,
    /// It was typed but not confirmed by claude; it is never typed again automatically.
    Unconfirmed,
    /// Claude returned it because the turn was stopped before the first word of a reply. It is never typed again
    /// automatically.
    Returned,
}

/// Parameters of `session.retry` and `session.forget`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct HeldTextRef {
    /// Which session.
    pub id: SessionId,
    /// Which text.
    pub text: String,
}

/// Parameters of `session.permission`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct PermissionParams {
    /// Which session.
    pub id: SessionId,
    /// Which request.
    pub request: String,
    /// Yes or no.
    pub answer: PermissionAnswer,
    /// Why not; the model reads it.
    #[serde(default)]
    pub message: Option<String>,
    /// The answers to claude's questions, with [`PermissionAnswer::Allow`]; one for each question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<QuestionAnswer>,
}

/// The answer to a permission request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PermissionAnswer {
    /// This once.
    Allow,
    /// From now on, as far as claude's own suggestion goes.
    Always,
    /// No.
    Deny,
}

/// Parameters of `session.mode`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, specta::Type)]
pub struct SessionModeParams {
    /// Which session.
    pub id: SessionId,
    /// The mode that is wanted; without one it is claude's next, as with Shift+Tab, but never Bypass.
    #[serde(default)]
    pub mode: Option<PermissionMode>,
}

/// The answer of `session.transcript`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Transcript {
    /// In order.
    pub messages: Vec<Message>,
    /// What could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The kinds of exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Markdown, readable in a plain viewer.
    #[default]
    Md,
    /// The record and its messages.
    Json,
}

/// Parameters of `session.export`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionExportParams {
    /// Which session.
    pub id: SessionId,
    /// As what.
    #[serde(default)]
    pub format: ExportFormat,
    /// Whether what tools answered is left out.
    #[serde(default)]
    pub no_tool_output: bool,
    /// Whether secrets stay in it; they are struck out otherwise.
    #[serde(default)]
    pub keep_secrets: bool,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Exported {
    /// A name for its file.
    pub file_name: String,
    /// Its text.
    pub text: String,
    /// How many secrets were struck out.
    #[serde(default)]
    pub secrets_removed: u32,
}

/// Parameters of `session.send`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionSendParams {
    /// Which session.
    pub id: SessionId,
    /// The text, at most 256 KiB.
    pub text: String,
}

/// The result of sending a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Sent {
    /// Typed or held.
    pub delivery: Delivery,
    /// Why it is held.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Whether a text reached claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Claude has it.
    Sent,
    /// It waits, on disk, until claude is at its prompt.
    Held,
    /// It was typed but not confirmed by claude: check before retrying.
    Unconfirmed,
}
