//! Events from the application to its clients. Each event has a sequence number, so that a client that lost
//! its connection can request all events after the last one that it received.
//!
//! Invariants: `seq` grows by one per event of a server. If a server can no longer send all missed events, it
//! sends [`Event::Resync`] first, and the client reloads everything.

use crate::{app::ProjectKey, session::SessionView};
use bc_core::{ids::SessionId, message::Message};
use serde::{Deserialize, Serialize};

/// An event with its sequence number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct EventEnvelope {
    /// Increases by one per event, up to 2^53.
    #[specta(type = u32)]
    pub seq: u64,
    /// The project; absent for events of the whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectKey>,
    pub event: Event,
}

// `SessionChanged` contains a session's whole record; boxing it would complicate every use of the type.
/// A change that clients must know. Most events only identify the data that a client must reload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)]
pub enum Event {
    /// Beads changed, by this program or another: reload the list.
    BeadsChanged {},
    /// A session was created or changed.
    SessionChanged { session: SessionView },
    /// A session was removed from the list.
    SessionDeleted { id: SessionId },
    /// A message was created or extended.
    MessageUpserted {
        session_id: SessionId,
        /// The complete message, which replaces the message with the same id.
        message: Message,
    },
    /// A piece of an answer that the model is writing. The recorded answer follows as a message.
    StreamDelta {
        session_id: SessionId,
        /// The message's id in claude's hook, which differs from its id in the transcript.
        message_id: String,
        /// The index of the piece, from 0. Pieces may arrive out of order.
        index: u32,
        text: String,
        /// Whether this is the message's last piece.
        #[serde(rename = "final")]
        last: bool,
    },
    /// A session's marks of viewed files or its comments on changes changed: reload them.
    ViewedChanged { id: SessionId },
    /// The fleet changed, by this program or another: reload its overview.
    FleetChanged {},
    /// The list of open projects changed.
    ProjectsChanged {},
    /// People connected or left, or their access changed: see `app.people`.
    PeopleChanged {},
    /// Events were lost: reload everything.
    Resync {},
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(event: Event, expected: Expect) {
        let envelope = EventEnvelope { seq: 7, project: Some(ProjectKey("p1".into())), event };
        let json = serde_json::to_string(&envelope).expect("an event is JSON");
        expected.assert_eq(&json);
        assert_eq!(
            serde_json::from_str::<EventEnvelope>(&json).expect("what was written can be read"),
            envelope
        );
    }

    #[test]
    fn an_event_without_content_has_only_its_type() {
        check(
            Event::BeadsChanged {},
            expect![[r#"{"seq":7,"project":"p1","event":{"type":"beads_changed"}}"#]],
        );
    }

    #[test]
    fn the_last_piece_of_a_block_is_called_final_on_the_wire() {
        check(
            Event::StreamDelta {
                session_id: "6b0e6c0e-0000-4000-8000-000000000001".parse().expect("a UUID"),
                message_id: "msg_1".into(),
                index: 0,
                text: "Hel".into(),
                last: true,
            },
            expect![[
                r#"{"seq":7,"project":"p1","event":{"type":"stream_delta","session_id":"6b0e6c0e-0000-4000-8000-000000000001","message_id":"msg_1","index":0,"text":"Hel","final":true}}"#
            ]],
        );
    }
}
