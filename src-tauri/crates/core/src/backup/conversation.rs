//! A session's messages in a backup.

use super::Record;
use std::collections::HashMap;

/// Messages in order, one per id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    lines: Vec<Record>,
}

impl Conversation {
    /// Creates a conversation from these messages. A later message with the same id replaces the earlier one;
    /// messages without an id are dropped.
    pub fn of(lines: impl IntoIterator<Item = Record>) -> Conversation {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut all: Vec<Record> = Vec::new();
        for line in lines {
            let Some(id) = id_of(&line).map(str::to_owned) else { continue };
            match places.get(&id) {
                Some(&place) => all[place] = line,
                None => {
                    places.insert(id, all.len());
                    all.push(line);
                }
            }
        }
        Conversation { lines: all }
    }

    /// Parses `messages.jsonl`; lines that are not JSON objects with an id are dropped.
    pub fn parse(bytes: &[u8]) -> Conversation {
        let lines = bytes.split(|byte| *byte == b'\n');
        Conversation::of(lines.filter_map(|line| serde_json::from_slice::<Record>(line).ok()))
    }

    /// Renders the file's content.
    pub fn render(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for line in &self.lines {
            serde_json::to_writer(&mut text, line).expect("a record has string keys");
            text.push(b'\n');
        }
        text
    }

    /// Merges both conversations in the order of the longer one, followed by the messages that only the
    /// shorter one has. If both have a message with the same id, the newcomer's message wins.
    pub fn with(self, newcomer: Conversation) -> Conversation {
        let (first, second) = match newcomer.lines.len() >= self.lines.len() {
            true => (newcomer, self),
            false => {
                let theirs: HashMap<_, _> = newcomer.lines.iter().map(|line| (id_of(line), line)).collect();
                let lines = self.lines.into_iter().map(|line| {
                    let other = theirs.get(&id_of(&line)).map(|other| (*other).clone());
                    other.unwrap_or(line)
                });
                (Conversation { lines: lines.collect() }, newcomer)
            }
        };
        let rest = second.beyond(&first);
        Conversation { lines: first.lines.into_iter().chain(rest).collect() }
    }

    /// The messages that `other` lacks.
    pub fn beyond(&self, other: &Conversation) -> Vec<Record> {
        let known: std::collections::HashSet<_> = other.lines.iter().map(id_of).collect();
        self.lines.iter().filter(|line| !known.contains(&id_of(line))).cloned().collect()
    }
}

fn id_of(line: &Record) -> Option<&str> {
    line.get("id")?.as_str()
}
