//! Convoys: groups of beads.

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
    /// Its id, also its file's name.
    pub id: ConvoyId,
    pub name: String,
    /// Its beads without duplicates, in the given order.
    pub bead_ids: Vec<BeadId>,
    /// The finished or merged part, 0 to 1.
    pub progress: f64,
    pub created_at: Timestamp,
    /// Unknown fields.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl Convoy {
    /// A new convoy, without duplicate beads.
    pub fn new(id: ConvoyId, name: String, bead_ids: Vec<BeadId>, now: Timestamp) -> Convoy {
        let mut seen = BTreeSet::new();
        let bead_ids = bead_ids.into_iter().filter(|bead| seen.insert(bead.clone())).collect();
        Convoy { id, name, bead_ids, progress: 0.0, created_at: now, extra: Extra::new() }
    }

    /// The finished part according to `status`; beads without a status are not done.
    pub fn progress_by(&self, status: impl Fn(&BeadId) -> Option<WorkStatus>) -> f64 {
        let over = self.bead_ids.iter().filter(|bead| status(bead).is_some_and(WorkStatus::is_over)).count();
        // Thousands at most: exact in a float.
        if self.bead_ids.is_empty() { 0.0 } else { over as f64 / self.bead_ids.len() as f64 }
    }
}
