//! The merge queue as a machine: what waits in which order, which one is being merged and how far it is, what
//! stands against it. No git, no clock: whoever drives it writes it down first and does the step then, so that
//! after a crash the step that was begun is known.
//!
//! Invariants: one request is merged at a time; a request is in the queue once; one that is blocked lets nothing
//! behind it through until somebody decides; what landed is never combined again.

mod queue;
mod step;
#[cfg(test)]
mod tests;
mod trouble;

pub use queue::{EntryState, MergeQueue, QueueEntry, QueueRefused};
pub use step::{Current, MergeStage, MergeStep, TargetNow};
pub use trouble::{ConflictFile, MergeTrouble, TroubleKind};
