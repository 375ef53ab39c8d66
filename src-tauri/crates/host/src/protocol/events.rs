//! The events that a host sends to subscribers.

use super::HeldText;
use crate::{
    exit_note::ExitNote,
    frame::{Frame, FrameError},
    permissions::Card,
    prompt_state::Activity,
};
use bc_core::{ids::ConversationId, message::Message, session::Status};
use serde::{Deserialize, Serialize};

/// An event with its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The event's number. Numbers increase by one; a gap means that events were missed.
    pub seq: u64,
    #[serde(flatten)]
    pub what: Happening,
}

/// A [`Happening::Message`] on the wire. Most events are messages. Decoding them directly avoids the
/// intermediate value tree of a flattened enum.
#[derive(Deserialize)]
struct MessageEvent {
    seq: u64,
    #[serde(rename = "event")]
    _event: OnlyMessage,
    message: Box<Message>,
}

#[derive(Deserialize)]
enum OnlyMessage {
    #[serde(rename = "message")]
    Message,
}

impl Event {
    /// Decodes the event in a frame.
    ///
    /// # Errors
    /// Fails if the frame contains no event, or an event of a later version.
    pub fn of(frame: &Frame) -> Result<Event, FrameError> {
        match frame.json() {
            Ok(MessageEvent { seq, message, .. }) => Ok(Event { seq, what: Happening::Message { message } }),
            Err(_) => frame.json(),
        }
    }
}

/// An event of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Happening {
    /// Claude's activity has changed.
    Activity { activity: Activity },
    /// A message is new or was extended.
    Message {
        /// The complete message. It is shortened only if it is too long for a frame.
        message: Box<Message>,
    },
    /// A message that is too long for a frame is new or was extended. It is in the session's file. Only older
    /// hosts send this event.
    LongMessage { id: String },
    /// A part of a reply that is not complete yet.
    Delta {
        /// Claude's id for the message, which differs from the id in the transcript.
        message_id: String,
        index: u64,
        text: String,
        last: bool,
    },
    /// Claude requests a permission.
    PermissionAsked { card: Card },
    /// A permission request was decided by a client or in the terminal, or was withdrawn.
    PermissionClosed { id: String },
    /// The prompt queue has changed.
    Held {
        /// All prompts in the queue, in order.
        held: Vec<HeldText>,
    },
    /// Claude has started or resumed another conversation.
    Conversation { id: ConversationId },
    /// Claude's permission mode, model, context usage or retry has changed. The status contains the new
    /// values.
    Footer,
    /// Claude has exited.
    Exited {
        /// The exit and the last screen.
        note: ExitNote,
    },
    /// The session's state has changed, and the host is exiting.
    Status { status: Status },
    /// A problem occurred.
    Trouble {
        /// The problem, as text for users.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::message::Role;

    #[test]
    fn every_event_survives_a_round_trip() {
        let at = chrono::DateTime::parse_from_rfc3339("2026-01-02T03:04:05.678Z").unwrap();
        let mut message = Message::new("m", Role::Assistant, "text \u{1f600}", at);
        message.extra.insert("of_another_version".to_owned(), serde_json::json!({"a": [1, null]}));
        let events = [
            Happening::Message { message: Box::new(message) },
            Happening::Trouble { message: "the disk is full".to_owned() },
            Happening::LongMessage { id: "m".to_owned() },
            Happening::Footer,
        ];
        for (seq, what) in (7..).zip(events) {
            let event = Event { seq, what };
            assert_eq!(Event::of(&Frame::control(&event)).unwrap(), event);
        }
        let later =
            Frame::control(&serde_json::json!({"seq": 1, "event": "of_another_version", "message": {}}));
        assert!(Event::of(&later).is_err());
    }
}
