//! The launch specification of a host. It is passed through the host's standard input, because prompts and contexts
//! are private and must not appear in a process list.

use bc_core::ids::{BeadId, ConversationId, SessionId};
use bc_process::size::Size;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of [`LaunchSpec`] that this build reads and writes.
pub const SPEC_VERSION: u32 = 2;

/// Everything that a host needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// The writer's [`SPEC_VERSION`].
    pub version: u32,
    pub session: SessionId,
    /// The project's `.beads` folder, where the session's files are.
    pub beads_dir: PathBuf,
    /// The project's root; the host's own working folder.
    pub project_root: PathBuf,
    /// The working folder of claude.
    pub cwd: PathBuf,
    /// The absolute path of claude or the simulated agent.
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Changes to the host's environment for claude: set, or `null` to remove. The session's marker and the socket
    /// are added.
    pub env: Vec<(String, Option<String>)>,
    /// The terminal's size at the start.
    pub size: Size,
    pub socket: PathBuf,
    /// The conversation that is started or resumed.
    pub conversation: ConversationId,
    /// Whether that conversation exists already.
    pub resumes: bool,
    /// The expected transcript file, in case no hook reports it.
    #[serde(default)]
    pub transcript: Option<PathBuf>,
    /// Whether claude starts with a turn: a prompt is among the arguments, or in `prompt`.
    pub opening_prompt: bool,
    /// The opening prompt, if it is not among the arguments: claude reads it from its standard input.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The addition to claude's system prompt, if it is not among the arguments. Claude gets the name of a file next to
    /// the socket, which only the user can read and which exists until claude has started.
    #[serde(default)]
    pub system_prompt: Option<String>,
    /// Whether this version of claude names every mode except Manual below its input box.
    #[serde(default)]
    pub manual_is_unnamed: bool,
    /// The context for claude's SessionStart hooks.
    pub context: Vec<ContextPiece>,
    /// The number of pieces for each hook entry, in order. If the sum is not the number of all pieces, each entry gets
    /// one.
    #[serde(default)]
    pub shares: Vec<usize>,
    /// The branch's commit when the session began.
    #[serde(default)]
    pub base_commit: Option<String>,
    #[serde(default)]
    pub simulated: bool,
    /// Our own program, which runs helper requests; without it, beads are not queried.
    #[serde(default)]
    pub console: Option<PathBuf>,
    /// The session's actor name in the tracker.
    #[serde(default)]
    pub actor: Option<String>,
    /// The session's bead: when it moves to in review, the session closes.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Whether the bead is in review at the launch: then only a later move counts.
    #[serde(default)]
    pub in_review: bool,
    /// The folders that change when a bead changes.
    #[serde(default)]
    pub bead_paths: Vec<PathBuf>,
    /// How long claude may be idle before the session is paused, in milliseconds; absent: no limit.
    #[serde(default)]
    pub idle_ms: Option<u64>,
    /// Lifecycle hooks, which run under `console`; absent: none.
    #[serde(default)]
    pub hooks: Option<HookSetup>,
    /// The runner, if the program does not run on this machine: `program` then connects to it.
    #[serde(default)]
    pub runner: Option<String>,
    /// Whether this machine is a place: beads, settings and backups are on the user's machine.
    #[serde(default)]
    pub at_place: bool,
    /// How far this machine's clock is ahead of the user's, in milliseconds; subtracted from all recorded times.
    #[serde(default)]
    pub clock_ahead_ms: i64,
}

impl LaunchSpec {
    /// The file with the system prompt's addition while claude starts.
    pub(crate) fn system_prompt_file(&self) -> PathBuf {
        self.socket.with_extension("prompt")
    }
}

/// The locations of lifecycle hooks, and facts about the session for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HookSetup {
    /// The locations of their files.
    pub places: bc_hooks::Places,
    /// The facts that all hooks get.
    pub facts: bc_hooks::Facts,
}

/// One piece of context for claude, of at most [`PIECE_MAX`]: the model gets longer ones truncated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextPiece {
    /// The source: [`RECOVERY_SOURCE`], [`MEMORIES_SOURCE`], `context pack` …
    pub source: String,
    pub text: String,
}

/// The source of the piece that is created again for every start of a conversation. It comes first.
pub const RECOVERY_SOURCE: &str = "recovery";

/// The source of the piece with memories, which is created together with the recovery block.
pub const MEMORIES_SOURCE: &str = "memories";

/// The longest piece of context, in [`bc_core::text::units`].
pub use bc_claude::hooks::PIECE_MAX;

/// The variable with the socket's path, by which claude's hooks find the host.
pub const SOCKET_VARIABLE: &str = "BEADS_CONSOLE_SOCKET";

/// The variable with the descriptor number of the inherited lock.
pub const LOCK_VARIABLE: &str = "BEADS_CONSOLE_LOCK_FD";
