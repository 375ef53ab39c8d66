//! The prompts of one transcript that the user typed while claude was working.

use std::collections::VecDeque;

/// The maximum number of waiting prompts. Further prompts are not kept.
pub(super) const QUEUED: usize = 256;

#[derive(Debug, Default)]
pub(super) struct PromptQueue {
    pub(super) waiting: VecDeque<Queued>,
    /// Prompts that the model has received and that have not been added as messages yet.
    pub(super) taken: Vec<Queued>,
}

#[derive(Debug)]
pub(super) struct Queued {
    pub(super) id: String,
    pub(super) text: String,
}
