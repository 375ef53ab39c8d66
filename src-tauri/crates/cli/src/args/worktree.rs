//! Arguments of `worktree …`.

use super::SessionKey;
use clap::Subcommand;

/// Subcommands of `worktree`.
#[derive(Debug, Subcommand)]
pub(crate) enum WorktreeCommand {
    /// List worktrees with their session, size and whether they are clean.
    List,
    /// Show a worktree and what its removal would lose.
    Show {
        /// Path of the worktree, its last component, or its branch.
        #[arg(value_name = "WORKTREE")]
        worktree: String,
    },
    /// Remove a worktree; its branch stays. Asks before anything is lost.
    Remove {
        /// Path of the worktree, its last component, or its branch.
        #[arg(value_name = "WORKTREE")]
        worktree: String,
        /// Remove it even if something is lost.
        #[arg(long)]
        yes: bool,
    },
    /// Recreate the missing worktree of a paused session, or reconnect one that was moved.
    Restore {
        /// Id of the session, or its first digits.
        #[arg(value_name = "SESSION")]
        session: SessionKey,
    },
    /// Show the setup command of new worktrees and the repository files that it runs.
    Setup {
        /// Allow it with its current content.
        #[arg(long)]
        allow: bool,
    },
}
