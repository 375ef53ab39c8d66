//! The reasons why a bead cannot be started. Pure.

use crate::row::Row;
use bc_core::{
    Timestamp,
    bead::{BeadStatus, NotReady},
    ids::BeadId,
};

/// The end of its deferral, if in the future.
pub(crate) fn until(row: &Row, now: Timestamp) -> Option<Timestamp> {
    row.defer_until.filter(|until| *until > now)
}

/// Why a row with these blockers and this deferral cannot be started.
pub(crate) fn reasons(
    row: &Row,
    waiting: Vec<NotReady>,
    put_off: Option<(Timestamp, Option<BeadId>)>,
) -> Vec<NotReady> {
    let mut reasons = Vec::new();
    match &row.stored_status {
        BeadStatus::Open => {}
        status @ (BeadStatus::Blocked | BeadStatus::Deferred | BeadStatus::Other(_)) => {
            reasons.push(NotReady::Status { status: status.clone() });
        }
        BeadStatus::InProgress
        | BeadStatus::InReview
        | BeadStatus::Closed
        | BeadStatus::Pinned
        | BeadStatus::Tombstone => return reasons,
    }
    if row.system {
        reasons.push(NotReady::Kind { issue_type: row.issue_type.clone() });
    }
    reasons.extend(waiting);
    reasons.extend(put_off.map(|(until, parent)| NotReady::Deferred { until, parent }));
    if !reasons.is_empty() {
        reasons.extend(row.assignee.clone().map(|to| NotReady::Assigned { to }));
    }
    reasons
}
