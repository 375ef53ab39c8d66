//! All beads of a tracker in memory. With `Readiness::Rules`, a small change recomputes only the beads that
//! it affects. Each change creates a new content: a numbered version of the list. Each bead has the number of
//! the content in which its list entry last changed, so that clients get only the changes that they lack.
//!
//! Invariant: the beads equal those of a [`Graph`](crate::graph::Graph) over all rows at the same time.

mod affected;
mod answer;
mod beads;
mod entry;

pub(crate) use beads::Index;
pub(crate) use entry::{Entry, Slot};

use crate::{
    readiness::{Derived, Links},
    row::Row,
};
use affected::Spread;
use bc_core::{Timestamp, ids::BeadId};
use beads::{Incoming, Place};
use std::{collections::HashSet, sync::Arc};

/// If more beads than this change at once, all beads are sorted and computed again.
const FEW: usize = 64;
/// The maximum number of removals to keep.
const MOST_REMOVED: usize = 10_000;

/// Where the readiness of beads comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Readiness<'a> {
    /// The rules of this crate (see `readiness`).
    Rules,
    /// The ready beads that the tracker's program reported.
    Program(&'a HashSet<BeadId>),
}

impl Index {
    /// The number of the current content; 0 before the first.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The slot of a bead, created if the id is new.
    pub(crate) fn slot(&mut self, id: &BeadId) -> Slot {
        if let Some(&slot) = self.by_id.get(id) {
            return slot;
        }
        let slot = Slot::try_from(self.slots.len()).expect("a file of 512 MiB has fewer beads");
        self.slots.push(Place::default());
        self.changed.push(0);
        self.by_id.insert(id.clone(), slot);
        slot
    }

    pub(crate) fn entry(&self, slot: Slot) -> Option<&Entry> {
        self.slots[slot as usize].entry.as_ref()
    }

    /// Replaces, adds and removes beads, and creates the next content.
    pub(crate) fn apply(
        &mut self,
        changes: Vec<(Slot, Option<Entry>)>,
        readiness: Readiness<'_>,
        now: Timestamp,
    ) {
        self.number += 1;
        let mut spread = Spread::default();
        let few = changes.len() <= FEW;
        for (slot, entry) in changes {
            self.replace(slot, entry, few, &mut spread);
        }
        if !few {
            self.sort();
        }
        self.end_deferrals(&mut spread, now);
        match readiness {
            Readiness::Rules => {
                let affected = if few { self.affected(spread) } else { self.all() };
                for slot in affected {
                    self.derive(slot, now, |index, entry| index.is_ready(entry, now));
                }
            }
            Readiness::Program(ready) => {
                for slot in self.all() {
                    self.derive(slot, now, |_, entry| ready.contains(&entry.bead.id));
                }
            }
        }
        if self.removed.len() > MOST_REMOVED {
            let mut forgotten = self.removed.drain(..MOST_REMOVED / 2);
            self.forgotten = forgotten.next_back().map_or(self.forgotten, |(number, _)| number);
        }
    }

