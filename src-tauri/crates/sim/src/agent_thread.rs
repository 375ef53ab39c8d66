//! The agent's thread. It starts the conversation and processes the prompts one at a time.

use crate::{
    agent::{Agent, Note, Order},
    shared::Shared,
    transcript::Transcript,
    turn,
};
use serde_json::json;
use std::sync::{
    Arc,
    mpsc::{Receiver, SyncSender},
};

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
