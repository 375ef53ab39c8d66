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
    /// Claude continues in this conversation.
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
    /// A turn begins and no other one runs: earlier shown text that is missing in the transcript will never appear
    /// there.
    TurnBegins,
    /// A turn was stopped before claude answered: claude itself does not record that.
    Stopped {
        at: Timestamp,
    },
    /// The conversation's cost so far, in US dollars as claude counts.
    Cost {
        id: ConversationId,
        cost: f64,
    },
    /// A text was injected into claude's context.
    Injected(Box<Injection>),
    Stores(Box<Stores>),
    Activity(ActivityLine),
    /// Claude and all its processes have ended. Only a note with another final event may follow.
    Finish {
        event: Event,
        note: ExitNote,
    },
}

#[derive(Debug)]
pub(crate) enum RecorderEvent {
    /// Messages that are now in their file, new or grown.
    Recorded(Vec<Message>),
    /// The number of recorded messages and unreadable lines.
    Counts { messages: u64, unknown: u64 },
    /// Writing fails, or works again.
    Trouble(Option<String>),
    /// The disk is too full for the session's final state; the recorder keeps trying.
    Unsaved(String),
    /// The session has its final state, or writing it failed.
    Finished(Result<Status, String>),
}
