//! What subscribers are told, unasked.

use super::HeldText;
use crate::{
    frame::{Frame, FrameError},
    permissions::Card,
    prompt_state::Activity,
    scribe::ExitNote,
};
use bc_core::{ids::ConversationId, message::Message, session::Status};
use serde::{Deserialize, Serialize};

/// Something that happened, for subscribers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Counts up by one; a gap means that this client was too slow.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: Happening,
}

/// [`Happening::Message`] as it is written: most of what is told. It is read without the detour over a tree of values
/// that a flattened choice costs.
#[derive(Deserialize)]
struct MessageTold {
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
    /// What a frame tells.
    ///
    /// # Errors
    /// It is no event, or one of a version to come.
    pub fn of(frame: &Frame) -> Result<Event, FrameError> {
        match frame.json() {
            Ok(MessageTold { seq, message, .. }) => Ok(Event { seq, what: Happening::Message { message } }),
            Err(_) => frame.json(),
        }
    }
}

/// What can happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Happening {
    /// Claude does something else now.
    Activity {
        /// What.
        activity: Activity,
    },
    /// A message is new or has grown.
    Message {
        /// It, whole.
        message: Box<Message>,
    },
    /// A message is new or has grown, and is too long for a frame: it is in the session's file.
    LongMessage {
        /// Its id.
        id: String,
    },
    /// A piece of a reply that is not complete yet.
    Delta {
        /// Claude's id of the message; not the transcript's.
        message_id: String,
        /// Which piece.
        index: u64,
        /// The text.
        text: String,
        /// Whether it is the last piece.
        last: bool,
    },
    /// A permission is asked for.
    PermissionAsked {
        /// The request.
        card: Card,
    },
    /// A permission was decided, here or in the terminal.
    PermissionClosed {
        /// The request's id.
        id: String,
    },
    /// The texts that claude has not confirmed are others now.
    Held {
        /// All of them.
        held: Vec<HeldText>,
    },
    /// Claude goes on in another conversation.
    Conversation {
        /// Its id.
        id: ConversationId,
    },
    /// Claude's permission mode, its model or how full its context is: the status has them.
    Footer,
    /// Claude has ended.
    Exited {
        /// How.
        note: ExitNote,
    },
    /// The session's state changed; the host ends.
    Status {
        /// The new state.
        status: Status,
    },
    /// Something goes wrong.
    Trouble {
        /// What, and what to do.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::message::Role;

    #[test]
    fn what_is_told_of_a_message_and_of_everything_else_is_read_back() {
        let at = chrono::DateTime::parse_from_rfc3339("2026-01-02T03:04:05.678Z").unwrap();
        let mut message = Message::new("m", Role::Assistant, "said \u{1f600}", at);
        message.extra.insert("of_another_version".to_owned(), serde_json::json!({"a": [1, null]}));
        let told = [
            Happening::Message { message: Box::new(message) },
            Happening::Trouble { message: "the disk is full".to_owned() },
            Happening::LongMessage { id: "m".to_owned() },
            Happening::Footer,
        ];
        for (seq, what) in (7..).zip(told) {
            let event = Event { seq, what };
            assert_eq!(Event::of(&Frame::control(&event)).unwrap(), event);
        }
        let later =
            Frame::control(&serde_json::json!({"seq": 1, "event": "of_another_version", "message": {}}));
        assert!(Event::of(&later).is_err());
    }
}
