//! The progress of the current merge, and where to continue after a crash.

use crate::{Timestamp, ids::MergeRequestId};
use serde::{Deserialize, Serialize};

/// The name of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MergeStage {
    Prepare,
    /// Rebase the branch onto the target, or merge the two.
    Combine,
    Check,
    Move,
    Push,
    /// Close the bead.
    Finish,
}

impl MergeStage {
    /// The step's name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            MergeStage::Prepare => "prepare",
            MergeStage::Combine => "combine",
            MergeStage::Check => "check",
            MergeStage::Move => "move",
            MergeStage::Push => "push",
            MergeStage::Finish => "finish",
        }
    }
}

/// A step with its commits as full hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum MergeStep {
    /// No commit is chosen yet.
    Prepare {},
    /// The target and the source are being combined.
    Combine {
        /// The branch's commit.
        source: String,
        target: String,
    },
    /// The result is being checked.
    Check {
        target: String,
        /// The target's intended new commit.
        candidate: String,
    },
    /// The target is being moved to the candidate.
    Move {
        target: String,
        /// The target's intended new commit.
        candidate: String,
    },
    /// The target was moved and is being pushed.
    Push { candidate: String },
    /// Only the bead remains to be closed.
    Finish {
        /// The target's new commit.
        candidate: String,
        /// A note for the user, for example on a failed push.
        note: Option<String>,
    },
}

impl MergeStep {
    /// The step's name, without its commits.
    pub fn stage(&self) -> MergeStage {
        match self {
            MergeStep::Prepare {} => MergeStage::Prepare,
            MergeStep::Combine { .. } => MergeStage::Combine,
            MergeStep::Check { .. } => MergeStage::Check,
            MergeStep::Move { .. } => MergeStage::Move,
            MergeStep::Push { .. } => MergeStage::Push,
            MergeStep::Finish { .. } => MergeStage::Finish,
        }
    }

    /// The target's intended new commit, if known.
    pub fn candidate(&self) -> Option<&str> {
        match self {
            MergeStep::Prepare {} | MergeStep::Combine { .. } => None,
            MergeStep::Check { candidate, .. }
            | MergeStep::Move { candidate, .. }
            | MergeStep::Push { candidate }
            | MergeStep::Finish { candidate, .. } => Some(candidate),
        }
    }

    /// Whether the target may already have moved.
    pub fn may_have_landed(&self) -> bool {
        matches!(self, MergeStep::Move { .. } | MergeStep::Push { .. } | MergeStep::Finish { .. })
    }

    /// The step with which to continue after a crash in this step. If the merge reached its move and the
    /// target contains the candidate, the merge continues. The move of an unchanged target is repeated. In
    /// all other cases, the merge starts again.
    pub fn after_a_crash(&self, now: TargetNow) -> MergeStep {
        match (self, now) {
            (MergeStep::Move { candidate, .. }, TargetNow::HasIt) => {
                MergeStep::Push { candidate: candidate.clone() }
            }
            (MergeStep::Move { .. }, TargetNow::AsSeen)
            | (MergeStep::Push { .. } | MergeStep::Finish { .. }, TargetNow::HasIt) => self.clone(),
            (MergeStep::Prepare {} | MergeStep::Combine { .. } | MergeStep::Check { .. }, _)
            | (MergeStep::Move { .. }, TargetNow::Other)
            | (MergeStep::Push { .. } | MergeStep::Finish { .. }, TargetNow::AsSeen | TargetNow::Other) => {
                MergeStep::Prepare {}
            }
        }
    }
}

/// The target's position relative to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetNow {
    /// The target's history contains the intended commit.
    HasIt,
    /// The target has not moved since the two commits were combined.
    AsSeen,
    /// The target moved elsewhere or was deleted.
    Other,
}

/// The request being merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Current {
    pub id: MergeRequestId,
    #[serde(flatten)]
    pub step: MergeStep,
    /// The branch's commit, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_at: Option<String>,
    /// How often the merge started again.
    #[serde(default)]
    pub tries: u32,
    /// When the current step started.
    pub since: Timestamp,
}
