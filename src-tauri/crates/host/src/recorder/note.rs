//! The messages between the actor and the recorder.

use super::partial::Displayed;
use crate::exit_note::ExitNote;
use bc_core::{
    Timestamp,
    ids::ConversationId,
    message::Message,
    mode::PermissionMode,
    recovery::{Injection, Stores},
    session::{Event, Status},
    timeline::ActivityLine,
};
use std::path::PathBuf;

#[derive(Debug)]
pub(crate) enum Note {
    TranscriptChanged,
    /// Claude has started or resumed this conversation.
    Conversation {
        id: ConversationId,
        transcript: Option<PathBuf>,
    },
    Prompted(String),
    /// A tool ran for this many milliseconds.
    ToolRan {
        id: String,
        duration_ms: u64,
    },
    Mode(PermissionMode),
    TurnOver,
    /// Claude has shown this part of a reply.
    Displayed(Displayed),
    /// A turn begins and no other turn is running. Shown text that is still missing from the transcript will
    /// never appear in it.
    TurnBegins,
    /// A turn was stopped before claude answered, which claude itself does not record.
    Stopped {
        at: Timestamp,
    },
    /// The conversation's cost so far, in US dollars, as counted by claude.
    Cost {
        id: ConversationId,
        cost: f64,
    },
    /// Text was injected into claude's context.
    Injected(Box<Injection>),
    Stores(Box<Stores>),
    Activity(ActivityLine),
    /// Claude has exited, and its descendants were terminated. Later notes are ignored, except another
    /// `Finish`.
    Finish {
        event: Event,
        note: ExitNote,
    },
}

#[derive(Debug)]
pub(crate) enum RecorderEvent {
    /// These messages are now in their file, as new or extended messages.
    Recorded(Vec<Message>),
    /// The numbers of recorded messages, and of lines that are unknown or cannot be read.
    Counts { messages: u64, unknown: u64 },
    /// Reading or writing a file fails, or everything succeeds again (`None`).
    Trouble(Option<String>),
    /// The disk is too full for the session's final state. The recorder keeps retrying.
    Unsaved(String),
    /// The session's final state is saved, or saving it failed.
    Finished(Result<Status, String>),
}
