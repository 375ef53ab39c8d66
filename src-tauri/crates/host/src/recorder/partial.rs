//! Shown text of replies that are not in claude's transcript yet.
//!
//! Claude writes a message to its transcript only when the message is complete; if claude is killed earlier,
//! the text is lost. Therefore the recorder keeps the parts that claude's `MessageDisplay` hook reports, in
//! memory and in a file of the session, until a recorded message contains their text. When claude has exited
//! or starts another turn, the remaining text becomes messages that are marked as partial.

use bc_core::{
    Timestamp,
    message::{Message, Role},
};
use bc_store::{SessionDir, file};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// The prefix of partial message ids.
const PARTIAL: &str = "partial-";

/// The maximum number of incomplete replies; the oldest are dropped. A reply is complete within moments of
/// its last part.
const SHOWN_MAX: usize = 16;

/// A shown part of a reply.
#[derive(Debug)]
pub(crate) struct Displayed {
    /// The message's id, which differs from the id in the transcript.
    pub(crate) message: String,
    /// The number of the part. Parts may arrive out of order.
    pub(crate) index: u64,
    pub(crate) text: String,
    /// The subagent that wrote the reply, if any.
    pub(crate) subagent: Option<String>,
    /// When the part was shown.
    pub(crate) at: Timestamp,
}

/// The shown parts of one reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Shown {
    id: String,
    at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subagent: Option<String>,
    pieces: BTreeMap<u64, String>,
}

impl Shown {
    fn text(&self) -> String {
        self.pieces.values().map(String::as_str).collect()
    }

    fn is_in(&self, message: &Message) -> bool {
        message.subagent == self.subagent && squeezed(&message.content).contains(&squeezed(&self.text()))
    }
}

/// The shown parts of all replies; see the [module](self).
#[derive(Debug, Default)]
pub(super) struct Partials {
    shown: Vec<Shown>,
    /// Recorded partial messages that a complete message may replace.
    recorded: Vec<Message>,
    changed: bool,
}

impl Partials {
    /// Loads the file of an earlier run.
    pub(super) fn open(dir: &SessionDir, messages: &[Message]) -> Partials {
        let bytes = file::read(&path(dir)).ok().flatten().unwrap_or_default();
        let shown = serde_json::from_slice(&bytes).unwrap_or_default();
        let recorded = messages.iter().filter(|message| message.partial).cloned().collect();
        Partials { shown, recorded, changed: false }
    }

    /// Adds a shown part. If there are more than [`SHOWN_MAX`] replies, the oldest one is dropped.
    pub(super) fn add(&mut self, piece: Displayed) {
        let Displayed { message, index, text, subagent, at } = piece;
        if !self.shown.iter().any(|shown| shown.id == message) {
            self.shown.push(Shown { id: message.clone(), at, subagent, pieces: BTreeMap::new() });
        }
        if let Some(shown) = self.shown.iter_mut().find(|shown| shown.id == message) {
            shown.pieces.insert(index, text);
        }
        let surplus = self.shown.len().saturating_sub(SHOWN_MAX);
        self.shown.drain(..surplus);
        self.changed = true;
    }

    /// Drops the shown text of a message that is now in the transcript. If a partial message was recorded for
    /// it, `message` replaces the partial message.
    pub(super) fn arrived(&mut self, message: &mut Message) {
        let before = self.shown.len();
        self.shown.retain(|shown| !shown.is_in(message));
        self.changed |= self.shown.len() != before;
        let text = squeezed(&message.content);
        let is_whole = |partial: &Message| {
            message.role == Role::Assistant
                && !message.partial
                && partial.subagent == message.subagent
                && text.contains(&squeezed(&partial.content))
        };
        if let Some(at) = self.recorded.iter().position(is_whole) {
            message.replaces = Some(self.recorded.remove(at).id);
        }
    }

    /// Returns the shown text that claude has not written, as messages, when claude has exited or starts
    /// another turn.
    pub(super) fn take_unrecorded(&mut self, recorded: &[Message]) -> Vec<Message> {
        let shown = std::mem::take(&mut self.shown);
        self.changed |= !shown.is_empty();
        let missing = shown.into_iter().filter(|shown| {
            let since = shown.at - chrono::TimeDelta::seconds(5);
            let mut written = recorded.iter().filter(|message| message.timestamp >= since);
            !shown.text().trim().is_empty() && !written.any(|message| shown.is_in(message))
        });
        let message = |shown: Shown| Message {
            subagent: shown.subagent.clone(),
            partial: true,
            ..Message::new(format!("{PARTIAL}{}", shown.id), Role::Assistant, shown.text().trim(), shown.at)
        };
        let messages: Vec<Message> = missing.map(message).collect();
        self.recorded.extend(messages.iter().cloned());
        messages
    }

    /// Whether no shown text waits for a message.
    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Whether the file is out of date.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Writes the file, or removes it if no text remains.
    pub(super) fn write(&mut self, dir: &SessionDir) -> Result<(), bc_store::FileError> {
        let path = path(dir);
        match serde_json::to_vec(&self.shown) {
            Ok(bytes) if !self.shown.is_empty() => file::replace(&path, &bytes)?,
            // A map from numbers to strings can always be encoded.
            Ok(_) | Err(_) => drop(file::remove(&path)?),
        }
        self.changed = false;
        Ok(())
    }
}

fn path(dir: &SessionDir) -> PathBuf {
    dir.path().join("partial.json")
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        chrono::DateTime::from_timestamp(1_000 + seconds, 0).unwrap().fixed_offset()
    }

    fn piece(message: &str, index: u64, text: &str) -> Displayed {
        Displayed { message: message.into(), index, text: text.into(), subagent: None, at: at(0) }
    }

    #[test]
    fn shown_text_without_a_message_becomes_a_partial_message_in_order() {
        let mut partials = Partials::default();
        for (index, text) in [(0, "one\n"), (2, "three"), (1, "two\n")] {
            partials.add(piece("d", index, text));
        }
        let older = Message::new("m0", Role::Assistant, "one two three", at(-100));
        let left = partials.take_unrecorded(&[older]);
        assert_eq!(left.len(), 1);
        assert_eq!((left[0].id.as_str(), left[0].content.as_str()), ("partial-d", "one\ntwo\nthree"));
        assert!(left[0].partial && partials.is_empty());
        assert_eq!(partials.take_unrecorded(&[]), []);
    }

    #[test]
    fn shown_text_of_a_recorded_message_is_not_recorded_twice() {
        let mut partials = Partials::default();
        partials.add(piece("d", 0, "one\n"));
        partials.add(piece("e", 0, "two"));
        partials.arrived(&mut Message::new("m1", Role::Assistant, "zero\n\none", at(1)));
        let left = partials.take_unrecorded(&[Message::new("m2", Role::Assistant, "two and more", at(1))]);
        assert_eq!(left, []);
    }

    #[test]
    fn a_complete_message_replaces_the_partial_one() {
        let mut partials = Partials::default();
        partials.add(piece("d", 0, "half"));
        assert_eq!(partials.take_unrecorded(&[]).len(), 1);
        let mut whole = Message::new("m", Role::Assistant, "half and more", at(1));
        partials.arrived(&mut whole);
        assert_eq!(whole.replaces.as_deref(), Some("partial-d"));
    }
}
