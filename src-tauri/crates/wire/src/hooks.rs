//! Commands on lifecycle hooks: list, allow, test, past runs.

use bc_core::{
    hooks::{HookDecision, HookEvent, HookRun},
    ids::SessionId,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answer of `hooks.list` and of what changes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookFiles {
    /// Whether hooks of workspaces run at all, once allowed.
    pub workspace_allowed: bool,
    /// Every place where hooks can be, in the order in which they run.
    pub files: Vec<HookFile>,
    /// What is wrong besides.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A place where hooks can be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookFile {
    /// Its absolute path.
    pub path: String,
    /// Whose it is.
    pub scope: HookScope,
    /// Whether it runs.
    pub state: HookFileState,
    /// One digest of it and of its scripts: what is allowed, and what is saved over, is named by it.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Its text.
    #[serde(default)]
    pub text: Option<String>,
    /// Its hooks.
    pub hooks: Vec<HookEntry>,
    /// The files of the repository that its commands run.
    pub scripts: Vec<HookScript>,
    /// What changed since it was allowed, file by file; empty where nothing did or nothing was.
    #[serde(default)]
    pub change: String,
    /// What was passed over in it, and why it cannot be allowed.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HookScope {
    /// The user's own.
    User,
    /// The repository's.
    Workspace,
    /// No hooks: the git settings of the repository that name programs, such as filters. Git runs them.
    Git,
}

/// Whether a file's hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HookFileState {
    /// There is none.
    Absent,
    /// Active: it is the user's own.
    Own,
    /// Active: the user allowed its current content.
    Trusted,
    /// The person allowed it, and hooks of workspaces are switched off.
    Off,
    /// The user has not been asked yet.
    New,
    /// It, or one of its scripts, changed since the user allowed it.
    Changed,
    /// It cannot be allowed; the warnings say why.
    Refused,
}

/// One hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookEntry {
    /// What for.
    pub event: HookEvent,
    /// Its command for /bin/bash.
    #[serde(default)]
    pub bash: Option<String>,
    /// Its command for PowerShell.
    #[serde(default)]
    pub powershell: Option<String>,
    /// Its working folder, relative to the file's.
    pub cwd: String,
    /// How long it may run, in milliseconds.
    #[specta(type = u32)]
    pub timeout_ms: u64,
    /// Additional environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Whether it is switched on.
    pub enabled: bool,
}

/// A file that hooks run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookScript {
    /// Its absolute path.
    pub path: String,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
    /// Its text; broken bytes replaced.
    pub text: String,
}

/// Parameters of `hooks.trust`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookTrustParams {
    /// The file, as the list has it.
    pub path: String,
    /// Whether it may run.
    pub trusted: bool,
    /// What was shown to the person; needed for allowing it. A file that is not that any more is refused.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// Parameters of `hooks.allow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookAllowParams {
    /// Whether hooks of workspaces run at all, once allowed.
    pub workspace: bool,
}

/// Parameters of `hooks.save`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookSaveParams {
    /// The file, as the list has it.
    pub path: String,
    /// Its new text.
    pub text: String,
    /// What it was when it was shown; absent where it was not there. Another one is not saved over.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// Parameters of `hooks.test`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookTestParams {
    /// What for.
    pub event: HookEvent,
    /// The event's own fields, an object; a sample unless given.
    #[serde(default)]
    pub payload: Option<serde_json::Value>,
}

/// What hooks came to that were tried out: nothing of it is recorded or told to an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookTest {
    /// What they were given.
    pub payload: serde_json::Value,
    /// Each run, in order.
    pub runs: Vec<HookRun>,
    /// What an agent would be told.
    pub context: Vec<String>,
    /// What would become of the tool's use.
    #[serde(default)]
    pub decision: Option<HookDecision>,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
    /// Files whose hooks were not run, and why.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The answer of `hooks.reload`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HooksReloaded {
    /// Number of live sessions that reloaded their hooks.
    pub sessions: u32,
}

/// The answer of `session.hook_runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionHookRuns {
    /// In the order of their ends.
    pub runs: Vec<HookRun>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `hooks.runs`. Everything given must be true of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookRunsParams {
    /// In this session.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// For this event.
    #[serde(default)]
    pub event: Option<HookEvent>,
    /// Only those with which something was wrong.
    #[serde(default)]
    pub failed: bool,
    /// The maximum number of results; default 200.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A run, and where it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookRunOf {
    /// The session.
    pub session_id: SessionId,
    /// What came of it.
    pub run: HookRun,
}

/// The answer of `hooks.runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookRunsShown {
    /// The latest first.
    pub runs: Vec<HookRunOf>,
    /// How many there are, whatever the limit.
    pub total: u32,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}
