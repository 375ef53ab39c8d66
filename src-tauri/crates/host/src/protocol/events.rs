//! What subscribers are told, unasked.

use super::HeldText;
use crate::{permissions::Card, prompt_state::Activity, scribe::ExitNote};
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
