//! Lists a tracker's beads for clients, before and after the rest of the project is open.

use super::errors::tracker_error;
use bc_beads::{ListFilter, Tracker};
use bc_wire::{ApiError, bead::*};

/// The beads that match.
pub(crate) fn of_tracker(tracker: &dyn Tracker, params: BeadListParams) -> Result<BeadList, ApiError> {
    let listing = tracker.list(&filter(params)).map_err(tracker_error)?;
    let warnings = listing.warnings.iter().map(ToString::to_string).collect();
    Ok(BeadList { warnings, note: tracker.describe().notice, ..BeadList::of(listing.beads) })
}

fn filter(params: BeadListParams) -> ListFilter {
    let shown = if params.all { ListFilter::all_but_memories() } else { ListFilter::board() };
    ListFilter { statuses: params.status, ..shown }
}
