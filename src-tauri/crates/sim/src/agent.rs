//! The agent's thread: it begins the conversation and takes one prompt after the other.

use crate::{shared::Shared, transcript::Transcript, turn};
use serde_json::json;
use std::sync::{
    Arc,
    mpsc::{Receiver, SyncSender},
};

/// What the agent is told.
#[derive(Debug)]
pub(crate) enum Order {
    Prompt(String),
    Clear,
}

/// What the agent shows.
#[derive(Debug)]
pub(crate) enum Note {
    /// It is ready for the first prompt.
    Ready,
    /// A turn begins with this prompt.
    Begins(String),
    /// A paragraph, or a line about a tool.
    Says(String),
    /// A part of a paragraph that grows.
    Word(String),
    /// The growing paragraph is complete.
    WordsEnd,
    /// One of very many lines: each is drawn.
    Floods(String),
    /// It asks for a permission.
    Asks { question: String, answer: SyncSender<Decision> },
    /// The question is answered, by whomever.
    Answered,
    /// The turn has ended.
    Ends,
    /// The conversation begins anew.
    Cleared,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    Allow,
    /// Refused by a hook, which says why; the turn goes on.
    Deny(String),
    /// Refused by the person at the terminal; the turn ends.
    Reject,
}

/// The agent, as a turn sees it.
pub(crate) struct Agent {
    pub(crate) shared: Arc<Shared>,
    pub(crate) transcript: Transcript,
    notes: SyncSender<Note>,
    /// What hooks gave at the beginning; it goes with the first prompt.
    pub(crate) context: Vec<String>,
}

impl Agent {
    /// Shows it; a screen that is gone needs nothing any more.
    pub(crate) fn note(&self, note: Note) {
        let _ = self.notes.send(note);
    }
}

/// Lives until the orders end.
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
