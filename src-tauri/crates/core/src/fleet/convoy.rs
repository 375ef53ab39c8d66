//! Convoys: groups of beads.

use super::WorkStatus;
use crate::{
    Extra, Timestamp,
    ids::{BeadId, ConvoyId},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A named group of beads with a common progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Convoy {
    /// The convoy's id, which is also the name of its file.
    pub id: ConvoyId,
    pub name: String,
    /// The convoy's beads without duplicates, in the given order.
    pub bead_ids: Vec<BeadId>,
    /// The share of the beads that need no more work by an agent, 0 to 1.
    pub progress: f64,
    pub created_at: Timestamp,
    /// Unknown fields, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl Convoy {
    /// Creates a convoy with progress 0. Duplicate beads are removed.
    pub fn new(id: ConvoyId, name: String, bead_ids: Vec<BeadId>, now: Timestamp) -> Convoy {
        let mut seen = BTreeSet::new();
        let bead_ids = bead_ids.into_iter().filter(|bead| seen.insert(bead.clone())).collect();
        Convoy { id, name, bead_ids, progress: 0.0, created_at: now, extra: Extra::new() }
    }

    /// The finished share of the beads according to `status`. A bead without a status is not done.
    pub fn progress_by(&self, status: impl Fn(&BeadId) -> Option<WorkStatus>) -> f64 {
        let over = self.bead_ids.iter().filter(|bead| status(bead).is_some_and(WorkStatus::is_over)).count();
        // A convoy has at most a few thousand beads, so both counts are exact as floats.
        if self.bead_ids.is_empty() { 0.0 } else { over as f64 / self.bead_ids.len() as f64 }
    }
}
