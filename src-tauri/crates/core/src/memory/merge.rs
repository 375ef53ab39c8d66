//! Finds duplicate memories and merges them.

use super::{MemoryEntry, MemoryLink, filter::distinct};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The minimum percentage of shared words for two memories to count as duplicates.
const ALIKE: usize = 80;
/// A word in more memories than this does not indicate a duplicate.
const RARE: usize = 40;

/// The result of merging several memories.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The text of all merged memories, without repetitions.
    pub content: String,
    /// The tags of all merged memories.
    pub tags: Vec<String>,
    /// The highest importance of the merged memories.
    pub importance: u8,
    /// The links of all merged memories, except links between them.
    pub links: Vec<MemoryLink>,
}

/// Merges memories: the text of the first, followed by the lines that only the others have.
pub fn merged(memories: &[(&MemoryEntry, &str)]) -> Merged {
    let mut content = String::new();
    let mut known: HashSet<&str> = HashSet::new();
    for (at, (_, text)) in memories.iter().enumerate() {
        let new: Vec<&str> = match at {
            0 => text.trim_end().lines().collect(),
            // Text that is already included adds nothing; other text adds only its new lines. Blank lines
            // stay, so that paragraphs stay separate.
            _ if content.contains(text.trim()) => continue,
            _ => text
                .trim()
                .lines()
                .filter(|line| line.trim().is_empty() || !known.contains(line.trim()))
                .collect(),
        };
        known.extend(new.iter().map(|line| line.trim()).filter(|line| !line.is_empty()));
        let new = new.join("\n");
        if !new.trim().is_empty() {
            if !content.is_empty() {
                content.push_str("\n\n");
            }
            content.push_str(if at == 0 { &new } else { new.trim() });
        }
    }
    let ids: HashSet<_> = memories.iter().map(|(memory, _)| &memory.id).collect();
    let tags = distinct(memories.iter().flat_map(|(memory, _)| memory.tags.iter().cloned()));
    let links = memories.iter().flat_map(|(memory, _)| &memory.links);
    let links = distinct(links.filter(|link| !ids.contains(&link.id)).cloned());
    let importance = memories.iter().map(|(memory, _)| memory.importance).max().unwrap_or(5);
    Merged { content, tags, importance, links }
}

/// Groups of memories with nearly the same words, by index, oldest first.
pub fn duplicates(memories: &[(&MemoryEntry, &str)]) -> Vec<Vec<usize>> {
    let words: Vec<HashSet<String>> = memories.iter().map(|(_, text)| words(text)).collect();
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, words) in words.iter().enumerate() {
        for word in words {
            places.entry(word).or_default().push(at);
        }
    }
    let mut leader: Vec<usize> = (0..memories.len()).collect();
    for at in 0..memories.len() {
        // Duplicates share nearly all words, so it is enough to compare memories that share a rare word.
        let mut rare: Vec<&Vec<usize>> =
            words[at].iter().filter_map(|word| places.get(word.as_str())).collect();
        rare.sort_by_key(|places| places.len());
        let near = rare.iter().take(words[at].len() / 4 + 1).filter(|places| places.len() <= RARE);
        let near: HashSet<usize> = near.flat_map(|places| places.iter().copied()).collect();
        for other in near.into_iter().filter(|&other| other < at) {
            if alike(&words[at], &words[other]) {
                let (a, b) = (root(&leader, at), root(&leader, other));
                leader[a.max(b)] = a.min(b);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..memories.len() {
        groups.entry(root(&leader, at)).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_by_key(|&at| (memories[at].0.created_at, at));
    }
    groups
}

fn root(leader: &[usize], mut at: usize) -> usize {
    while leader[at] != at {
        at = leader[at];
    }
    at
}

fn alike(a: &HashSet<String>, b: &HashSet<String>) -> bool {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    all > 0 && shared * 100 >= all * ALIKE
}

fn words(text: &str) -> HashSet<String> {
    // Very long text is not compared completely.
    crate::text::head(text, 20_000)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
