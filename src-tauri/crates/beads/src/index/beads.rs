//! The data of the index. The other modules of this folder maintain and read it.

use super::entry::{Entry, Slot};
use bc_core::{Timestamp, ids::BeadId};
use foldhash::fast::RandomState;
use std::{collections::HashMap, hash::BuildHasher};

/// All beads of a tracker. Each change creates the next content, which is a numbered version of the list.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(super) name: Name,
    /// One slot for each id that was ever seen.
    pub(super) slots: Vec<Place>,
    /// For each slot, the number of the content in which its bead last changed.
    pub(super) changed: Vec<u64>,
    pub(super) by_id: HashMap<BeadId, Slot, RandomState>,
    /// The slots of the current beads, by priority, then oldest first.
    pub(super) order: Vec<Slot>,
    /// The number of the current content, from 1; 0 before the first.
    pub(super) number: u64,
    /// Removed beads, each with the number of the first content without it.
    pub(super) removed: Vec<(u64, BeadId)>,
    /// Removals up to this content are forgotten.
    pub(super) forgotten: u64,
    /// The time for which the beads were last computed.
    pub(super) at: Option<Timestamp>,
    /// No deferral ends before this time.
    pub(super) next_due: Option<Timestamp>,
}

/// A random number that distinguishes the contents of this index from those of other processes.
#[derive(Debug)]
pub(super) struct Name(pub(super) u64);

impl Default for Name {
    fn default() -> Name {
        Name(std::hash::RandomState::new().hash_one("contents"))
    }
}

#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) entry: Option<Entry>,
    /// Links from other beads to this id, which may have no bead.
    pub(super) links: Option<Box<Incoming>>,
}

#[derive(Debug, Default)]
pub(super) struct Incoming {
    pub(super) children: Vec<Slot>,
    pub(super) waiting: Vec<Slot>,
}
