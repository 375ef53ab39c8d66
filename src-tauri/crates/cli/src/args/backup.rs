//! Arguments of `backup …`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, flatten_help = true)]
pub(crate) struct BackupArgs {
    #[command(flatten)]
    pub(crate) make: MakeArgs,
    #[command(subcommand)]
    pub(crate) command: Option<BackupCommand>,
}

#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    /// Also push the branch to its remote, after merging what others pushed.
    #[arg(long)]
    pub(crate) push: bool,
    /// Include conversations, as the setting backup_transcripts does.
    #[arg(long)]
    pub(crate) transcripts: bool,
    /// Keep possible secrets; by default they are redacted from titles and conversations.
    #[arg(long)]
    pub(crate) keep_secrets: bool,
    /// Follow the settings, as at the end of a session.
    #[arg(long, hide = true)]
    pub(crate) at_end: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BackupCommand {
    /// Show where beads, memories and sessions are stored: this machine, backup branch, tracker's remote.
    Status,
    /// Restore records that are missing or older on this machine; newer ones stay unchanged.
    Restore(RestoreArgs),
    /// Push beads to the tracker's own remote (`bd dolt push`).
    TrackerPush,
    /// Pull beads from the tracker's own remote (`bd dolt pull`).
    TrackerPull,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// Branch, tag or commit with a backup; by default, the local and the remote backup branch combined.
    #[arg(long, value_name = "REF")]
    pub(crate) from: Option<String>,
    /// Fetch from the remote first.
    #[arg(long)]
    pub(crate) fetch: bool,
    /// Show what would be added, updated and left unchanged, without restoring.
    #[arg(long)]
    pub(crate) preview: bool,
}
