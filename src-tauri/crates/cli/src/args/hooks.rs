//! Arguments of `hooks …`.

use super::values::SessionKey;
use bc_core::hooks::HookEvent;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// List hooks, whether they run, and what changed since you allowed them.
    List,
    /// Allow a repository's hooks file with its current content and scripts.
    Trust(TrustArgs),
    /// Revoke the permission of a hooks file.
    Untrust {
        /// The file, as named by `hooks list`; optional if only one is allowed.
        file: Option<PathBuf>,
    },
    /// Run the hooks of an event once with a sample payload; nothing is recorded and no agent is notified.
    Test {
        /// sessionStart, sessionEnd, userPromptSubmitted, preToolUse, postToolUse or errorOccurred.
        event: HookEvent,
        /// File with the event's own fields as a JSON object; `-` reads standard input.
        #[arg(long, value_name = "FILE")]
        payload: Option<PathBuf>,
    },
    /// List past hook runs, latest first: time, duration, exit code, output.
    Runs(RunsArgs),
    /// Make live sessions reload their hooks.
    Reload,
    /// Enable or disable the hooks of all repositories: on still runs only allowed hooks, off runs none.
    Workspace {
        /// on or off.
        switch: Switch,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// The file, as named by `hooks list`; optional if only one awaits permission.
    pub(crate) file: Option<PathBuf>,
    /// Do not ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    /// Only runs in this session: its id, or its first digits.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<SessionKey>,
    /// Only runs for this event: sessionStart, sessionEnd, userPromptSubmitted, preToolUse, postToolUse or
    /// errorOccurred.
    #[arg(long)]
    pub(crate) event: Option<HookEvent>,
    /// Only failed runs.
    #[arg(long)]
    pub(crate) failed: bool,
    /// Show at most N runs; defaults to 200.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
}

/// Whether the hooks of repositories may run at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Allowed hooks run.
    On,
    /// No hook of a repository runs.
    Off,
}
