//! What waits to be merged.

use crate::{
    Extra,
    ids::{BeadId, BranchName, MergeRequestId},
};
use serde::{Deserialize, Serialize};

/// How far a merge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum MergeStatus {
    /// It waits for its turn.
    Pending,
    /// It is being merged.
    Merging,
    /// It is part of the target branch.
    Merged,
    /// It cannot be merged as it is; nothing behind it is, until somebody decides.
    Conflicted,
}

/// A branch that is to become part of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MergeRequest {
    /// Its name, also its file's.
    pub id: MergeRequestId,
    /// What is merged.
    pub source_branch: BranchName,
    /// Into what.
    pub target_branch: BranchName,
    /// How far it is.
    pub status: MergeStatus,
    /// Whose work it is.
    pub bead_id: BeadId,
    /// What this build does not know.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}
