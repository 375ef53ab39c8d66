//! How far the request is that is being merged, and where to go on after a crash.

use crate::{Timestamp, ids::MergeRequestId};
use serde::{Deserialize, Serialize};

/// A step, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MergeStage {
    /// The queue's worktree is made ready.
    Prepare,
    /// The branch is put on top of the target, or joined with it.
    Combine,
    /// The person's check runs.
    Check,
    /// The target moves.
    Move,
    /// The target goes to its remote.
    Push,
    /// The bead is closed.
    Finish,
}

impl MergeStage {
    /// The word for it.
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

/// A step with the commits that it goes by, as full hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum MergeStep {
    /// Nothing is decided.
    Prepare {},
    /// These two are combined.
    Combine {
        /// The branch's commit.
        source: String,
        /// The target's.
        target: String,
    },
    /// The result is checked.
    Check {
        /// The target's commit.
        target: String,
        /// What it shall become.
        candidate: String,
    },
    /// The target moves from one to the other.
    Move {
        /// The target's commit.
        target: String,
        /// What it shall become.
        candidate: String,
    },
    /// The target moved.
    Push {
        /// What it is.
        candidate: String,
    },
    /// All but the bead is done.
    Finish {
        /// What the target became.
        candidate: String,
        /// What the person should know of the push.
        note: Option<String>,
    },
}

impl MergeStep {
    /// Its name.
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

    /// What the target shall become, once that is known.
    pub fn candidate(&self) -> Option<&str> {
        match self {
            MergeStep::Prepare {} | MergeStep::Combine { .. } => None,
            MergeStep::Check { candidate, .. }
            | MergeStep::Move { candidate, .. }
            | MergeStep::Push { candidate }
            | MergeStep::Finish { candidate, .. } => Some(candidate),
        }
    }

    /// Whether the target may have moved already.
    pub fn may_have_landed(&self) -> bool {
        matches!(self, MergeStep::Move { .. } | MergeStep::Push { .. } | MergeStep::Finish { .. })
    }

    /// The step to go on with after whoever was at this one died. Until the target moves nothing is lost by
    /// beginning again; once it has, the rest is done, and done once more where it was done already.
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

/// Where the target stands, seen from a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetNow {
    /// What it shall become is in its history.
    HasIt,
    /// Where it was when the two were combined.
    AsSeen,
    /// Somewhere else, or gone.
    Other,
}

/// The request that is being merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Current {
    /// Which.
    pub id: MergeRequestId,
    /// How far.
    #[serde(flatten)]
    pub step: MergeStep,
    /// The branch's commit that is being merged, once that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_at: Option<String>,
    /// How often it began anew because the target or the branch had moved.
    #[serde(default)]
    pub tries: u32,
    /// Since when.
    pub since: Timestamp,
}
