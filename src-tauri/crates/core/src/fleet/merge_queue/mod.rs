//! The merge queue as a state machine: the order of requests, the progress of the current merge, and the
//! obstacles. It uses neither git nor a clock. The caller persists each step before performing it, so that an
//! interrupted step can be identified after a crash.
//!
//! Invariants: one request is merged at a time. A request is in the queue at most once. A blocked request
//! stops all requests behind it until the user decides. Work that is already part of the target is never
//! combined again.

mod queue;
mod step;
#[cfg(test)]
mod tests;
mod trouble;

pub use queue::{EntryState, MergeQueue, QueueEntry, QueueRefused};
pub use step::{Current, MergeStage, MergeStep, TargetNow};
pub use trouble::{ConflictFile, MergeTrouble, TroubleKind};
