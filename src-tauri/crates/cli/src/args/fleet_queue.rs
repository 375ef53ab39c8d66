//! `fleet queue …`, `fleet review`, `fleet approve`, `fleet request-changes`

use bc_core::ids::{BeadId, BranchName, MergeRequestId};
use clap::{Args, Subcommand};

/// `fleet queue …`
#[derive(Debug, Subcommand)]
pub(crate) enum FleetQueueCommand {
    /// List what waits in its order, what stands in its way, and what is merged.
    List,
    /// Queue the branch of a bead's work.
    Add(FleetQueueAddArgs),
    /// Merge what waits, here and now; a window or a server does so by itself.
    Run,
    /// Begin with nothing more.
    Pause,
    /// Take that back.
    GoOn,
    /// Let a request that was stopped or left aside try again.
    Retry {
        /// Its name.
        #[arg(value_name = "REQUEST")]
        request: MergeRequestId,
        /// Bring the folder along that has the target checked out; nothing uncommitted is touched.
        #[arg(long)]
        follow: bool,
    },
    /// Leave a request aside, so that the next one has its turn.
    Skip {
        /// Its name.
        #[arg(value_name = "REQUEST")]
        request: MergeRequestId,
    },
    /// Take a request out.
    Cancel {
        /// Its name.
        #[arg(value_name = "REQUEST")]
        request: MergeRequestId,
    },
    /// Put a request before another one, or behind all.
    Move {
        /// Its name.
        #[arg(value_name = "REQUEST")]
        request: MergeRequestId,
        /// The one that it is put before.
        #[arg(long, value_name = "REQUEST")]
        before: Option<MergeRequestId>,
    },
    /// Send a request that was stopped back to its agent, with what happened.
    SendBack {
        /// Its name.
        #[arg(value_name = "REQUEST")]
        request: MergeRequestId,
    },
    /// Print what merging a request printed.
    Output {
        /// Its name.
        #[arg(value_name = "REQUEST")]
        request: MergeRequestId,
    },
}

/// `fleet queue add`
#[derive(Debug, Args)]
pub(crate) struct FleetQueueAddArgs {
    /// Whose work.
    #[arg(value_name = "BEAD")]
    pub(crate) bead: BeadId,
    /// The branch, if not that of its latest session.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) source: Option<BranchName>,
    /// What it is merged into, if not what is set or what it began from.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) target: Option<BranchName>,
}

/// `fleet review`
#[derive(Debug, Args)]
pub(crate) struct FleetReviewArgs {
    /// Whose work.
    #[arg(value_name = "BEAD")]
    pub(crate) bead: BeadId,
    /// What it is compared with, if not what it would be merged into.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) target: Option<BranchName>,
    /// Print the differences, too.
    #[arg(long)]
    pub(crate) diff: bool,
    /// White space alone is no difference.
    #[arg(long)]
    pub(crate) ignore_space: bool,
}

/// `fleet approve`
#[derive(Debug, Args)]
pub(crate) struct FleetApproveArgs {
    /// Whose work.
    #[arg(value_name = "BEAD")]
    pub(crate) bead: BeadId,
    /// The commit that was looked at; refused where the branch has others by now.
    #[arg(long, value_name = "COMMIT")]
    pub(crate) tip: Option<String>,
}

/// `fleet request-changes`
#[derive(Debug, Args)]
pub(crate) struct FleetRequestChangesArgs {
    /// Whose work.
    #[arg(value_name = "BEAD")]
    pub(crate) bead: BeadId,
    /// What is to be changed.
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: String,
}

impl FleetQueueCommand {
    /// Whether it changes what the engine of the project goes by.
    pub(crate) fn changes(&self) -> bool {
        !matches!(self, FleetQueueCommand::List | FleetQueueCommand::Output { .. } | FleetQueueCommand::Run)
    }
}
