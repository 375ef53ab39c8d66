//! What is remembered of beads with which something went wrong.

use super::look::DISPATCH;
use bc_core::{
    fleet::{DispatchRecord, Tries},
    ids::BeadId,
};
use bc_fleet::State;

/// Changes what is remembered of a bead. That it cannot be written costs a try, not the work.
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

/// Forgets what went wrong with a bead.
pub(super) fn forget(state: &State, bead: &BeadId) {
    note(state, bead, |tries| *tries = Tries::default());
}
