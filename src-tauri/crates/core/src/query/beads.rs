//! Beads prepared for queries: their text is lower-cased once, not for each query.

use super::parse::Has;
use crate::{
    bead::{Bead, BeadDetail},
    ids::BeadId,
};
use std::{collections::HashMap, sync::Arc};

/// Separates a bead's text fields, so that no word spans two of them.
const BETWEEN: char = '\0';
/// The maximum number of a bead's ancestors. A longer chain is taken for a cycle.
const MOST_ANCESTORS: usize = 64;

/// The beads of a project in the tracker's order.
#[derive(Debug, Default)]
pub struct Beads {
    pub(super) entries: Vec<Entry>,
    by_id: HashMap<BeadId, u32>,
    has_texts: bool,
}

/// Bead data that queries search but that lists of beads omit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    pub description: String,
    pub comments: Vec<String>,
    pub design: bool,
    pub acceptance: bool,
    pub notes: bool,
    /// Whether the bead has a reference in another system.
    pub reference: bool,
}

impl Texts {
    /// Extracts the searched text from a bead's details.
    pub fn of(detail: &BeadDetail) -> Texts {
        let has = |text: &str| !text.trim().is_empty();
        Texts {
            description: detail.description.clone(),
            comments: detail.comments.iter().map(|comment| comment.text.clone()).collect(),
            design: has(&detail.design),
            acceptance: has(&detail.acceptance_criteria),
            notes: has(&detail.notes),
            reference: detail.external_ref.as_deref().is_some_and(has),
        }
    }

    fn bits(&self) -> u16 {
        let present = [
            (Has::Description, !self.description.trim().is_empty()),
            (Has::Design, self.design),
            (Has::Acceptance, self.acceptance),
            (Has::Notes, self.notes),
            (Has::Comments, !self.comments.is_empty()),
            (Has::Reference, self.reference),
        ];
        present.into_iter().filter(|(_, present)| *present).fold(0, |bits, (has, _)| bits | bit(has))
    }
}

#[derive(Debug)]
pub(super) struct Entry {
    /// The bead, shared with the list from which the entries were made.
    pub(super) bead: Arc<Bead>,
    /// Id, title and, if prepared with text, description and comments, lower-cased. Empty until prepared.
    pub(super) text: Box<str>,
    /// The kinds of long text that the bead has, as bits of [`Has`].
    has: u16,
    /// The position of the parent among the entries.
    parent: Option<u32>,
}

impl Beads {
    /// Prepares beads without long text, for queries that do not need it.
    pub fn of(beads: Vec<Arc<Bead>>) -> Beads {
        let mut prepared = Beads::linked(beads);
        prepared.prepare_rest();
        prepared
    }

    /// Prepares beads with their text. `read` passes it bead by bead, because all text at once would
    /// take as much memory as the prepared beads. If `read` passes a bead twice, the later text replaces the
    /// earlier one.
    pub fn with_texts<E>(
        beads: Vec<Arc<Bead>>,
        read: impl FnOnce(&mut dyn FnMut(BeadId, Texts)) -> Result<(), E>,
    ) -> Result<Beads, E> {
        let mut prepared = Beads { has_texts: true, ..Beads::linked(beads) };
        let Beads { entries, by_id, .. } = &mut prepared;
        read(&mut |id, texts| {
            if let Some(place) = by_id.get(&id) {
                entries[*place as usize].prepare(&texts);
            }
        })?;
        prepared.prepare_rest();
        Ok(prepared)
    }

    /// Creates entries with their parents but without prepared text.
    fn linked(beads: Vec<Arc<Bead>>) -> Beads {
        let entry = |bead: Arc<Bead>| Entry { text: Box::default(), has: 0, parent: None, bead };
        let mut entries: Vec<Entry> = beads.into_iter().map(entry).collect();
        let place = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let by_id: HashMap<BeadId, u32> =
            entries.iter().enumerate().map(|(n, entry)| (entry.bead.id.clone(), place(n))).collect();
        for entry in &mut entries {
            entry.parent = entry.bead.parent.as_ref().and_then(|parent| by_id.get(parent).copied());
        }
        Beads { entries, by_id, has_texts: false }
    }

    fn prepare_rest(&mut self) {
        let none = Texts::default();
        self.entries.iter_mut().filter(|entry| entry.text.is_empty()).for_each(|entry| entry.prepare(&none));
    }

    /// Replaces changed beads. Returns false and changes nothing if a bead is new, was removed, or has
    /// another priority, creation time or parent. All beads must then be prepared again.
    pub fn update(&mut self, changed: &[(Arc<Bead>, Texts)], removed: &[BeadId]) -> bool {
        let stays = |bead: &Bead| {
            self.get(&bead.id).is_some_and(|known| {
                (known.priority, known.created_at, &known.parent)
                    == (bead.priority, bead.created_at, &bead.parent)
            })
        };
        if removed.iter().any(|id| self.get(id).is_some()) || !changed.iter().all(|(bead, _)| stays(bead)) {
            return false;
        }
        for (bead, texts) in changed {
            let entry = &mut self.entries[self.by_id[&bead.id] as usize];
            entry.bead = Arc::clone(bead);
            entry.prepare(texts);
        }
        true
    }

    /// Whether the beads were prepared with text.
    pub fn has_texts(&self) -> bool {
        self.has_texts
    }

    /// The number of beads.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no beads.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The beads in the tracker's order.
    pub fn iter(&self) -> impl Iterator<Item = &Bead> {
        self.entries.iter().map(|entry| entry.bead.as_ref())
    }

    /// The bead with this id.
    pub fn get(&self, id: &BeadId) -> Option<&Bead> {
        self.entries.get(*self.by_id.get(id)? as usize).map(|entry| entry.bead.as_ref())
    }

    /// The ids of a bead's ancestors, its parent first. Their number is limited, because parents can form a
    /// cycle.
    pub(super) fn ancestors<'a>(&'a self, entry: &'a Entry) -> impl Iterator<Item = &'a str> {
        let named = |entry: &'a Entry| entry.bead.parent.as_ref().map(|parent| (entry, parent));
        let next =
            move |(entry, _): &(&'a Entry, &'a BeadId)| named(self.entries.get(entry.parent? as usize)?);
        std::iter::successors(named(entry), next).take(MOST_ANCESTORS).map(|(_, parent)| parent.as_str())
    }
}

impl Entry {
    fn prepare(&mut self, texts: &Texts) {
        (self.text, self.has) = (lower(&self.bead, texts), texts.bits());
    }

    pub(super) fn has(&self, has: Has) -> bool {
        self.has & bit(has) != 0
    }
}

fn bit(has: Has) -> u16 {
    1 << (has as u16)
}

fn lower(bead: &Bead, texts: &Texts) -> Box<str> {
    let parts = [bead.id.as_str(), bead.title.as_str(), texts.description.as_str()];
    let parts = parts.into_iter().chain(texts.comments.iter().map(String::as_str));
    let mut all = String::with_capacity(parts.clone().map(|part| part.len() + 1).sum());
    for part in parts {
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
