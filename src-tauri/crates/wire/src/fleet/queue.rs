//! Parameters and results of commands for the merge queue.

use bc_core::{
    Timestamp,
    fleet::{MergeStage, MergeStatus, MergeTrouble},
    ids::{BeadId, BranchName, FleetAgentId, MergeRequestId, SessionId},
};
use serde::{Deserialize, Serialize};

/// Parameters of `fleet.queue_add`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueAddParams {
    pub bead: BeadId,
    /// The branch; by default the branch of the bead's latest session.
    #[serde(default)]
    pub source: Option<BranchName>,
    /// The target branch; by default the branch from the settings or the session.
    #[serde(default)]
    pub target: Option<BranchName>,
}

/// Identifies a merge request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetMergeRef {
    pub id: MergeRequestId,
}

/// Parameters of `fleet.queue_retry`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueRetryParams {
    pub id: MergeRequestId,
    /// Whether to also update a working tree that has the target checked out, as `git merge --ff-only` does.
    /// Saved as `merge_checked_out` in the project's settings.
    #[serde(default)]
    pub follow: bool,
}

/// Parameters of `fleet.queue_move`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueMoveParams {
    pub id: MergeRequestId,
    /// The request before which it is placed; absent for the end of the queue.
    #[serde(default)]
    pub before: Option<MergeRequestId>,
}

/// Parameters of `fleet.queue_output`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueOutputParams {
    pub id: MergeRequestId,
    /// The start offset: 0, or `next` of an earlier answer.
    #[serde(default)]
    #[specta(type = u32)]
    pub from: u64,
}

/// A part of the output of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueOutput {
    /// The text without terminal escapes. A long output is shortened in the middle, with a notice.
    pub text: String,
    /// The offset of the next part.
    #[specta(type = u32)]
    pub next: u64,
    /// Whether more output is available now.
    pub more: bool,
    /// Whether the request is being merged.
    pub live: bool,
}

/// The merge queue, with the request that blocks it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueState {
    /// Unmerged requests in queue order, then merged requests, latest first.
    pub rows: Vec<FleetQueueRow>,
    /// Whether new merges are paused.
    pub paused: bool,
    /// The request that blocks the queue.
    pub blocked: Option<MergeRequestId>,
    pub merging: Option<MergeRequestId>,
    /// Whether a process works on the queue.
    pub running: bool,
    /// Problems with the fleet's files.
    pub warnings: Vec<String>,
}

/// A merge request: a branch to be merged, or a branch that was merged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueRow {
    pub id: MergeRequestId,
    pub bead: BeadId,
    /// The bead's title, or its id if the title is unknown.
    pub title: String,
    pub source: BranchName,
    pub target: BranchName,
    pub status: MergeStatus,
    /// The current stage of a running merge.
    pub stage: Option<MergeStage>,
    /// When the request was queued; absent for old merged requests.
    pub queued_at: Option<Timestamp>,
    /// The start of the current stage, or the time of the merge.
    pub since: Option<Timestamp>,
    pub skipped: bool,
    /// Why the merge stopped; absent if it did not stop.
    pub trouble: Option<MergeTrouble>,
    /// The target's commit after the merge.
    pub commit: Option<String>,
    /// A notice for the user, for example that the push was refused.
    pub note: Option<String>,
    pub session: Option<SessionId>,
    /// The agent that did the work; absent if it was not done by an agent.
    pub agent: Option<FleetAgentId>,
}

/// The result of sending feedback to the agent of a bead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetSentBack {
    /// The session that received the feedback.
    pub session: SessionId,
    /// How the session received the feedback.
    pub how: SentBackBy,
}

/// How feedback reached an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SentBackBy {
    /// The feedback was sent to the bead's live session.
    Told,
    /// The bead's paused session was resumed.
    Resumed,
    /// A new session was started on the bead's branch.
    Started,
}
