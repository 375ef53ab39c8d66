//! Ranks memories by importance, scope, recency, and words that they share with the work.

use super::MemoryEntry;
use crate::{Timestamp, ids::BeadId};
use std::collections::HashSet;

/// The number of days without access that halve a memory's recency.
const HALF_LIFE_DAYS: f64 = 30.0;
/// Words that are too common to indicate a relation.
const COMMON: [&str; 20] = [
    "the", "and", "for", "with", "that", "this", "from", "are", "was", "not", "has", "have", "into", "its",
    "when", "use", "all", "but", "can", "will",
];

/// The work for which memories are ranked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Focus {
    pub bead: Option<BeadId>,
    /// The bead's parent, if it has one. The parent's other children are recognized by their ids.
    pub epic: Vec<BeadId>,
    /// The text of the work, such as the titles of the bead and its parent.
    pub text: String,
}

/// How closely a memory relates to the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Learned on a bead outside the epic.
    Elsewhere,
    /// Not related to a bead.
    Project,
    /// Learned on the epic or another of its beads.
    Epic,
    /// Learned on this bead.
    Bead,
}

/// The scope of a memory, relative to the work.
pub fn scope(memory: &MemoryEntry, focus: &Focus) -> Scope {
    match &memory.bead_id {
        None => Scope::Project,
        Some(bead) if focus.bead.as_ref() == Some(bead) => Scope::Bead,
        Some(bead) if focus.epic.iter().any(|epic| is_part(bead, epic)) => Scope::Epic,
        Some(_) => Scope::Elsewhere,
    }
}

/// Whether `bead` is the epic or, by its id, one of the epic's descendants.
fn is_part(bead: &BeadId, epic: &BeadId) -> bool {
    bead.as_str().strip_prefix(epic.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The indexes of the memories, the highest score first. Ties are ordered by time, newest first, then by key,
/// so that the order is stable.
pub fn rank(memories: &[MemoryEntry], focus: &Focus, now: Timestamp) -> Vec<usize> {
    let wanted = significant(&focus.text);
    let scores: Vec<f64> = memories.iter().map(|memory| score(memory, focus, &wanted, now)).collect();
    let mut order: Vec<usize> = (0..memories.len()).collect();
    order.sort_by(|&a, &b| {
        let (first, second) = (&memories[a], &memories[b]);
        scores[b]
            .total_cmp(&scores[a])
            .then_with(|| second.updated_at.cmp(&first.updated_at))
            .then_with(|| first.key.cmp(&second.key))
    });
    order
}

fn score(memory: &MemoryEntry, focus: &Focus, wanted: &HashSet<String>, now: Timestamp) -> f64 {
    let importance = f64::from(memory.importance.clamp(1, 10)) / 10.0;
    let near = match scope(memory, focus) {
        Scope::Bead => 1.0,
        Scope::Epic => 0.7,
        Scope::Project => 0.5,
        Scope::Elsewhere => 0.15,
    };
    let age = memory.accessed_at.or(memory.updated_at).map_or(f64::INFINITY, |at| {
        // A time in the future counts as now.
        (now - at).num_minutes().max(0) as f64 / (24.0 * 60.0)
    });
    let recent = 0.5f64.powf(age / HALF_LIFE_DAYS);
    0.45 * importance + 0.25 * near + 0.1 * recent + 0.2 * relevance(memory, wanted)
}

/// The number of a memory's words that occur in the work, as a value from 0 to 1. Three or more words give 1.
fn relevance(memory: &MemoryEntry, wanted: &HashSet<String>) -> f64 {
    if wanted.is_empty() {
        return 0.0;
    }
    let tags = memory.tags.join(" ");
    let text = format!("{} {} {} {tags}", memory.title, memory.key, memory.excerpt);
    let shared = significant(&text).intersection(wanted).count().min(3);
    f64::from(u8::try_from(shared).expect("at most three")) / 3.0
}

fn significant(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 3)
        .map(str::to_lowercase)
        .filter(|word| !COMMON.contains(&word.as_str()))
        .collect()
}
