//! The messages of a session, by their ids.

use super::Record;
use serde_json::Value;
use std::collections::HashMap;

/// What was said, in order, each id once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    lines: Vec<Record>,
}

impl Conversation {
    /// These messages. A later one of an id takes the earlier one's place; without an id it is none.
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

    /// Those of a file.
    pub fn parse(bytes: &[u8]) -> Conversation {
        let lines = bytes.split(|byte| *byte == b'\n');
        Conversation::of(lines.filter_map(|line| serde_json::from_slice::<Record>(line).ok()))
    }

    /// The file.
    pub fn render(&self) -> Vec<u8> {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&Value::Object(line.clone()).to_string());
            text.push('\n');
        }
        text.into_bytes()
    }

    /// Both sides' messages: in the order of the longer one, and then what only the other one has. Where both
    /// have a message, the newcomer's counts.
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

    /// The messages that the other one has not.
    pub fn beyond(&self, other: &Conversation) -> Vec<Record> {
        let known: std::collections::HashSet<_> = other.lines.iter().map(id_of).collect();
        self.lines.iter().filter(|line| !known.contains(&id_of(line))).cloned().collect()
    }
}

fn id_of(line: &Record) -> Option<&str> {
    line.get("id")?.as_str()
}
