//! A bead in the index: its list entry, and facts that only the index needs.

use crate::{
    facts::Facts,
    page::bead_of,
    row::{Edge, Row},
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

/// The position of a bead in the index; it never changes.
pub(crate) type Slot = u32;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(super) slot: Slot,
    /// The list entry, shared with the lists.
    pub(crate) bead: Arc<Bead>,
    /// The dependencies that block.
    pub(super) edges: Vec<Edge>,
    /// A hash of the long text and comments, which are not kept; in a `LineTable`, of the whole line. A changed
    /// hash marks the bead as changed.
    pub(crate) texts: u64,
    system: bool,
    pinned: bool,
}

impl Entry {
    /// The entry of a row, without the data that depends on other rows.
    pub(crate) fn of(row: Row) -> Entry {
        let (bead, texts) = (Arc::new(bead_of(&row)), texts(&row));
        let mut edges = row.depends_on;
        edges.retain(Edge::blocks);
        edges.shrink_to_fit();
        Entry { slot: 0, bead, edges, texts, system: row.system, pinned: row.pinned }
    }

    /// The sort key of lists.
    pub(super) fn key(&self) -> (u8, Option<Timestamp>, &BeadId) {
        (self.bead.priority, self.bead.created_at, &self.bead.id)
    }

    /// The sort key with the slot instead of the id, which is cheap to compare.
    pub(super) fn short_key(&self) -> (u8, Option<(i64, u32)>, Slot) {
        let created = self.bead.created_at.map(|at| (at.timestamp(), at.timestamp_subsec_nanos()));
        (self.bead.priority, created, self.slot)
    }

    /// Copies the data that depends on other beads from an earlier state.
    pub(super) fn take_derived(&mut self, old: &Entry) {
        let (bead, old) = (Arc::make_mut(&mut self.bead), &old.bead);
        bead.ready = old.ready;
        bead.blocked_by.clone_from(&old.blocked_by);
        bead.unblocks.clone_from(&old.unblocks);
        bead.not_ready.clone_from(&old.not_ready);
    }

    /// Whether the other state has the same links to other beads.
    pub(super) fn links_as(&self, other: &Entry) -> bool {
        self.bead.parent == other.bead.parent && self.edges == other.edges
    }

    /// Whether the other state, with the same links, affects other beads in the same way.
    pub(super) fn affects_as(&self, other: &Entry) -> bool {
        self.blocks() == other.blocks()
            && self.bead.title == other.bead.title
            && self.bead.issue_type == other.bead.issue_type
            && self.bead.defer_until == other.bead.defer_until
    }
}

/// A hash of the text, valid only in this process.
fn texts(row: &Row) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&row.description, &row.design, &row.acceptance_criteria, &row.notes, &row.external_ref)
        .hash(&mut hasher);
    for comment in &row.comments {
        (&comment.id, &comment.text).hash(&mut hasher);
    }
    hasher.finish()
}

impl Facts for Entry {
    fn id(&self) -> &BeadId {
        &self.bead.id
    }
    fn title(&self) -> &str {
        &self.bead.title
    }
    fn issue_type(&self) -> &str {
        &self.bead.issue_type
    }
    fn state(&self) -> &BeadStatus {
        &self.bead.status
    }
    fn assignee(&self) -> Option<&str> {
        self.bead.assignee.as_deref()
    }
    fn parent(&self) -> Option<&BeadId> {
        self.bead.parent.as_ref()
    }
    fn edges(&self) -> &[Edge] {
        &self.edges
    }
    fn defer_until(&self) -> Option<Timestamp> {
        self.bead.defer_until
    }
    fn is_system(&self) -> bool {
        self.system
    }
    fn is_pinned(&self) -> bool {
        self.pinned
    }
}
