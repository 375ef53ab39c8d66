//! The messages that were already decoded. Messages that may still change are kept in full, the others only
//! as a hash.

use bc_core::{
    Timestamp,
    message::{Message, ToolCall},
    session::TokenSplit,
};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
};

/// The number of open messages above which the oldest messages without pending tool calls are closed. Claude
/// writes the lines of a message close together, so no more of their lines follow.
const KEPT_OPEN: usize = 64;
/// The maximum number of open messages with pending calls. Older messages are closed, because claude was
/// probably killed during their calls.
const KEPT_PENDING: usize = 1024;

/// A message to which blocks or results may still be added.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) message: Message,
    /// The time at which each call was written, by call id.
    pub(super) called: HashMap<String, Timestamp>,
    /// Whether the message comes from the session's own record. Blocks of such a message can be recognized
    /// only by their content.
    pub(super) primed: bool,
}

/// The tokens of a message that were already counted.
#[derive(Debug)]
enum Counted {
    Parts(TokenSplit),
    /// For a message from the session's own record, only the sum is known.
    Sum(u64),
}

#[derive(Debug, Default)]
pub(super) struct Known {
    open: HashMap<String, Open>,
    order: VecDeque<String>,
    counted: HashMap<u64, Counted>,
    pending: HashMap<String, String>,
    answered: HashSet<u64>,
}

pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn is_pending(call: &ToolCall) -> bool {
    call.output.is_none()
}

impl Known {
    pub(super) fn prime(&mut self, message: Message) {
        self.counted.insert(hash(&message.id), Counted::Sum(message.tokens.unwrap_or(0)));
        self.add(message, true);
    }

    pub(super) fn add(&mut self, message: Message, primed: bool) {
        let id = message.id.clone();
        for call in message.tool_calls.iter().flatten() {
            match &call.id {
                Some(call_id) if is_pending(call) => {
                    self.pending.insert(call_id.clone(), id.clone());
                }
                Some(call_id) => {
                    self.answered.insert(hash(call_id));
                }
                None => {}
            }
        }
        self.counted.entry(hash(&id)).or_insert(Counted::Parts(TokenSplit::default()));
        let open = Open { message, called: HashMap::new(), primed };
        if self.open.insert(id.clone(), open).is_none() {
            self.order.push_back(id);
        }
        self.close_old();
    }

    /// The message with this id; `None` if it is closed or unknown.
    pub(super) fn open(&mut self, id: &str) -> Option<&mut Open> {
        self.open.get_mut(id)
    }

    pub(super) fn is_known(&self, id: &str) -> bool {
        self.counted.contains_key(&hash(id))
    }

    /// Records that a call waits for its result.
    pub(super) fn called(&mut self, call_id: String, message_id: &str) {
        self.pending.insert(call_id, message_id.to_owned());
    }

    /// Records that the call's result has arrived, and returns its message. `None` if the call does not wait
    /// for a result.
    pub(super) fn answer(&mut self, call_id: &str) -> Option<&mut Open> {
        let id = self.pending.remove(call_id)?;
        self.answered.insert(hash(call_id));
        self.open.get_mut(&id)
    }

    /// The message with this call; `None` if no open message has it.
    pub(super) fn of_call(&mut self, call_id: &str) -> Option<&mut Open> {
        let has = |call: &ToolCall| call.id.as_deref() == Some(call_id);
        self.open.values_mut().find(|open| open.message.tool_calls.iter().flatten().any(has))
    }

    pub(super) fn was_answered(&self, call_id: &str) -> bool {
        self.answered.contains(&hash(call_id))
    }

    /// The part of `usage` that was not counted for this message before. Older versions of claude repeat a
    /// message's usage with growing numbers, so the maximum of each number counts.
    pub(super) fn count(&mut self, id: &str, usage: TokenSplit) -> TokenSplit {
        let before = self.counted.entry(hash(id)).or_insert(Counted::Parts(TokenSplit::default()));
        match before {
            // The sum does not show which part has grown. Nearly always it is the output, and the total is
            // correct in any case.
            Counted::Sum(sum) => {
                let more = usage.total().saturating_sub(*sum);
                *sum += more;
                TokenSplit { output: more, ..TokenSplit::default() }
            }
            Counted::Parts(parts) => {
                let more = usage.without(*parts);
                parts.add(more);
                more
            }
        }
    }

    fn close_old(&mut self) {
        let mut waiting = VecDeque::new();
        // The newest message stays open, because more of its lines may follow.
        while self.order.len() > 1 && self.order.len() + waiting.len() > KEPT_OPEN {
            let Some(id) = self.order.pop_front() else { break };
            let calls = self.open.get(&id).and_then(|open| open.message.tool_calls.as_ref());
            if calls.is_some_and(|calls| calls.iter().any(is_pending)) {
                waiting.push_back(id);
            } else {
                self.open.remove(&id);
            }
        }
        while waiting.len() > KEPT_PENDING {
            if let Some(id) = waiting.pop_front() {
                self.open.remove(&id);
                self.pending.retain(|_, message| *message != id);
            }
        }
        while let Some(id) = waiting.pop_back() {
            self.order.push_front(id);
        }
    }
}
