//! Arguments of `fleet queue …`, `fleet review`, `fleet approve` and `fleet request-changes`.

use bc_core::ids::{BeadId, BranchName, MergeRequestId};
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum FleetQueueCommand {
    /// List waiting, blocked and merged requests.
    List,
    /// Queue the branch of a bead's work.
    Add(FleetQueueAddArgs),
    /// Merge the waiting requests in this process; a window or a server does so automatically.
    Run,
    /// Stop starting merges.
    Pause,
    /// Continue after `fleet queue pause`.
    #[command(alias = "go-on")]
    Resume,
    /// Retry a blocked or skipped request.
    Retry {
        /// Id of the request.
        request: MergeRequestId,
        /// Also update the folder that has the target checked out, now and after later merges; changed and untracked
        /// files are never overwritten.
        #[arg(long)]
        follow: bool,
    },
    /// Skip a request, so that the next one is merged.
    Skip {
        /// Id of the request.
        request: MergeRequestId,
    },
    /// Remove a request from the queue.
    Cancel {
        /// Id of the request.
        request: MergeRequestId,
    },
    /// Move a request before another one, or to the end.
    Move {
        /// Id of the request.
        request: MergeRequestId,
        /// The request to move it before.
        #[arg(long, value_name = "REQUEST")]
        before: Option<MergeRequestId>,
    },
    /// Send a blocked request back to its agent, with the reason.
    SendBack {
        /// Id of the request.
        request: MergeRequestId,
    },
    /// Print the output of a merge.
    Output {
        /// Id of the request.
        request: MergeRequestId,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FleetQueueAddArgs {
    /// Id of the bead.
    pub(crate) bead: BeadId,
    /// Branch to merge; defaults to that of the bead's latest session.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) source: Option<BranchName>,
    /// Target branch; defaults to the configured one, then to the branch that the work started from.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) target: Option<BranchName>,
}

#[derive(Debug, Args)]
pub(crate) struct FleetReviewArgs {
    /// Id of the bead.
    pub(crate) bead: BeadId,
    /// Branch to compare with; defaults to the merge target.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) target: Option<BranchName>,
    /// Also print the diff.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Ignore changes in white space.
    #[arg(long)]
    pub(crate) ignore_space: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FleetApproveArgs {
    /// Id of the bead.
    pub(crate) bead: BeadId,
    /// The reviewed commit; fails if the branch has a newer one.
    #[arg(long, value_name = "COMMIT")]
    pub(crate) tip: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FleetRequestChangesArgs {
    /// Id of the bead.
    pub(crate) bead: BeadId,
    /// The feedback.
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: String,
}

impl FleetQueueCommand {
    /// Whether the engine must run the command. `run` also changes the queue, but merges in this process.
    pub(crate) fn changes(&self) -> bool {
        !matches!(self, FleetQueueCommand::List | FleetQueueCommand::Output { .. } | FleetQueueCommand::Run)
    }
}
