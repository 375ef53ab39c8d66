//! Proposes memories from a conversation: sentences in which the agent reports a finding or a decision. They
//! are only suggestions for the user.

use super::{MemoryType, derived_key};
use crate::{
    message::{Message, MessageKind, Role},
    text::one_line,
};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The maximum number of proposals, so that a user can review them.
const MOST: usize = 12;
const SHORTEST: usize = 25;
const LONGEST: usize = 400;

/// Lower-case phrases that indicate a finding or a decision, with the type and importance of the proposed
/// memory.
const MARKS: [(&str, MemoryType, u8); 24] = [
    ("root cause", MemoryType::Learning, 7),
    ("turns out", MemoryType::Learning, 6),
    ("turned out", MemoryType::Learning, 6),
    ("the problem was", MemoryType::Learning, 6),
    ("the reason is", MemoryType::Learning, 6),
    ("i found that", MemoryType::Learning, 6),
    ("i learned", MemoryType::Learning, 6),
    ("learned:", MemoryType::Learning, 7),
    ("lesson", MemoryType::Learning, 6),
    ("gotcha", MemoryType::Learning, 7),
    ("caveat", MemoryType::Learning, 6),
    ("beware", MemoryType::Learning, 7),
    ("remember that", MemoryType::Context, 6),
    ("note that", MemoryType::Context, 5),
    ("note:", MemoryType::Context, 5),
    ("important:", MemoryType::Context, 7),
    ("decided to", MemoryType::Decision, 7),
    ("decision:", MemoryType::Decision, 8),
    ("we chose", MemoryType::Decision, 7),
    ("i chose", MemoryType::Decision, 6),
    ("instead of", MemoryType::Decision, 5),
    ("always use", MemoryType::Pattern, 7),
    ("never use", MemoryType::Pattern, 7),
    ("convention", MemoryType::Pattern, 6),
];

/// A proposed memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Proposal {
    pub key: String,
    pub content: String,
    pub memory_type: MemoryType,
    pub importance: u8,
    pub message_id: String,
}

/// The most important proposals from a conversation, at most 12, without memories whose keys are in `known`.
pub fn proposals(messages: &[Message], known: &HashSet<String>) -> Vec<Proposal> {
    let mut found: Vec<Proposal> = Vec::new();
    let mut keys = known.clone();
    let is_agents = |message: &&Message| {
        message.role == Role::Assistant
            && message.subagent.is_none()
            && !matches!(message.kind, Some(MessageKind::ApiError | MessageKind::CompactionSummary))
    };
    for message in messages.iter().filter(is_agents) {
        for sentence in sentences(&message.content) {
            let lower = sentence.to_lowercase();
            let Some((_, memory_type, importance)) = MARKS.iter().find(|(mark, ..)| lower.contains(mark))
            else {
                continue;
            };
            let key = derived_key(&sentence);
            if keys.insert(key.clone()) {
                let (memory_type, importance, message_id) = (*memory_type, *importance, message.id.clone());
                found.push(Proposal { key, content: sentence, memory_type, importance, message_id });
            }
        }
    }
    // Equally important proposals keep the conversation's order.
    found.sort_by_key(|proposal| std::cmp::Reverse(proposal.importance));
    found.truncate(MOST);
    found
}

/// The sentences of 25 to 400 characters outside code blocks.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        if in_code || is_fence {
            continue;
        }
        let line = one_line(line);
        let line = line.trim_start_matches(['-', '*', '#', '>', ' ']);
        let mut start = 0;
        for (at, c) in line.char_indices() {
            let after = at + c.len_utf8();
            let ends = matches!(c, '.' | '!' | '?') && line[after..].starts_with(' ');
            if ends || after == line.len() {
                let sentence = line[start..after].trim();
                if (SHORTEST..=LONGEST).contains(&sentence.chars().count()) {
                    found.push(sentence.to_owned());
                }
                start = after;
            }
        }
    }
    found
}
