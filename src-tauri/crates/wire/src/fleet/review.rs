//! Parameters and results of commands for the review of finished work.

use super::FleetQueueRow;
use crate::diff::FileDiff;
use bc_core::{
    bead::BeadStatus,
    ids::{BeadId, BranchName, FleetAgentId, SessionId},
    work::CommitLine,
};
use serde::{Deserialize, Serialize};

/// Parameters of `fleet.review`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetReviewParams {
    pub bead: BeadId,
    /// The branch to compare with; the merge target by default.
    #[serde(default)]
    pub target: Option<BranchName>,
    /// Whether to ignore changes in white space.
    #[serde(default)]
    pub ignore_space: bool,
}

/// Parameters of `fleet.approve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetApproveParams {
    pub bead: BeadId,
    /// The reviewed commit. If the branch has moved since the review, the command is refused.
    #[serde(default)]
    pub tip: Option<String>,
}

/// Parameters of `fleet.request_changes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetRequestChangesParams {
    pub bead: BeadId,
    /// The feedback for the agent.
    pub text: String,
}

/// Finished work for review: the branch, compared with its merge target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetReview {
    pub bead: BeadId,
    pub title: String,
    /// The bead's state; absent if the tracker does not have it.
    pub bead_status: Option<BeadStatus>,
    pub source: BranchName,
    /// The branch's commit.
    pub tip: String,
    /// The branch with which the work is compared.
    pub target: BranchName,
    /// Commits of the branch that the target does not have, oldest first.
    pub commits: Vec<CommitLine>,
    /// The number of the target's commits that the branch does not have.
    pub behind: u32,
    /// Files changed on the branch since it forked from the target.
    pub files: Vec<FileDiff>,
    /// Whether the list of files is incomplete.
    pub cut: bool,
    /// Files with uncommitted changes in the branch's working tree, which would not be merged.
    pub uncommitted: Vec<String>,
    /// The latest session of the bead on this branch.
    pub session: Option<SessionId>,
    /// The agent that did the work; absent if it was not done by an agent.
    pub agent: Option<FleetAgentId>,
    /// The last merge request of the bead's branch; absent if the branch was never queued.
    pub request: Option<FleetQueueRow>,
}
