//! `hooks …`

use super::values::SessionKey;
use bc_core::hooks::HookEvent;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The word after `hooks`.
#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// Which hooks there are, whether they run, and what changed since you allowed them.
    List,
    /// Allow a file of the workspace, with the content that it and its scripts have now.
    Trust(TrustArgs),
    /// Take that back.
    Untrust {
        /// The file, as `hooks list` names it; the only one that is allowed unless given.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Run the hooks of an event once, with a sample; nothing is recorded and no agent is told.
    Test {
        /// sessionStart, sessionEnd, userPromptSubmitted, preToolUse, postToolUse or errorOccurred.
        #[arg(value_name = "EVENT")]
        event: HookEvent,
        /// A file with the event's own fields as a JSON object; `-` reads standard input.
        #[arg(long, value_name = "FILE")]
        payload: Option<PathBuf>,
    },
    /// What hooks did, the latest first: when, how long, with which exit code, what they printed.
    Runs(RunsArgs),
    /// Let live sessions read their hooks anew.
    Reload,
    /// Switch the hooks of all workspaces on or off, whatever you allowed of each.
    Workspace {
        /// on or off.
        #[arg(value_name = "SWITCH")]
        switch: Switch,
    },
}

/// `hooks trust …`
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// The file, as `hooks list` names it; the only one that waits for your leave unless given.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Allow it without being asked.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `hooks runs …`
#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    /// Only in this session; its id, or its first digits.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<SessionKey>,
    /// Only for this event: sessionStart, sessionEnd, userPromptSubmitted, preToolUse, postToolUse or errorOccurred.
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<HookEvent>,
    /// Only those with which something was wrong.
    #[arg(long)]
    pub(crate) failed: bool,
    /// At most so many; 200 unless given.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// They run once allowed.
    On,
    /// None runs.
    Off,
}
