//! The agent's thread: it starts the conversation and processes one prompt after the other.

use crate::{shared::Shared, transcript::Transcript, turn};
use serde_json::json;
use std::sync::{
    Arc,
    mpsc::{Receiver, SyncSender},
};

/// An instruction for the agent.
#[derive(Debug)]
pub(crate) enum Order {
    Prompt(String),
    Clear,
}

/// An update from the agent for the screen.
#[derive(Debug)]
pub(crate) enum Note {
    /// It is ready for the first prompt.
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
    /// It asks for a permission.
    Asks { question: String, answer: SyncSender<Decision> },
    /// The question was answered, in any way.
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
    notes: SyncSender<Note>,
    /// The hooks' context from the start; it is added to the first prompt.
    pub(crate) context: Vec<String>,
}

impl Agent {
    /// Shows an update; without a screen it is dropped.
    pub(crate) fn note(&self, note: Note) {
        let _ = self.notes.send(note);
    }
}

/// Runs until the channel of orders closes.
pub(crate) fn live(shared: Arc<Shared>, orders: Receiver<Order>, notes: SyncSender<Note>) {
    let transcript = open(&shared);
    let mut agent = Agent { shared, transcript, notes, context: Vec::new() };
    let source = if agent.shared.resumed { "resume" } else { "startup" };
    begin(&mut agent, source);
    agent.note(Note::Ready);
    for order in orders {
        match order {
            Order::Prompt(prompt) => turn::run(&mut agent, &prompt),
            Order::Clear => {
                agent.shared.fire("SessionEnd", "clear", None, json!({"reason": "clear"}));
                agent.shared.renew();
                agent.transcript = open(&agent.shared);
                agent.note(Note::Cleared);
                begin(&mut agent, "clear");
                agent.note(Note::Ready);
            }
        }
    }
}

fn open(shared: &Shared) -> Transcript {
    Transcript::open(shared.current(), &shared.cwd, &shared.model)
}

fn begin(agent: &mut Agent, source: &str) {
    let answers = agent.shared.fire("SessionStart", source, None, json!({"source": source}));
    agent.context = answers.iter().filter_map(|answer| answer.context()).collect();
    let letters: usize = agent.context.iter().map(|text| text.chars().count()).sum();
    if letters > 0 {
        let pieces = agent.context.len();
        agent.note(Note::Says(format!("(hooks gave {letters} characters of context in {pieces} pieces)")));
    }
}
