//! Lists from the index: all beads, the first of each board column, or the changes since an earlier state.

use super::{
    beads::Index,
    entry::{Entry, Slot},
};
use crate::{
    readiness::Links,
    tracker::{ListFilter, Part, PartialListing, Warning},
};
use bc_core::{
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use std::sync::Arc;

impl Index {
    /// The name of the current content, for [`Part::Since`].
    pub(crate) fn content(&self) -> String {
        format!("{:x}-{}", self.name.0, self.number)
    }

    /// A part of the list.
    pub(crate) fn part(&self, filter: &ListFilter, part: Part<'_>, warnings: Vec<Warning>) -> PartialListing {
        let content = Some(self.content());
        let of = |beads| PartialListing { beads, warnings, content, ..PartialListing::default() };
        match part {
            Part::All => of(self.shared(filter)),
            Part::FirstOfColumns(most) => {
                let (beads, total) = self.first_of_columns(filter, most);
                PartialListing { total: Some(total), ..of(beads) }
            }
            Part::Since(known) => {
                let number = known.strip_prefix(&format!("{:x}-", self.name.0)).and_then(|n| n.parse().ok());
                match number.and_then(|number| self.since(number, filter)) {
                    Some((beads, removed)) => PartialListing { changes_only: true, removed, ..of(beads) },
                    None => of(self.shared(filter)),
                }
            }
        }
    }

    /// The beads that match the filter, by priority, then oldest first.
    pub(crate) fn list(&self, filter: &ListFilter) -> Vec<Bead> {
        self.matching(filter).map(|entry| Bead::clone(&entry.bead)).collect()
    }

    fn shared(&self, filter: &ListFilter) -> Vec<Arc<Bead>> {
        self.matching(filter).map(|entry| Arc::clone(&entry.bead)).collect()
    }

    /// The beads of [`Index::list`], but at most `most` of each column; also the number without this limit.
    fn first_of_columns(&self, filter: &ListFilter, most: usize) -> (Vec<Arc<Bead>>, usize) {
        let mut total = 0;
        let mut counts = [0; 5];
        let mut closed: Vec<&Entry> = Vec::new();
        let mut chosen: Vec<&Entry> = Vec::new();
        for entry in self.matching(filter) {
            total += 1;
            let Some(column) = column(&entry.bead) else { continue };
            if column == CLOSED {
                closed.push(entry);
            } else if counts[column] < most {
                counts[column] += 1;
                chosen.push(entry);
            }
        }
        if closed.len() > most {
            closed.select_nth_unstable_by(most, |a, b| {
                b.bead.closed_at.cmp(&a.bead.closed_at).then_with(|| a.bead.id.cmp(&b.bead.id))
            });
            closed.truncate(most);
        }
        chosen.append(&mut closed);
        chosen.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
        (chosen.into_iter().map(|entry| Arc::clone(&entry.bead)).collect(), total)
    }

    /// The new and changed beads since the content with this number, and the ids of the beads that were removed or
    /// that the filter no longer accepts. `None` if that content or its removals are no longer known.
    fn since(&self, number: u64, filter: &ListFilter) -> Option<(Vec<Arc<Bead>>, Vec<BeadId>)> {
        if number == 0 || number < self.forgotten || number > self.number {
            return None;
        }
        let (mut beads, mut removed) = (Vec::<&Entry>::new(), Vec::new());
        for (slot, _) in self.changed.iter().enumerate().filter(|(_, changed)| **changed > number) {
            let slot = Slot::try_from(slot).expect("as in slot()");
            match self.entry(slot) {
                Some(entry) if filter.accepts(&entry.bead.status, entry, &entry.bead.labels) => {
                    beads.push(entry);
                }
                Some(entry) => removed.push(entry.bead.id.clone()),
                None => {}
            }
        }
        beads.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
        let first = self.removed.partition_point(|(removed, _)| *removed <= number);
        let gone = self.removed[first..].iter().map(|(_, id)| id);
        removed.extend(gone.filter(|id| self.get(id).is_none()).cloned());
        removed.sort();
        removed.dedup();
        Some((beads.into_iter().map(|entry| Arc::clone(&entry.bead)).collect(), removed))
    }

    fn matching(&self, filter: &ListFilter) -> impl Iterator<Item = &Entry> {
        let entries = self.order.iter().filter_map(|slot| self.entry(*slot));
        entries.filter(|entry| filter.accepts(&entry.bead.status, *entry, &entry.bead.labels))
    }
}

/// The column of closed beads. Its first beads are those that were closed last.
const CLOSED: usize = 4;

/// The board column of a bead, as in the UI; `None` for deleted and pinned beads.
fn column(bead: &Bead) -> Option<usize> {
    Some(match bead.status {
        BeadStatus::Tombstone | BeadStatus::Pinned => return None,
        BeadStatus::Closed => CLOSED,
        BeadStatus::InReview => 3,
        BeadStatus::InProgress => 2,
        _ => usize::from(bead.ready),
    })
}
