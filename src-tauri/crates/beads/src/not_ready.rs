//! The reasons why a bead cannot be started. Performs no I/O.

use crate::facts::Facts;
use bc_core::{
    Timestamp,
    bead::{BeadStatus, NotReady},
    ids::BeadId,
};

/// The time until which the bead is deferred; `None` unless it is in the future.
pub(crate) fn until(node: &impl Facts, now: Timestamp) -> Option<Timestamp> {
    node.defer_until().filter(|until| *until > now)
}

/// Why a bead with these blockers and this deferral cannot be started.
pub(crate) fn reasons(
    node: &impl Facts,
    waiting: Vec<NotReady>,
    put_off: Option<(Timestamp, Option<BeadId>)>,
) -> Vec<NotReady> {
    let mut reasons = Vec::new();
    match node.state() {
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
    if node.is_system() {
        reasons.push(NotReady::Kind { issue_type: node.issue_type().to_owned() });
    }
    reasons.extend(waiting);
    reasons.extend(put_off.map(|(until, parent)| NotReady::Deferred { until, parent }));
    if !reasons.is_empty() {
        reasons.extend(node.assignee().map(|to| NotReady::Assigned { to: to.to_owned() }));
    }
    reasons
}
