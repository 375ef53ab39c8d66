//! The fields of a bead on which readiness depends, for any kind of stored bead.

use crate::row::{Edge, Row, is_active};
use bc_core::{Timestamp, bead::BeadStatus, ids::BeadId};

/// The fields of a bead on which its own and other beads' readiness depends.
pub(crate) trait Facts {
    fn id(&self) -> &BeadId;
    fn title(&self) -> &str;
    fn issue_type(&self) -> &str;
    /// The status. A review that is only marked by the label may be reported as in progress.
    fn state(&self) -> &BeadStatus;
    fn assignee(&self) -> Option<&str>;
    fn parent(&self) -> Option<&BeadId>;
    /// The bead's dependencies; those of kinds that do not block may be missing.
    fn edges(&self) -> &[Edge];
    fn defer_until(&self) -> Option<Timestamp>;
    /// Whether the row is the tracker's own: a wisp, a template, or of a reserved type.
    fn is_system(&self) -> bool;
    /// Whether the bead is pinned. A pinned bead is never work, whatever its status.
    fn is_pinned(&self) -> bool;

    /// Whether the bead can block another one.
    fn blocks(&self) -> bool {
        is_active(self.state())
    }

    fn blocking_edges(&self) -> impl Iterator<Item = &Edge> {
        self.edges().iter().filter(|edge| edge.blocks())
    }
}

impl Facts for Row {
    fn id(&self) -> &BeadId {
        &self.id
    }
    fn title(&self) -> &str {
        &self.title
    }
    fn issue_type(&self) -> &str {
        &self.issue_type
    }
    fn state(&self) -> &BeadStatus {
        &self.stored_status
    }
    fn assignee(&self) -> Option<&str> {
        self.assignee.as_deref()
    }
    fn parent(&self) -> Option<&BeadId> {
        self.parent.as_ref()
    }
    fn edges(&self) -> &[Edge] {
        &self.depends_on
    }
    fn defer_until(&self) -> Option<Timestamp> {
        self.defer_until
    }
    fn is_system(&self) -> bool {
        self.system
    }
    fn is_pinned(&self) -> bool {
        self.pinned
    }
}
