//! Beads prepared for queries: lower-cased once, not per query.

use super::parse::Has;
use crate::{
    bead::{Bead, BeadDetail},
    ids::BeadId,
};
use std::collections::HashMap;

/// Separates the texts of a bead, so that no word spans two of them.
const BETWEEN: char = '\0';
/// More ancestors than this are a cycle.
const MOST_ANCESTORS: usize = 64;

/// Beads in the tracker's order.
#[derive(Debug, Default)]
pub struct Beads {
    pub(super) entries: Vec<Entry>,
    by_id: HashMap<BeadId, u32>,
    has_texts: bool,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) bead: Bead,
    /// Id, title and, if prepared with texts, description and comments, lower-cased.
    pub(super) text: Box<str>,
    /// The long texts that it has, as bits of [`Has`].
    has: u16,
    /// The place of its parent.
    parent: Option<u32>,
}

impl Beads {
    /// Beads without long texts, for queries that do not need them.
    pub fn of(beads: Vec<Bead>) -> Beads {
        let entry = |bead: Bead| Entry { text: lower(&bead, &[]), has: 0, parent: None, bead };
        Beads::linked(beads.into_iter().map(entry).collect(), false)
    }

    /// Beads with their texts.
    pub fn with_texts(beads: impl IntoIterator<Item = BeadDetail>) -> Beads {
        let entry = |detail: BeadDetail| {
            let mut texts = vec![detail.description.as_str()];
            texts.extend(detail.comments.iter().map(|comment| comment.text.as_str()));
            let text = lower(&detail.bead, &texts);
            let there = [
                (Has::Description, !detail.description.trim().is_empty()),
                (Has::Design, !detail.design.trim().is_empty()),
                (Has::Acceptance, !detail.acceptance_criteria.trim().is_empty()),
                (Has::Notes, !detail.notes.trim().is_empty()),
                (Has::Comments, !detail.comments.is_empty()),
                (Has::Reference, detail.external_ref.is_some()),
            ];
            let has = there.iter().filter(|(_, there)| *there).fold(0, |bits, (has, _)| bits | bit(*has));
            Entry { text, has, parent: None, bead: detail.bead }
        };
        Beads::linked(beads.into_iter().map(entry).collect(), true)
    }

    fn linked(mut entries: Vec<Entry>, has_texts: bool) -> Beads {
        let place = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let by_id: HashMap<BeadId, u32> =
            entries.iter().enumerate().map(|(n, entry)| (entry.bead.id.clone(), place(n))).collect();
        for entry in &mut entries {
            entry.parent = entry.bead.parent.as_ref().and_then(|parent| by_id.get(parent).copied());
        }
        Beads { entries, by_id, has_texts }
    }

    /// Whether they were prepared with texts.
    pub fn has_texts(&self) -> bool {
        self.has_texts
    }

    /// The number of beads.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The beads in order.
    pub fn iter(&self) -> impl Iterator<Item = &Bead> {
        self.entries.iter().map(|entry| &entry.bead)
    }

    /// One bead.
    pub fn get(&self, id: &BeadId) -> Option<&Bead> {
        self.by_id.get(id).and_then(|place| self.entries.get(*place as usize)).map(|entry| &entry.bead)
    }

    /// The ids of a bead's parent, its parent, and so on. Ends in a cycle of parents.
    pub(super) fn ancestors<'a>(&'a self, entry: &'a Entry) -> impl Iterator<Item = &'a str> {
        let named = |entry: &'a Entry| entry.bead.parent.as_ref().map(|parent| (entry, parent));
        let next =
            move |(entry, _): &(&'a Entry, &'a BeadId)| named(self.entries.get(entry.parent? as usize)?);
        std::iter::successors(named(entry), next).take(MOST_ANCESTORS).map(|(_, parent)| parent.as_str())
    }
}

impl Entry {
    pub(super) fn has(&self, has: Has) -> bool {
        self.has & bit(has) != 0
    }
}

fn bit(has: Has) -> u16 {
    1 << (has as u16)
}

fn lower(bead: &Bead, texts: &[&str]) -> Box<str> {
    let parts = [bead.id.as_str(), bead.title.as_str()];
    let length = parts.iter().chain(texts).map(|part| part.len() + 1).sum();
    let mut all = String::with_capacity(length);
    for part in parts.iter().chain(texts) {
        match part.is_ascii() {
            true => {
                let from = all.len();
                all.push_str(part);
                all[from..].make_ascii_lowercase();
            }
            false => all.push_str(&part.to_lowercase()),
        }
        all.push(BETWEEN);
    }
    all.into_boxed_str()
}
