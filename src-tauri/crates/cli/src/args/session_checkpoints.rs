//! Arguments of `session checkpoints`, `restore` and `fork`.

use super::values::{SessionArg, Text};
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct CheckpointsArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Compare this checkpoint with the current files, or with the checkpoint of --with.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) compare: Option<u32>,
    /// The later checkpoint of the comparison.
    #[arg(long, value_name = "NUMBER", requires = "compare")]
    pub(crate) with: Option<u32>,
    /// Also print the diff.
    #[arg(long, requires = "compare")]
    pub(crate) diff: bool,
    /// Ignore changes in white space.
    #[arg(long, requires = "compare")]
    pub(crate) ignore_space: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SessionRestoreArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Restore the files of this checkpoint, not a deleted session. The current files are kept as a checkpoint first.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) checkpoint: Option<u32>,
    /// Restore the files as they were before this prompt, counted from 1.
    #[arg(long, conflicts_with = "checkpoint")]
    pub(crate) turn: Option<u32>,
    /// Only these files of the checkpoint, relative to the repository; folders end in `/`.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Restore even if claude is working, another session uses the folder, or another branch is checked out.
    #[arg(long)]
    pub(crate) anyway: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("from").required(true).args(["checkpoint", "turn"]))]
pub(crate) struct ForkArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Start with the files of this checkpoint.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) checkpoint: Option<u32>,
    /// Start with the files and the conversation before this prompt.
    #[arg(long)]
    pub(crate) turn: Option<u32>,
    /// Name of the new branch; defaults to the session's branch with a number.
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// First prompt; without it, claude waits. `-` reads standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<Text>,
    /// Attach to the session immediately.
    #[arg(long, conflicts_with = "json")]
    pub(crate) attach: bool,
}
