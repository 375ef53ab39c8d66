//! Commands on the merge queue.

use bc_core::{
    Timestamp,
    fleet::{MergeStage, MergeStatus, MergeTrouble},
    ids::{BeadId, BranchName, FleetAgentId, MergeRequestId, SessionId},
};
use serde::{Deserialize, Serialize};

/// Parameters of `fleet.queue_add`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueAddParams {
    /// Whose work is to be merged.
    pub bead: BeadId,
    /// The branch, if not that of the bead's latest session.
    #[serde(default)]
    pub source: Option<BranchName>,
    /// What it is merged into, if not what the settings or its session say.
    #[serde(default)]
    pub target: Option<BranchName>,
}

/// Which request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetMergeRef {
    /// Its name.
    pub id: MergeRequestId,
}

/// Parameters of `fleet.queue_retry`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueRetryParams {
    /// Which request.
    pub id: MergeRequestId,
    /// Whether a working tree that has the target checked out is updated too, as `git merge --ff-only` does. That is kept as
    /// `merge_checked_out` of the project's settings.
    #[serde(default)]
    pub follow: bool,
}

/// Parameters of `fleet.queue_move`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueMoveParams {
    /// Which request.
    pub id: MergeRequestId,
    /// Before which other one; behind all where none is given.
    #[serde(default)]
    pub before: Option<MergeRequestId>,
}

/// Parameters of `fleet.queue_output`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueOutputParams {
    /// Which request's.
    pub id: MergeRequestId,
    /// From where: 0, or what an earlier answer gave as `next`.
    #[serde(default)]
    #[specta(type = u32)]
    pub from: u64,
}

/// What a merge printed, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueOutput {
    /// The part, without terminal escapes. Of much output the middle is left out, and says so.
    pub text: String,
    /// Where the next part begins.
    #[specta(type = u32)]
    pub next: u64,
    /// Whether there is more already.
    pub more: bool,
    /// Whether the request is being merged just now.
    pub live: bool,
}

/// The merge queue as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueState {
    /// What is not merged yet, in its order; then what is, the latest first.
    pub rows: Vec<FleetQueueRow>,
    /// Whether nothing new is begun.
    pub paused: bool,
    /// The request that blocks the queue.
    pub blocked: Option<MergeRequestId>,
    /// The request that is being merged.
    pub merging: Option<MergeRequestId>,
    /// Whether a process works on the queue.
    pub running: bool,
    /// What was found wrong with files.
    pub warnings: Vec<String>,
}

/// A request to merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetQueueRow {
    /// Its name.
    pub id: MergeRequestId,
    /// Whose work it is.
    pub bead: BeadId,
    /// Its title; the bead's id if unknown.
    pub title: String,
    /// What is merged.
    pub source: BranchName,
    /// Into what.
    pub target: BranchName,
    /// How far it is.
    pub status: MergeStatus,
    /// What is just done, while it is being merged.
    pub stage: Option<MergeStage>,
    /// When it came into the queue; absent for one that was merged long ago.
    pub queued_at: Option<Timestamp>,
    /// Since when it is at its stage, or when it was merged.
    pub since: Option<Timestamp>,
    /// Whether it was skipped.
    pub skipped: bool,
    /// What is in its way.
    pub trouble: Option<MergeTrouble>,
    /// What the target became by it.
    pub commit: Option<String>,
    /// What else the person should know: of a push that was refused, say.
    pub note: Option<String>,
    /// The latest session that worked on it.
    pub session: Option<SessionId>,
    /// The agent that worked on it.
    pub agent: Option<FleetAgentId>,
}

/// The result of sending feedback to the agent of a bead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetSentBack {
    /// The session that has it.
    pub session: SessionId,
    /// How it got there.
    pub how: SentBackBy,
}

/// How feedback reached the agent of a bead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SentBackBy {
    /// Its running session received it.
    Told,
    /// Its paused session was resumed.
    Resumed,
    /// A new session was started on its branch.
    Started,
}
