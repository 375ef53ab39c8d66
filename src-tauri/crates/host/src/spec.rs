//! What a host is told when it is started. It goes through the host's standard input: prompts and
//! contexts are nobody else's business and have no place in a list of processes.

use bc_core::ids::{BeadId, ConversationId, SessionId};
use bc_process::size::Size;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of [`LaunchSpec`] that this build reads and writes.
pub const SPEC_VERSION: u32 = 1;

/// Everything that a host must know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// [`SPEC_VERSION`] of whoever wrote it.
    pub version: u32,
    /// The session.
    pub session: SessionId,
    /// The project's `.beads` folder, where the session's files are.
    pub beads_dir: PathBuf,
    /// The project's root; the host's own working folder.
    pub project_root: PathBuf,
    /// The working folder of claude.
    pub cwd: PathBuf,
    /// Claude, or the simulated agent: an absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Changes to the host's environment for claude: set, or `null` to remove. The session's marker
    /// and the socket come in addition.
    pub env: Vec<(String, Option<String>)>,
    /// The terminal's size at the start.
    pub size: Size,
    /// Where to listen.
    pub socket: PathBuf,
    /// The conversation that is begun or gone on with.
    pub conversation: ConversationId,
    /// Whether that conversation exists already.
    pub resumes: bool,
    /// Where its transcript will be, for the case that no hook ever says so.
    #[serde(default)]
    pub transcript: Option<PathBuf>,
    /// Whether a prompt is among the arguments: claude then begins with a turn.
    pub opening_prompt: bool,
    /// What claude's SessionStart hooks are answered with.
    pub context: Vec<ContextPiece>,
    /// How many of those pieces each hook entry is answered with, in order; one each unless it says so for all.
    #[serde(default)]
    pub shares: Vec<usize>,
    /// The commit that the branch stood on when the session began.
    #[serde(default)]
    pub base_commit: Option<String>,
    /// Whether the program is the simulated agent.
    #[serde(default)]
    pub simulated: bool,
    /// Our own program, which runs errands; without it nobody is asked about beads.
    #[serde(default)]
    pub console: Option<PathBuf>,
    /// Who the session is for the tracker.
    #[serde(default)]
    pub actor: Option<String>,
    /// The session's bead: when it moves to in review, the session closes.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Whether it is in review already: then only the next move counts.
    #[serde(default)]
    pub in_review: bool,
    /// Folders in which something changes when a bead does.
    #[serde(default)]
    pub bead_paths: Vec<PathBuf>,
    /// Milliseconds that claude may sit at its prompt with nothing pending before the session is
    /// paused; absent for ever.
    #[serde(default)]
    pub idle_ms: Option<u64>,
    /// Lifecycle hooks; without it there are none. They run under `console`.
    #[serde(default)]
    pub hooks: Option<HookSetup>,
    /// The runner that the program runs by, where that is not this machine: the program is then the way there.
    #[serde(default)]
    pub runner: Option<String>,
}

/// What lifecycle hooks are found by, and told of the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HookSetup {
    /// Where their files are.
    pub places: bc_hooks::Places,
    /// What is the same in all that they are told.
    pub facts: bc_hooks::Facts,
}

/// One piece of context for claude, under 9,500 characters: longer ones reach the model cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextPiece {
    /// Where it comes from: [`RECOVERY_SOURCE`], [`MEMORIES_SOURCE`], `context pack` …
    pub source: String,
    /// The text.
    pub text: String,
}

/// The source of the piece that is made anew for every start of a conversation. It comes first.
pub const RECOVERY_SOURCE: &str = "recovery";

/// The source of the piece with memories, which is made anew along with it.
pub const MEMORIES_SOURCE: &str = "memories";

/// The longest piece of context, in [`bc_core::text::units`].
pub use bc_claude::hooks::PIECE_MAX;

/// The variable with the socket's path that claude's hooks find the host by.
pub const SOCKET_VARIABLE: &str = "BEADS_CONSOLE_SOCKET";

/// The variable with the number of the handed lock.
pub(crate) const LOCK_VARIABLE: &str = "BEADS_CONSOLE_LOCK_FD";
