//! `backup …`

use clap::{Args, Subcommand};

/// `backup …`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, flatten_help = true)]
pub(crate) struct BackupArgs {
    #[command(flatten)]
    pub(crate) make: MakeArgs,
    #[command(subcommand)]
    pub(crate) command: Option<BackupCommand>,
}

/// What goes into a backup, and where to.
#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    /// Push the branch to its remote as well; what others pushed is merged into it first.
    #[arg(long)]
    pub(crate) push: bool,
    /// Put conversations into it, as the setting backup_transcripts does.
    #[arg(long)]
    pub(crate) transcripts: bool,
    /// Leave in what looks like a secret; else it is struck out of titles and conversations.
    #[arg(long)]
    pub(crate) keep_secrets: bool,
    /// As when a session ends: by the settings.
    #[arg(long, hide = true)]
    pub(crate) at_end: bool,
}

/// What else is done with backups.
#[derive(Debug, Subcommand)]
pub(crate) enum BackupCommand {
    /// Where the project's beads, memories and sessions are: here, on the branch, at the tracker's own remote.
    Status,
    /// Bring back what is in a backup and not here, or earlier here. What is later here stays.
    Restore(RestoreArgs),
    /// Let the tracker push its beads to its own remote (`bd dolt push`).
    TrackerPush,
    /// Let the tracker pull beads from its own remote (`bd dolt pull`).
    TrackerPull,
}

/// `backup restore …`
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// A branch, tag or commit with a backup; unless given, this clone's branch and the remote's in one.
    #[arg(long, value_name = "REF")]
    pub(crate) from: Option<String>,
    /// Ask the remote first.
    #[arg(long)]
    pub(crate) fetch: bool,
    /// Only show what would be added, renewed and left.
    #[arg(long)]
    pub(crate) preview: bool,
}
