//! Commands on the review of finished work.

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
    /// Whose work.
    pub bead: BeadId,
    /// What it is compared with, if not what it would be merged into.
    #[serde(default)]
    pub target: Option<BranchName>,
    /// Whether white space alone is no difference.
    #[serde(default)]
    pub ignore_space: bool,
}

/// Parameters of `fleet.approve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetApproveParams {
    /// Whose work.
    pub bead: BeadId,
    /// The reviewed commit; refused if the branch has moved since.
    #[serde(default)]
    pub tip: Option<String>,
}

/// Parameters of `fleet.request_changes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetRequestChangesParams {
    /// Whose work.
    pub bead: BeadId,
    /// What is to be changed, for the agent.
    pub text: String,
}

/// Finished work for review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetReview {
    /// Whose work.
    pub bead: BeadId,
    /// What it is, in a line.
    pub title: String,
    /// The bead's state, where the tracker knows it.
    pub bead_status: Option<BeadStatus>,
    /// The branch.
    pub source: BranchName,
    /// The branch's commit.
    pub tip: String,
    /// What it is compared with.
    pub target: BranchName,
    /// What the branch has and the target has not, oldest first.
    pub commits: Vec<CommitLine>,
    /// How many commits the target has that the branch has not.
    pub behind: u32,
    /// What the branch changed since it left the target.
    pub files: Vec<FileDiff>,
    /// Whether files are left out because there are too many.
    pub cut: bool,
    /// Files with changes in the working tree of the branch that are in no commit, and so would not be merged.
    pub uncommitted: Vec<String>,
    /// The latest session on it.
    pub session: Option<SessionId>,
    /// The agent that worked on it.
    pub agent: Option<FleetAgentId>,
    /// Its last request to merge, with what the check said.
    pub request: Option<FleetQueueRow>,
}
