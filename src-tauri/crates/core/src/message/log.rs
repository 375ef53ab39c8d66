//! Combines the lines of `messages.jsonl` into messages.

use super::Message;
use std::collections::HashMap;

/// Messages in order. A later message with the same id replaces the earlier one in its position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MessageLog {
    messages: Vec<Message>,
    places: HashMap<String, usize>,
}

impl MessageLog {
    /// Adds a message, or replaces the message with the same id. Returns its position.
    pub fn push(&mut self, message: Message) -> usize {
        if let Some(&place) = self.places.get(&message.id) {
            self.messages[place] = message;
            return place;
        }
        // A complete message replaces the partial one that was recorded before it.
        if let Some(place) = message.replaces.as_ref().and_then(|id| self.places.remove(id)) {
            self.places.insert(message.id.clone(), place);
            self.messages[place] = message;
            return place;
        }
        let place = self.messages.len();
        self.places.insert(message.id.clone(), place);
        self.messages.push(message);
        place
    }

    /// The message with this id. The id of a replaced partial message is no longer known.
    pub fn get(&self, id: &str) -> Option<&Message> {
        self.places.get(id).map(|&place| &self.messages[place])
    }

    /// Every message, in order.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Consumes the log and returns every message, in order.
    pub fn into_messages(self) -> Vec<Message> {
        self.messages
    }
}

impl Extend<Message> for MessageLog {
    fn extend<T: IntoIterator<Item = Message>>(&mut self, lines: T) {
        for message in lines {
            self.push(message);
        }
    }
}

/// Combines these lines into messages: one per id, with the last line's content and the first line's
/// position.
pub fn fold(lines: impl IntoIterator<Item = Message>) -> Vec<Message> {
    let mut log = MessageLog::default();
    log.extend(lines);
    log.into_messages()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Role;
    use proptest::prelude::*;

    fn message(id: &str, content: &str) -> Message {
        Message::new(id, Role::User, content, chrono::DateTime::UNIX_EPOCH.fixed_offset())
    }

    #[test]
    fn a_later_line_replaces_the_earlier_one_in_place() {
        let folded = fold([message("a", "1"), message("b", "2"), message("a", "3"), message("c", "4")]);
        let shown: Vec<_> = folded.iter().map(|m| (m.id.as_str(), m.content.as_str())).collect();
        assert_eq!(shown, [("a", "3"), ("b", "2"), ("c", "4")]);
    }

    #[test]
    fn a_complete_message_replaces_its_partial_one() {
        let partial = Message { partial: true, ..message("partial-1", "half") };
        let whole = Message { replaces: Some("partial-1".to_owned()), ..message("m", "half and more") };
        let folded = fold([message("a", "1"), partial, message("b", "2"), whole.clone()]);
        let shown: Vec<_> = folded.iter().map(|m| (m.id.as_str(), m.content.as_str())).collect();
        assert_eq!(shown, [("a", "1"), ("m", "half and more"), ("b", "2")]);
        assert_eq!(fold([whole.clone(), whole]).len(), 1);
    }

    #[test]
    fn fields_of_other_versions_survive_a_round_trip() {
        let line = r#"{"id":"a","role":"assistant","content":"x","timestamp":"2026-01-19T10:00:00-06:00","tool_calls":[{"tool":"Bash","input":{"command":"ls","z":1,"a":2},"later":true}],"mood":{"b":1,"a":2}}"#;
        let message: Message = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&message).unwrap(), line);
    }

    proptest! {
        #[test]
        fn folding_keeps_first_positions_and_last_contents(lines in prop::collection::vec((0u8..6, 0u16..), 0..40)) {
            let folded = fold(lines.iter().map(|(id, n)| message(&id.to_string(), &n.to_string())));
            let mut ids: Vec<u8> = vec![];
            for (id, _) in &lines {
                if !ids.contains(id) {
                    ids.push(*id);
                }
            }
            let shown: Vec<_> = folded.iter().map(|m| m.id.clone()).collect();
            prop_assert_eq!(shown, ids.iter().map(u8::to_string).collect::<Vec<_>>());
            for m in &folded {
                let last = lines.iter().rev().find(|(id, _)| id.to_string() == m.id).unwrap();
                prop_assert_eq!(&m.content, &last.1.to_string());
            }
            prop_assert_eq!(fold(folded.clone()), folded);
        }
    }
}
