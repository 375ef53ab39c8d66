//! Requests to merge a branch.

use crate::{
    Extra,
    ids::{BeadId, BranchName, MergeRequestId},
};
use serde::{Deserialize, Serialize};

/// The state of a merge request, as stored in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum MergeStatus {
    /// Waiting for its turn.
    Pending,
    Merging,
    /// Part of the target branch.
    Merged,
    /// Not mergeable without the user's decision.
    Conflicted,
}

/// A request to merge a branch into another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MergeRequest {
    /// The request's id, which is also the name of its file.
    pub id: MergeRequestId,
    pub source_branch: BranchName,
    pub target_branch: BranchName,
    pub status: MergeStatus,
    pub bead_id: BeadId,
    /// Unknown fields, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}
