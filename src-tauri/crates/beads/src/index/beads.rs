//! The data of the index.

use super::{entry::Entry, slot::Slot};
use bc_core::{Timestamp, ids::BeadId};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The beads.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// One place for each id that was ever seen.
    pub(super) slots: Vec<Place>,
    /// For each place, the content in which its bead last changed.
    pub(super) changed: Vec<u64>,
    pub(super) by_id: HashMap<BeadId, Slot, RandomState>,
    /// By priority, then oldest first.
    pub(super) order: Vec<Slot>,
    /// The number of the content, counted from the first.
    pub(super) number: u64,
    /// Removed beads, with the content that lacks them for the first time.
    pub(super) removed: Vec<(u64, BeadId)>,
    /// Removals up to this content are forgotten.
    pub(super) forgotten: u64,
    /// When every bead was last up to date.
    pub(super) at: Option<Timestamp>,
    /// The next end of a deferral, or earlier.
    pub(super) next_due: Option<Timestamp>,
}

#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) entry: Option<Entry>,
    /// Links of other beads to this id, which may be missing.
    pub(super) links: Option<Box<Incoming>>,
}

#[derive(Debug, Default)]
pub(super) struct Incoming {
    pub(super) children: Vec<Slot>,
    pub(super) waiting: Vec<Slot>,
}
