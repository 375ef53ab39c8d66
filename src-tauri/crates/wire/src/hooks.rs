//! Parameters and results of commands for lifecycle hooks: list, allow, save, test, reload, and past runs.

use bc_core::{
    hooks::{HookDecision, HookEvent, HookRun},
    ids::SessionId,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of `hooks.list` and of the commands that change hooks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookFiles {
    /// Whether allowed hooks of workspaces run.
    pub workspace_allowed: bool,
    /// All files that can define hooks, in the order of execution, then the repository's git settings that
    /// name programs.
    pub files: Vec<HookFile>,
    /// Problems, such as an unreadable record of the user's permissions.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A file that can define hooks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookFile {
    pub path: String,
    pub scope: HookScope,
    pub state: HookFileState,
    /// A digest of the file and its scripts, which identifies this version when the user allows or saves it.
    #[serde(default)]
    pub fingerprint: Option<String>,
    #[serde(default)]
    pub text: Option<String>,
    pub hooks: Vec<HookEntry>,
    /// The repository's files that the hooks run.
    pub scripts: Vec<HookScript>,
    /// The diff from the version that the user allowed, by file; empty if no version was allowed or nothing
    /// changed.
    #[serde(default)]
    pub change: String,
    /// Ignored parts of the file, and why it cannot be allowed.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The origin of a hook file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HookScope {
    User,
    /// The repository.
    Workspace,
    /// The repository's git settings that name programs, such as filters. Git runs these programs.
    Git,
}

/// Whether the hooks of a file run, and the reason if they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HookFileState {
    /// The file does not exist.
    Absent,
    /// The hooks run, because the file belongs to the user.
    Own,
    /// The hooks run, because the user allowed the file's current content.
    Trusted,
    /// The user allowed the file, but hooks of workspaces are disabled.
    Off,
    /// The user has not allowed any content of the file, or revoked the permission.
    New,
    /// The file or one of its scripts changed since the user allowed it.
    Changed,
    /// The file cannot be allowed; the warnings have the reasons.
    Refused,
}

/// One hook of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookEntry {
    pub event: HookEvent,
    /// The command for /bin/bash.
    #[serde(default)]
    pub bash: Option<String>,
    /// The command for PowerShell.
    #[serde(default)]
    pub powershell: Option<String>,
    /// The working folder, relative to the file's folder.
    pub cwd: String,
    #[specta(type = u32)]
    pub timeout_ms: u64,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    pub enabled: bool,
}

/// A file that hooks run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookScript {
    pub path: String,
    /// The SHA-256 hash of the file's content, in hexadecimal digits.
    pub sha256: String,
    /// The file's text; invalid bytes are replaced.
    pub text: String,
}

/// Parameters of `hooks.trust`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookTrustParams {
    /// The file's path, as returned by `hooks.list`.
    pub path: String,
    /// Whether to allow the file. If false, the permission is revoked.
    pub trusted: bool,
    /// The fingerprint that the user saw; required to allow the file. If it differs now, the command is
    /// refused.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// Parameters of `hooks.allow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookAllowParams {
    /// Whether allowed hooks of workspaces run.
    pub workspace: bool,
}

/// Parameters of `hooks.save`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HookSaveParams {
    /// The file's path, as returned by `hooks.list`.
    pub path: String,
    pub text: String,
    /// The fingerprint of the edited version; absent for a new file. If it differs now, the command is
    /// refused.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// Parameters of `hooks.test`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookTestParams {
    pub event: HookEvent,
    /// The event's own fields, an object; a sample by default.
    #[serde(default)]
    pub payload: Option<serde_json::Value>,
}

/// The result of a test run, which is neither recorded nor sent to an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookTest {
    /// The hooks' input.
    pub payload: serde_json::Value,
    /// The runs, in the order of execution.
    pub runs: Vec<HookRun>,
    /// The context that an agent would receive.
    pub context: Vec<String>,
    /// The decision on the tool call.
    #[serde(default)]
    pub decision: Option<HookDecision>,
    /// The reason for the decision.
    #[serde(default)]
    pub reason: Option<String>,
    /// Files whose hooks were not run, with the reasons.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The result of `hooks.reload`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HooksReloaded {
    /// The number of live sessions that reloaded their hooks.
    pub sessions: u32,
}

/// The result of `session.hook_runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionHookRuns {
    /// The runs, in the order in which they ended.
    pub runs: Vec<HookRun>,
    /// Unreadable data.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `hooks.runs`. A run must match all given filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct HookRunsParams {
    /// Only runs of this session.
    pub session: Option<SessionId>,
    /// Only runs for this event.
    pub event: Option<HookEvent>,
    /// Only failed runs.
    pub failed: bool,
    /// The maximum number of results; 200 by default.
    pub limit: Option<u32>,
}

/// A hook run, with its session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookRunOf {
    pub session_id: SessionId,
    pub run: HookRun,
}

/// The result of `hooks.runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookRunsShown {
    /// The runs, latest first.
    pub runs: Vec<HookRunOf>,
    /// The total number, regardless of the limit.
    pub total: u32,
    /// Unreadable data.
    #[serde(default)]
    pub warnings: Vec<String>,
}
