//! The state of a fleet agent's hook, the slot that holds its assignment.

use serde::{Deserialize, Serialize};

/// Whether a fleet agent has an assignment, and the assignment's progress.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "lowercase")]
pub enum HookStatus {
    #[default]
    Empty,
    /// Work that the agent has not started.
    Pending,
    /// Work in progress.
    Active,
    /// Completed work; the hook must be cleared before it takes other work.
    Completed,
}
