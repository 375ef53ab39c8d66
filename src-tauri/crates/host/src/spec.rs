//! The launch specification of a host. It is passed through the host's standard input, because prompts and contexts
//! are private and must not appear in a process list.

use bc_core::ids::{BeadId, ConversationId, SessionId};
use bc_process::size::Size;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of [`LaunchSpec`] for this build.
pub const SPEC_VERSION: u32 = 2;

/// The data with which a host is launched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// The writer's [`SPEC_VERSION`].
    pub version: u32,
    pub session: SessionId,
    /// The project's `.beads` folder, where the session's files are.
    pub beads_dir: PathBuf,
    /// The project's root, which is the host's own working folder.
    pub project_root: PathBuf,
    /// Claude's working folder.
    pub cwd: PathBuf,
    /// The absolute path of claude or the simulated agent.
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Changes to the host's environment for claude: a value to set, or `null` to remove the variable. The
    /// host also sets `TERM`, the session's marker and the socket.
    pub env: Vec<(String, Option<String>)>,
    /// The terminal's size at the start.
    pub size: Size,
    pub socket: PathBuf,
    /// The conversation to start or resume.
    pub conversation: ConversationId,
    /// Whether that conversation already exists.
    pub resumes: bool,
    /// The expected transcript file, in case no hook reports one.
    #[serde(default)]
    pub transcript: Option<PathBuf>,
    /// Whether claude starts with a turn, because a prompt is among the arguments or in `prompt`.
    pub opening_prompt: bool,
    /// The opening prompt, if it is not among the arguments. Claude reads it from its standard input.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The addition to claude's system prompt, if it is not among the arguments. It is passed in a file next
    /// to the socket, which only the user can read and which exists until claude has started.
    #[serde(default)]
    pub system_prompt: Option<String>,
    /// Whether this version of claude names every mode except Manual below its input box.
    #[serde(default)]
    pub manual_is_unnamed: bool,
    /// The context for claude's SessionStart hooks.
    pub context: Vec<ContextPiece>,
    /// The number of pieces for each hook entry, in order. If the sum differs from the total number of
    /// pieces, each entry gets one piece.
    #[serde(default)]
    pub shares: Vec<usize>,
    /// The branch's commit at the start of the session.
    #[serde(default)]
    pub base_commit: Option<String>,
    #[serde(default)]
    pub simulated: bool,
    /// Our own program, which runs helper requests, lifecycle hooks and the backup at the end. Without it,
    /// none of these run.
    #[serde(default)]
    pub console: Option<PathBuf>,
    /// The session's actor name in the tracker.
    #[serde(default)]
    pub actor: Option<String>,
    /// The session's bead. When it moves to in review, the session closes.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Whether the bead is already in review at the launch, so that only a later move counts.
    #[serde(default)]
    pub in_review: bool,
    /// The folders that change when a bead changes.
    #[serde(default)]
    pub bead_paths: Vec<PathBuf>,
    /// How long claude may be idle before the session is paused, in milliseconds; absent for no limit.
    #[serde(default)]
    pub idle_ms: Option<u64>,
    /// Lifecycle hooks, which run under `console`; absent for none.
    #[serde(default)]
    pub hooks: Option<HookSetup>,
    /// The name of the runner, if `program` starts claude elsewhere, for example over ssh.
    #[serde(default)]
    pub runner: Option<String>,
    /// Whether this machine is a place, so that beads, settings and backups are on the user's machine.
    #[serde(default)]
    pub at_place: bool,
    /// How far this machine's clock is ahead of the user's clock, in milliseconds. It is subtracted from all
    /// recorded times.
    #[serde(default)]
    pub clock_ahead_ms: i64,
}

impl LaunchSpec {
    /// The file with the addition to the system prompt, which exists while claude starts.
    pub(crate) fn system_prompt_file(&self) -> PathBuf {
        self.socket.with_extension("prompt")
    }
}

/// The locations of lifecycle hooks, and the session's facts for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HookSetup {
    /// The locations of the hook files.
    pub places: bc_hooks::Places,
    /// The facts that each hook gets.
    pub facts: bc_hooks::Facts,
}

/// One piece of context for claude. It has at most [`PIECE_MAX`] units, because longer pieces reach the model
/// truncated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextPiece {
    /// The source: [`RECOVERY_SOURCE`], [`MEMORIES_SOURCE`], `context pack` and others.
    pub source: String,
    pub text: String,
}

/// The source of the recovery block, the first piece. The host renews its text for later starts.
pub const RECOVERY_SOURCE: &str = "recovery";

/// The source of the piece with memories, which is created together with the recovery block.
pub const MEMORIES_SOURCE: &str = "memories";

/// The maximum length of a piece of context, in [`bc_core::text::units`].
pub use bc_claude::hooks::PIECE_MAX;

/// The environment variable with the socket's path, with which claude's hooks find the host.
pub const SOCKET_VARIABLE: &str = "BEADS_CONSOLE_SOCKET";

/// The environment variable with the descriptor or handle number of the inherited lock.
pub const LOCK_VARIABLE: &str = "BEADS_CONSOLE_LOCK_FD";
