//! The agent during a turn, its instructions, and its updates for the screen.

use crate::{shared::Shared, transcript::Transcript};
use std::sync::{Arc, mpsc::SyncSender};

/// An instruction for the agent.
#[derive(Debug)]
pub(crate) enum Order {
    Prompt(String),
    Clear,
}

/// An update from the agent for the screen.
#[derive(Debug)]
pub(crate) enum Note {
    /// The agent is ready for a prompt.
    Ready,
    /// A turn starts with this prompt.
    Begins(String),
    /// A paragraph, or a line about a tool.
    Says(String),
    /// Another part of a growing paragraph.
    Word(String),
    /// The growing paragraph is complete.
    WordsEnd,
    /// One of very many lines, each of which is drawn.
    Floods(String),
    /// The agent asks for a permission.
    Asks { question: String, answer: SyncSender<Decision> },
    /// The question was answered, by the user or by a hook.
    Answered,
    /// The turn has ended.
    Ends,
    /// A new conversation starts.
    Cleared,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    Allow,
    /// Refused by a hook with a reason; the turn continues.
    Deny(String),
    /// Refused by the user at the terminal; the turn ends.
    Reject,
}

/// The agent during a turn.
pub(crate) struct Agent {
    pub(crate) shared: Arc<Shared>,
    pub(crate) transcript: Transcript,
    pub(crate) notes: SyncSender<Note>,
    /// The hooks' context from the start; it is added to the first prompt.
    pub(crate) context: Vec<String>,
}

impl Agent {
    /// Shows an update; without a screen it is dropped.
    pub(crate) fn note(&self, note: Note) {
        let _ = self.notes.send(note);
    }
}
