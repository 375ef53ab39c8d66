//! The queue of prompts of one transcript.

use std::collections::VecDeque;

/// The maximum number of remembered prompts.
pub(super) const QUEUED: usize = 256;

/// The queue of one transcript.
#[derive(Debug, Default)]
pub(super) struct PromptQueue {
    pub(super) waiting: VecDeque<Queued>,
    /// Taken by claude, and not shown yet.
    pub(super) taken: Vec<Queued>,
}

#[derive(Debug)]
pub(super) struct Queued {
    pub(super) id: String,
    pub(super) text: String,
}
