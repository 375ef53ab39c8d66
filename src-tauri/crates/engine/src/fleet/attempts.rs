//! The record of the fleet's attempts on each bead: resumes, reassignments, and the reason to hold the bead back.

use super::snapshot::DISPATCH;
use bc_core::{
    fleet::{DispatchRecord, Tries},
    ids::BeadId,
};
use bc_fleet::State;

/// Changes a bead's record. A failed write is ignored, because it loses only this change.
pub(super) fn note(state: &State, bead: &BeadId, change: impl Fn(&mut Tries)) {
    let _ = state.keep(DISPATCH, |record: &mut DispatchRecord| {
        let mut tries = record.beads.get(bead).cloned().unwrap_or_default();
        change(&mut tries);
        match tries == Tries::default() {
            true => drop(record.beads.remove(bead)),
            false => drop(record.beads.insert(bead.clone(), tries)),
        }
    });
}

pub(super) fn forget(state: &State, bead: &BeadId) {
    note(state, bead, |tries| *tries = Tries::default());
}
