//! Finds the beads that a change affects. The list entry of a bead depends on its blockers, on the children of the
//! beads that it waits for, on its ancestors and their blockers, and on the beads that wait for it.

use super::{beads::Index, entry::Slot};
use crate::facts::Facts;

/// The changed beads, and the other ends of their links before and after the change.
#[derive(Debug, Default)]
pub(super) struct Spread {
    /// Changed beads that affect only themselves.
    alone: Vec<Slot>,
    /// Changed beads that affect others.
    changed: Vec<Slot>,
    pub(super) parents: Vec<Slot>,
    pub(super) targets: Vec<Slot>,
}

impl Spread {
    pub(super) fn changed(&mut self, slot: Slot, affects_others: bool) {
        if affects_others { self.changed.push(slot) } else { self.alone.push(slot) }
    }
}

struct Found {
    known: Vec<bool>,
    /// For each slot, whether the descendants of its bead are included.
    descended: Vec<bool>,
    list: Vec<Slot>,
}

impl Found {
    fn add(&mut self, slot: Slot) {
        if !std::mem::replace(&mut self.known[slot as usize], true) {
            self.list.push(slot);
        }
    }
}

impl Index {
    pub(super) fn affected(&self, spread: Spread) -> Vec<Slot> {
        let Spread { alone, changed, mut parents, targets } = spread;
        let none = vec![false; self.slots.len()];
        let mut found = Found { known: none.clone(), descended: none, list: Vec::new() };
        for slot in alone.into_iter().chain(targets) {
            found.add(slot);
        }
        for &slot in &changed {
            self.descend(slot, &mut found);
            for &waiting in self.waiting_slots(slot) {
                self.descend(waiting, &mut found);
            }
            // If the bead's links are unchanged, their other ends are not in `parents` and `targets` yet.
            let Some(entry) = self.entry(slot) else { continue };
            parents.extend(entry.parent().and_then(|parent| self.by_id.get(parent)));
            for edge in &entry.edges {
                self.by_id.get(&edge.id).into_iter().for_each(|target| found.add(*target));
            }
        }
        parents.sort_unstable();
        parents.dedup();
        for parent in parents {
            found.add(parent);
            for &waiting in self.waiting_slots(parent) {
                if self
                    .entry(waiting)
                    .is_some_and(|entry| entry.edges.iter().any(|edge| edge.kind == "waits-for"))
                {
                    self.descend(waiting, &mut found);
                }
            }
        }
        found.list
    }

    /// Adds a bead and its descendants.
    fn descend(&self, slot: Slot, found: &mut Found) {
        let mut open = vec![slot];
        while let Some(slot) = open.pop() {
            found.add(slot);
            if !std::mem::replace(&mut found.descended[slot as usize], true)
                && let Some(links) = &self.slots[slot as usize].links
            {
                open.extend_from_slice(&links.children);
            }
        }
    }

    fn waiting_slots(&self, slot: Slot) -> &[Slot] {
        self.slots[slot as usize].links.as_ref().map_or(&[], |links| &links.waiting)
    }
}
