//! Pieces of work that belong together.

use super::WorkStatus;
use crate::{
    Extra, Timestamp,
    ids::{BeadId, ConvoyId},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A group of beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Convoy {
    /// Its name for programs, also its file's.
    pub id: ConvoyId,
    /// Its name for people.
    pub name: String,
    /// What is in it, each once, in the order in which it was given.
    pub bead_ids: Vec<BeadId>,
    /// How much of it is done or merged, 0 to 1.
    pub progress: f64,
    /// When it was made.
    pub created_at: Timestamp,
    /// What this build does not know.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl Convoy {
    /// A new one; a bead that is given twice is in it once.
    pub fn new(id: ConvoyId, name: String, bead_ids: Vec<BeadId>, now: Timestamp) -> Convoy {
        let mut seen = BTreeSet::new();
        let bead_ids = bead_ids.into_iter().filter(|bead| seen.insert(bead.clone())).collect();
        Convoy { id, name, bead_ids, progress: 0.0, created_at: now, extra: Extra::new() }
    }

    /// How much is done, where `status` says how far each bead is; one that is nowhere is not done.
    pub fn progress_by(&self, status: impl Fn(&BeadId) -> Option<WorkStatus>) -> f64 {
        let over = self.bead_ids.iter().filter(|bead| status(bead).is_some_and(WorkStatus::is_over)).count();
        // Thousands at the most: exact in a float.
        if self.bead_ids.is_empty() { 0.0 } else { over as f64 / self.bead_ids.len() as f64 }
    }
}
