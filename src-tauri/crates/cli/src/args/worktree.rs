//! `worktree …`

use super::SessionKey;
use clap::Subcommand;

/// The word after `worktree`.
#[derive(Debug, Subcommand)]
pub(crate) enum WorktreeCommand {
    /// List them: whose each is, what it takes, whether it is clean.
    List,
    /// Show one, and what would be lost with it.
    Show {
        /// Its folder, the last part of that, or its branch.
        #[arg(value_name = "WORKTREE")]
        worktree: String,
    },
    /// Remove one; its branch stays. What would be lost is asked about first.
    Remove {
        /// Its folder, the last part of that, or its branch.
        #[arg(value_name = "WORKTREE")]
        worktree: String,
        /// Remove it although something is lost.
        #[arg(long)]
        yes: bool,
    },
    /// Make the worktree of a paused session again that is gone, or connect one that was moved.
    Restore {
        /// The session.
        #[arg(value_name = "SESSION")]
        session: SessionKey,
    },
    /// Show the setup command of new worktrees, and what it runs of the repository.
    Setup {
        /// Let it run that as it is now.
        #[arg(long)]
        allow: bool,
    },
}
