//! Lists a tracker's beads for clients. A starting window uses it before the rest of the project is open.

use super::{errors::tracker_error, numbers::count};
use bc_beads::{ListFilter, Part, Tracker};
use bc_wire::{ApiError, bead::*};

/// The matching beads: all, only the first of each column, or only the changes since the client's last list.
pub(crate) fn of_tracker(tracker: &dyn Tracker, params: BeadListParams) -> Result<BeadList, ApiError> {
    let part = match (&params.since, params.page) {
        (Some(content), _) => Part::Since(content),
        (None, Some(most)) => Part::FirstOfColumns(usize::try_from(most).unwrap_or(usize::MAX)),
        (None, None) => Part::All,
    };
    let shown = if params.all { ListFilter::all_but_memories() } else { ListFilter::board() };
    let filter = ListFilter { statuses: params.status, ..shown };
    let listed = tracker.list_part(&filter, part).map_err(tracker_error)?;
    Ok(BeadList {
        beads: listed.beads,
        warnings: listed.warnings.iter().map(ToString::to_string).collect(),
        note: tracker.describe().notice,
        content: listed.content,
        changes_only: listed.changes_only,
        removed: listed.removed,
        total: listed.total.map(count),
    })
}
