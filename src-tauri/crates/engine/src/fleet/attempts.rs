//! The record of failed attempts for each bead.

use super::snapshot::DISPATCH;
use bc_core::{
    fleet::{DispatchRecord, Tries},
    ids::BeadId,
};
use bc_fleet::State;

/// Changes the record of a bead. If the write fails, only the count of attempts is lost.
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

/// Clears the record of a bead.
pub(super) fn forget(state: &State, bead: &BeadId) {
    note(state, bead, |tries| *tries = Tries::default());
}
