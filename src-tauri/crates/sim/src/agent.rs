//! The state of the agent's thread, the orders that it receives, and the notes that it sends to the screen.

use crate::{shared::Shared, transcript::Transcript};
use std::sync::{Arc, mpsc::SyncSender};

#[derive(Debug)]
pub(crate) enum Order {
    Prompt(String),
    Clear,
}

/// A message from the agent's thread to the screen's thread.
#[derive(Debug)]
pub(crate) enum Note {
    Ready,
    /// A turn starts with this prompt.
    Begins(String),
    /// A paragraph, a line about a tool, or a line of a flood.
    Says(String),
    /// Another part of a growing paragraph.
    Word(String),
    /// The growing paragraph is complete.
    WordsEnd,
    Asks {
        question: String,
        answer: SyncSender<Decision>,
    },
    /// The question was answered, by the user or by a hook.
    Answered,
    Ends,
    /// A new conversation starts.
    Cleared,
}

/// The answer to a permission request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    Allow,
    /// A hook refused the tool, with a reason. The turn continues.
    Deny(String),
    /// The user refused the tool at the terminal. The turn ends.
    Reject,
}

pub(crate) struct Agent {
    pub(crate) shared: Arc<Shared>,
    pub(crate) transcript: Transcript,
    pub(crate) notes: SyncSender<Note>,
    /// The context from the SessionStart hooks, which is added to the next prompt.
    pub(crate) context: Vec<String>,
}

impl Agent {
    /// Sends a note to the screen. The note is dropped if the screen's thread has ended.
    pub(crate) fn note(&self, note: Note) {
        let _ = self.notes.send(note);
    }
}
