//! Delays the answer to a prompt's hook until the checkpoint is made or has failed. Claude runs no tool
//! before it gets the answer.

use super::effects::Effects;
use crate::{
    checkpoint_thread::{CheckpointFailure, CheckpointReply, Checkpoints},
    client_id::ClientId,
};
use bc_claude::hooks::Answer;
use bc_git::NewTurn;
use std::collections::HashMap;

/// The number of slow checkpoints after which the host makes no more checkpoints. A successful checkpoint or
/// a missing repository restarts the count.
const SLOW_MAX: u32 = 2;

/// The delayed hooks of prompts, and the failures of recent checkpoints.
#[derive(Default)]
pub(super) struct PromptCheckpoints {
    thread: Option<Box<dyn Checkpoints>>,
    tickets: u64,
    /// The delayed hooks and their answers, by ticket.
    held: HashMap<u64, (ClientId, Answer)>,
    slow: u32,
    /// The last reported problem. A repetition is not reported.
    reported: Option<String>,
}

impl PromptCheckpoints {
    pub(super) fn new(thread: Option<Box<dyn Checkpoints>>) -> PromptCheckpoints {
        PromptCheckpoints { thread, ..PromptCheckpoints::default() }
    }

    /// Answers a prompt's hook after the checkpoint, or immediately if no checkpoint can be made.
    pub(super) fn answer(&mut self, hook: ClientId, answer: Answer, turn: NewTurn, effects: &mut Effects) {
        self.tickets += 1;
        let ticket = self.tickets;
        let begun =
            self.slow < SLOW_MAX && self.thread.as_ref().is_some_and(|thread| thread.keep(ticket, turn));
        match begun {
            true => drop(self.held.insert(ticket, (hook, answer))),
            false => effects.answer_hook(hook, answer),
        }
    }

    /// Answers the hook after a checkpoint attempt. A failed checkpoint does not stop the prompt.
    pub(super) fn on_reply(&mut self, reply: CheckpointReply, effects: &mut Effects) {
        if let Some((hook, answer)) = self.held.remove(&reply.ticket) {
            effects.answer_hook(hook, answer);
        }
        let problem = match reply.failure {
            None | Some(CheckpointFailure::NoRepository) => {
                (self.slow, self.reported) = (0, None);
                return;
            }
            Some(CheckpointFailure::TooSlow) => {
                self.slow += 1;
                match self.slow < SLOW_MAX {
                    true => "git took too long, so this prompt has no checkpoint".to_owned(),
                    false => "git took too long again: this session makes no more checkpoints until it is \
                              resumed"
                        .to_owned(),
                }
            }
            Some(CheckpointFailure::Failed(why)) => format!("this prompt has no checkpoint: {why}"),
        };
        if self.reported.as_ref() != Some(&problem) {
            effects.publish_trouble(problem.clone());
            self.reported = Some(problem);
        }
    }

    /// Drops the hook of a disconnected client.
    pub(super) fn forget(&mut self, client: ClientId) {
        self.held.retain(|_, (hook, _)| *hook != client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{actor::effects::Effect, protocol::Happening};
    use bc_git::PromptPlace;
    use std::sync::mpsc::{SyncSender, sync_channel};

    struct Accepting(SyncSender<u64>);

    impl Checkpoints for Accepting {
        fn keep(&self, ticket: u64, _: NewTurn) -> bool {
            self.0.try_send(ticket).is_ok()
        }
    }

    fn turn() -> NewTurn {
        let at = chrono::DateTime::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap();
        NewTurn { prompt: "go".into(), at, place: PromptPlace::default() }
    }

    fn shown(effects: &mut Effects) -> Vec<String> {
        let text = |effect| match effect {
            Effect::AnswerHook { .. } => "answer".to_owned(),
            Effect::Publish(Happening::Trouble { message }) => message,
            other => format!("{other:?}"),
        };
        effects.take().into_iter().map(text).collect()
    }

    #[test]
    fn the_hook_is_answered_after_the_checkpoint() {
        let (tickets, received) = sync_channel(1);
        let mut part = PromptCheckpoints::new(Some(Box::new(Accepting(tickets))));
        let mut effects = Effects::default();
        part.answer(1, Answer::Nothing, turn(), &mut effects);
        assert_eq!(shown(&mut effects), Vec::<String>::new());
        part.answer(2, Answer::Nothing, turn(), &mut effects);
        assert_eq!(shown(&mut effects), ["answer"], "the queue is full");
        let ticket = received.recv().unwrap();
        part.on_reply(CheckpointReply { ticket, failure: None }, &mut effects);
        assert_eq!(shown(&mut effects), ["answer"]);
    }

    #[test]
    fn without_a_thread_the_hook_is_answered_at_once() {
        let mut effects = Effects::default();
        PromptCheckpoints::new(None).answer(1, Answer::Nothing, turn(), &mut effects);
        assert_eq!(shown(&mut effects), ["answer"]);
    }

    #[test]
    fn a_problem_is_reported_once_and_checkpoints_stop_after_two_slow_ones() {
        let (tickets, _received) = sync_channel(8);
        let mut part = PromptCheckpoints::new(Some(Box::new(Accepting(tickets))));
        let mut effects = Effects::default();
        let mut prompt = |failure| {
            part.answer(1, Answer::Nothing, turn(), &mut effects);
            part.on_reply(CheckpointReply { ticket: part.tickets, failure }, &mut effects);
            shown(&mut effects)
        };
        let failed = || Some(CheckpointFailure::Failed("no".into()));
        assert_eq!(prompt(failed()), ["answer", "this prompt has no checkpoint: no"]);
        assert_eq!(prompt(failed()), ["answer"]);
        assert_eq!(prompt(Some(CheckpointFailure::NoRepository)), ["answer"]);
        assert_eq!(prompt(Some(CheckpointFailure::TooSlow)).len(), 2);
        assert!(prompt(Some(CheckpointFailure::TooSlow))[1].contains("no more checkpoints"));
        part.answer(1, Answer::Nothing, turn(), &mut effects);
        assert_eq!(shown(&mut effects), ["answer"], "it is not asked");
    }
}
