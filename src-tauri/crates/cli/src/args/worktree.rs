//! Arguments of `worktree …`.

use super::SessionKey;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum WorktreeCommand {
    /// List worktrees: session, size, and uncommitted changes.
    List,
    /// Show a worktree and the changes that its removal would lose.
    Show {
        /// Path of the worktree, its last component, or its branch.
        worktree: String,
    },
    /// Remove a worktree; its branch stays. Asks first if changes would be lost.
    Remove {
        /// Path of the worktree, its last component, or its branch.
        worktree: String,
        /// Remove it even if changes would be lost.
        #[arg(long)]
        yes: bool,
    },
    /// Recreate the missing worktree of a paused session, or reconnect one that was moved.
    Restore {
        /// Id of the session, or its first digits.
        session: SessionKey,
    },
    /// Show the setup command of new worktrees and the repository files that it runs.
    Setup {
        /// Allow this setup command and its files with their current content.
        #[arg(long)]
        allow: bool,
    },
}
