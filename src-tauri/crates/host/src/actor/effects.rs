//! The effects that a part of the actor requests while it handles a message: notes for the recorder and
//! messages for clients.
//!
//! A part adds effects and does not carry them out, so that it can be tested without threads and connections.
//! The actor carries them out in order, after one message is handled and before the next.

use crate::{
    client_id::ClientId,
    protocol::{Happening, Outcome, Refused, RefusedCode},
    recorder::Note,
};
use bc_claude::hooks::Answer;
use serde::Serialize;

/// One effect; see the [module](self).
#[derive(Debug)]
pub(super) enum Effect {
    Note(Note),
    TranscriptChanged,
    /// An event for all subscribers.
    Publish(Happening),
    Reply {
        client: ClientId,
        request: u64,
        outcome: Outcome,
    },
    /// An answer to claude's hook. `closes`: whether its connection is closed afterwards.
    AnswerHook {
        hook: ClientId,
        answer: Answer,
        closes: bool,
    },
}

/// A list of effects, in order.
#[derive(Debug, Default)]
pub(super) struct Effects(Vec<Effect>);

impl Effects {
    pub(super) fn note(&mut self, note: Note) {
        self.0.push(Effect::Note(note));
    }

    pub(super) fn transcript_changed(&mut self) {
        self.0.push(Effect::TranscriptChanged);
    }

    pub(super) fn publish(&mut self, what: Happening) {
        self.0.push(Effect::Publish(what));
    }

    pub(super) fn publish_trouble(&mut self, message: String) {
        self.publish(Happening::Trouble { message });
    }

    pub(super) fn reply(&mut self, client: ClientId, request: u64, value: &impl Serialize) {
        let outcome = match serde_json::to_value(value) {
            Ok(value) => Outcome::Ok(value),
            Err(error) => Outcome::Error(Refused::new(RefusedCode::Failed, error.to_string())),
        };
        self.0.push(Effect::Reply { client, request, outcome });
    }

    pub(super) fn refuse(&mut self, client: ClientId, request: u64, refused: Refused) {
        self.0.push(Effect::Reply { client, request, outcome: Outcome::Error(refused) });
    }

    /// Replies to a request that returns no value or was refused.
    pub(super) fn reply_done(&mut self, client: ClientId, request: u64, outcome: Result<(), Refused>) {
        match outcome {
            Ok(()) => self.reply(client, request, &()),
            Err(refused) => self.refuse(client, request, refused),
        }
    }

    /// Answers a hook and closes its connection.
    pub(super) fn answer_hook(&mut self, hook: ClientId, answer: Answer) {
        self.0.push(Effect::AnswerHook { hook, answer, closes: true });
    }

    /// Answers a hook and keeps its connection open until the hook has ended.
    pub(super) fn answer_open_hook(&mut self, hook: ClientId, answer: Answer) {
        self.0.push(Effect::AnswerHook { hook, answer, closes: false });
    }

    /// Removes and returns all effects.
    pub(super) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
impl Effects {
    /// Removes all effects and returns the values of the replies.
    pub(super) fn replies<T: serde::de::DeserializeOwned>(&mut self) -> Vec<T> {
        let value = |effect| match effect {
            Effect::Reply { outcome: Outcome::Ok(value), .. } => serde_json::from_value(value).ok(),
            _ => None,
        };
        self.take().into_iter().filter_map(value).collect()
    }

    /// Removes all effects and returns the refusals.
    pub(super) fn refusals(&mut self) -> Vec<Refused> {
        let refused = |effect| match effect {
            Effect::Reply { outcome: Outcome::Error(refused), .. } => Some(refused),
            _ => None,
        };
        self.take().into_iter().filter_map(refused).collect()
    }
}
