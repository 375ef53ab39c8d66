//! Ranks a tracker's ready beads by how suitable they are to start next.

use super::{errors::tracker_error, now};
use bc_beads::{ListFilter, Tracker};
use bc_core::{
    bead::{Bead, LinkDirection},
    bead_graph::{Waiting, is_blocking},
    ids::BeadId,
    next_bead::{Rank, Ranking},
};
use bc_wire::ApiError;
use std::collections::HashSet;

/// Ranks the ready beads. Beads that waited for `after`, a bead that was just closed, and their children come
/// first.
pub(crate) fn next_beads(
    tracker: &dyn Tracker,
    after: Option<&BeadId>,
) -> Result<Vec<(Bead, Rank)>, ApiError> {
    let unblocked = after.map(|id| waited_for(tracker, id).map(|waited| (id, waited))).transpose()?;
    let open = tracker.list(&ListFilter::open()).map_err(tracker_error)?.beads;
    let waiting = Waiting::new(&open);
    let ranking = Ranking { waiting: &waiting, after: unblocked, now: now() };
    Ok(ranking.ranked(open.iter().filter(|bead| bead.ready).cloned().collect()))
}

fn waited_for(tracker: &dyn Tracker, id: &BeadId) -> Result<HashSet<BeadId>, ApiError> {
    let links = tracker.show(id).map_err(tracker_error)?.links.into_iter();
    let waited =
        links.filter(|link| link.direction == LinkDirection::DependedOnBy && is_blocking(&link.kind));
    Ok(waited.map(|link| link.id).collect())
}
