//! Filters memories by attributes and by words.

use super::{MemoryEntry, MemoryType};

/// Conditions on memories. A memory must match every condition that is set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub agent_id: Option<String>,
    pub memory_type: Option<MemoryType>,
    /// Only memories with at least one of these tags.
    pub tags: Vec<String>,
    pub session_id: Option<String>,
    pub limit: Option<usize>,
    pub forgotten: bool,
}

impl Filter {
    /// Whether a memory matches; the caller applies the limit.
    pub fn lets_through(&self, memory: &MemoryEntry) -> bool {
        let is = |wanted: &Option<String>, has: &Option<String>| wanted.is_none() || wanted == has;
        (self.forgotten || !memory.forgotten)
            && is(&self.agent_id, &memory.agent_id)
            && is(&self.session_id, &memory.session_id)
            && self.memory_type.is_none_or(|kind| kind == memory.memory_type)
            && (self.tags.is_empty() || self.tags.iter().any(|tag| memory.tags.contains(tag)))
    }
}

/// The distinct words of a query, in lower case.
pub fn words(text: &str) -> Vec<String> {
    distinct(text.split_whitespace().map(str::to_lowercase))
}

/// The distinct items, in the order of their first occurrence.
pub(super) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

/// Whether all words occur in a memory: in its key, title, text, tags or agent.
pub fn holds_words(memory: &MemoryEntry, content: &str, words: &[String]) -> bool {
    let mut places = vec![memory.key.to_lowercase(), memory.title.to_lowercase(), content.to_lowercase()];
    places.extend(memory.tags.iter().chain(&memory.agent_id).map(|text| text.to_lowercase()));
    words.iter().all(|word| places.iter().any(|place| place.contains(word)))
}
