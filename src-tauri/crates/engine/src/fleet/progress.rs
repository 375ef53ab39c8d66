//! The progress of convoys, from the tracker, the hooks and the merge queue.

use super::snapshot::FleetSnapshot;
use crate::{
    context::{Context, count},
    fleet_state::{fleet_error, state},
};
use bc_core::{
    bead::Bead,
    fleet::{Convoy, ConvoyBeadState, ConvoyEnd, FleetFacts, convoy_bead_state, stranded},
    ids::BeadId,
};
use bc_wire::{ApiError, fleet::*};
use std::collections::BTreeMap;

/// The maximum number of stranded beads listed for a convoy.
const STRANDED: usize = 100;

/// The state of all convoys: first the open convoys, oldest first; then the closed convoys, most recently
/// closed first.
pub(super) fn convoys(snapshot: &FleetSnapshot) -> Vec<FleetConvoyNow> {
    let known = snapshot.known_beads();
    let mut all: Vec<FleetConvoyNow> =
        snapshot.convoys.iter().map(|convoy| convoy_now(snapshot, &known, convoy)).collect();
    all.sort_by(|a, b| match (a.closed_at, b.closed_at) {
        (None, None) => (a.created_at, &a.id).cmp(&(b.created_at, &b.id)),
        (a_closed, b_closed) => a_closed.is_some().cmp(&b_closed.is_some()).then(b_closed.cmp(&a_closed)),
    });
    all
}

/// Saves the changed progress of all convoys, and closes the finished convoys. Reopens a closed convoy that
/// is no longer finished, unless the user closed it.
pub(super) fn write(ctx: &Context, snapshot: &FleetSnapshot) -> Result<(), ApiError> {
    let state = state(ctx);
    for convoy in &convoys(snapshot) {
        let Some(stored) = snapshot.convoys.iter().find(|stored| stored.id == convoy.id) else { continue };
        if stored.progress.to_bits() != convoy.progress.to_bits() {
            state.put_convoy_progress(&convoy.id, convoy.progress).map_err(fleet_error)?;
        }
        let all = convoy.counts.merged + convoy.counts.done == convoy.total;
        let end = match snapshot.closed.closed.get(&convoy.id) {
            None if all => Some(ConvoyEnd { at: snapshot.now, done: true }),
            Some(end) if end.done && !all => None,
            _ => continue,
        };
        state.end_convoy(&convoy.id, end).map_err(fleet_error)?;
    }
    Ok(())
}

fn convoy_now(
    snapshot: &FleetSnapshot,
    known: &BTreeMap<&BeadId, FleetFacts>,
    convoy: &Convoy,
) -> FleetConvoyNow {
    let find = |id: &BeadId| -> Option<&Bead> { snapshot.bead(id) };
    let held = |id: &BeadId| snapshot.hold_reason(id);
    let closed_at = snapshot.closed.closed.get(&convoy.id).map(|end| end.at);
    let (mut counts, mut stranded_beads, mut finished) = (FleetConvoyCounts::default(), Vec::new(), 0_usize);
    for bead in &convoy.bead_ids {
        let known = known.get(bead).copied().unwrap_or_default();
        let state = convoy_bead_state(find(bead), known);
        *count_of(&mut counts, state) += 1;
        finished += usize::from(state.needs_no_agent());
        if let Some(why) = stranded(bead, state, known, &find, &held) {
            let title = find(bead).map(|bead| bead.title.clone()).unwrap_or_default();
            stranded_beads.push(FleetStranded { bead: bead.clone(), title, why });
        }
    }
    let total = convoy.bead_ids.len();
    let stranded_total = count(stranded_beads.len());
    stranded_beads.truncate(STRANDED);
    FleetConvoyNow {
        id: convoy.id.clone(),
        name: convoy.name.clone(),
        created_at: convoy.created_at,
        closed_at,
        total: count(total),
        // The numbers are small enough to be exact in a float.
        progress: if total == 0 { 0.0 } else { finished as f64 / total as f64 },
        counts,
        stranded: stranded_beads,
        stranded_total,
    }
}

fn count_of(counts: &mut FleetConvoyCounts, state: ConvoyBeadState) -> &mut u32 {
    match state {
        ConvoyBeadState::Merged => &mut counts.merged,
        ConvoyBeadState::Done => &mut counts.done,
        ConvoyBeadState::InReview => &mut counts.in_review,
        ConvoyBeadState::Conflicted => &mut counts.conflicted,
        ConvoyBeadState::InProgress => &mut counts.in_progress,
        ConvoyBeadState::Hooked => &mut counts.hooked,
        ConvoyBeadState::Ready => &mut counts.ready,
        ConvoyBeadState::Blocked => &mut counts.blocked,
        ConvoyBeadState::Deferred => &mut counts.put_off,
        ConvoyBeadState::Missing => &mut counts.missing,
    }
}