    /// Replaces all beads with these rows and the readiness that the tracker's program reported, and creates
    /// the next content.
    pub(crate) fn replace_all(&mut self, rows: Vec<Row>, ready: &HashSet<BeadId>, now: Timestamp) {
        let mut listed = vec![false; self.slots.len()];
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let slot = self.slot(&row.id);
            listed.resize(self.slots.len(), false);
            listed[slot as usize] = true;
            changes.push((slot, Some(Entry::of(row))));
        }
        for entry in self.slots.iter().filter_map(|place| place.entry.as_ref()) {
            if !listed[entry.slot as usize] {
                changes.push((entry.slot, None));
            }
        }
        self.apply(changes, Readiness::Program(ready), now);
    }

    /// Whether a deferral has ended since the last content.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.next_due.is_some_and(|due| due <= now)
    }

    /// Creates the next content if deferrals have ended since the last one.
    pub(crate) fn pass_time(&mut self, now: Timestamp) {
        if self.is_due(now) {
            self.apply(Vec::new(), Readiness::Rules, now);
        }
    }

    /// Replaces a bead, except for the data that depends on other beads. `sorted` keeps the order up to date.
    fn replace(&mut self, slot: Slot, entry: Option<Entry>, sorted: bool, spread: &mut Spread) {
        let at = slot as usize;
        let old = self.slots[at].entry.as_ref();
        let keeps_position = match (old, &entry) {
            (None, None) => return,
            (Some(old), Some(new)) => old.key() == new.key(),
            _ => false,
        };
        if sorted && !keeps_position && old.is_some() {
            let position = self.position(slot);
            self.order.remove(position);
        }
        let old = self.slots[at].entry.take();
        let Some(mut new) = entry else {
            let old = old.expect("one of the two is Some");
            self.removed.push((self.number, old.bead.id.clone()));
            self.unlink(&old, spread);
            spread.changed(slot, true);
            return;
        };
        new.slot = slot;
        if let Some(due) = new.bead.defer_until {
            self.next_due = Some(self.next_due.map_or(due, |next| next.min(due)));
        }
        match old {
            Some(old) => {
                new.take_derived(&old);
                if new.bead != old.bead || new.texts != old.texts {
                    self.changed[at] = self.number;
                }
                let links = !old.links_as(&new);
                if links {
                    self.unlink(&old, spread);
                    self.link(&new, spread);
                }
                spread.changed(slot, links || !old.affects_as(&new));
            }
            None => {
                self.changed[at] = self.number;
                self.link(&new, spread);
                spread.changed(slot, true);
            }
        }
        self.slots[at].entry = Some(new);
        if sorted && !keeps_position {
            let position = self.position(slot);
            self.order.insert(position, slot);
        }
    }

    fn link(&mut self, entry: &Entry, spread: &mut Spread) {
        if let Some(parent) = &entry.bead.parent {
            let parent = self.slot(parent);
            self.incoming(parent).children.push(entry.slot);
            spread.parents.push(parent);
        }
        for edge in &entry.edges {
            let target = self.slot(&edge.id);
            let waiting = &mut self.incoming(target).waiting;
            // Two edges to the same bead count once.
            if waiting.last() != Some(&entry.slot) {
                waiting.push(entry.slot);
            }
            spread.targets.push(target);
        }
    }

    fn unlink(&mut self, entry: &Entry, spread: &mut Spread) {
        if let Some(parent) = &entry.bead.parent {
            let parent = self.slot(parent);
            self.incoming(parent).children.retain(|child| *child != entry.slot);
            spread.parents.push(parent);
        }
        for edge in &entry.edges {
            let target = self.slot(&edge.id);
            self.incoming(target).waiting.retain(|waiting| *waiting != entry.slot);
            spread.targets.push(target);
        }
    }

    fn incoming(&mut self, slot: Slot) -> &mut Incoming {
        self.slots[slot as usize].links.get_or_insert_default()
    }

    fn all(&self) -> Vec<Slot> {
        (0..Slot::try_from(self.slots.len()).expect("as in slot()")).collect()
    }

    /// The bead's position in the order, or the position at which to insert it.
    fn position(&self, slot: Slot) -> usize {
        let of = |slot: Slot| self.entry(slot).expect("only beads are in the order").key();
        let key = of(slot);
        self.order.partition_point(|other| of(*other) < key)
    }

    fn sort(&mut self) {
        // Comparing the beads themselves would read them in random order.
        let entries = self.slots.iter().filter_map(|place| place.entry.as_ref());
        let mut keyed: Vec<_> = entries.map(Entry::short_key).collect();
        keyed.sort_unstable_by(|a, b| {
            let id = |slot: Slot| self.entry(slot).map(|entry| &entry.bead.id);
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| id(a.2).cmp(&id(b.2)))
        });
        self.order.clear();
        self.order.extend(keyed.into_iter().map(|(_, _, slot)| slot));
    }

    /// Adds the beads with ended deferrals to `spread`, because the end also affects their descendants.
    fn end_deferrals(&mut self, spread: &mut Spread, now: Timestamp) {
        let last = self.at.replace(now);
        if self.next_due.is_none_or(|due| due > now) {
            return;
        }
        let mut next: Option<Timestamp> = None;
        for entry in self.slots.iter().filter_map(|place| place.entry.as_ref()) {
            match entry.bead.defer_until {
                Some(due) if due > now => next = Some(next.map_or(due, |next| next.min(due))),
                Some(due) if last.is_none_or(|last| due > last) => spread.changed(entry.slot, true),
                _ => {}
            }
        }
        self.next_due = next;
    }

    fn derive(&mut self, slot: Slot, now: Timestamp, ready: impl Fn(&Index, &Entry) -> bool) {
        let Some(entry) = self.entry(slot) else { return };
        let derived = self.derived(entry, ready(self, entry), now);
        let at = slot as usize;
        let entry = self.slots[at].entry.as_mut().expect("checked above");
        let Derived { ready, blocked_by, unblocks, not_ready } = derived;
        let bead = &entry.bead;
        let is_same = (bead.ready, &bead.blocked_by, &bead.unblocks, &bead.not_ready)
            == (ready, &blocked_by, &unblocks, &not_ready);
        if !is_same {
            let bead = Arc::make_mut(&mut entry.bead);
            (bead.ready, bead.blocked_by, bead.unblocks, bead.not_ready) =
                (ready, blocked_by, unblocks, not_ready);
            self.changed[at] = self.number;
        }
    }
}

impl Links for Index {
    type Node = Entry;

    fn get(&self, id: &BeadId) -> Option<&Entry> {
        self.by_id.get(id).and_then(|slot| self.entry(*slot))
    }

    fn children(&self, of: &BeadId) -> impl Iterator<Item = &Entry> {
        let links = self.by_id.get(of).and_then(|slot| self.slots[*slot as usize].links.as_ref());
        links.into_iter().flat_map(|links| &links.children).filter_map(|slot| self.entry(*slot))
    }

    fn waiting(&self, on: &Entry) -> impl Iterator<Item = &Entry> {
        let links = self.slots[on.slot as usize].links.as_ref();
        links.into_iter().flat_map(|links| &links.waiting).filter_map(|slot| self.entry(*slot))
    }
}
