//! What is counted of one of claude's files: a conversation's cost, and the lines that could not be read.
//!
//! Pure. Claude counts its cost in its own way: in its file now and then, in its status line at once, and from
//! nothing again when it goes on with a conversation or not. The sum never falls below what is on record.

use bc_core::{ids::ConversationId, session::Meta};

/// The field of a conversation in `meta.json` that says what it cost, in US dollars.
pub(super) const COST: &str = "cost_usd";

/// What is counted for each file from its beginning, so that reading it again counts nothing twice.
#[derive(Default)]
pub(super) struct Counted {
    cost_before: f64,
    cost: f64,
    /// Lines that could not be read.
    pub(super) unknown: u64,
    /// What is on record until the status line says from where claude counts on: a kill took what claude had not yet
    /// written of its cost, and then its file says less than what was recorded.
    on_record: Option<f64>,
}

impl Counted {
    /// Nothing yet of a file of this conversation, its main one or another.
    pub(super) fn new(meta: &Meta, (id, main): (ConversationId, bool)) -> Counted {
        let known = meta.claude_sessions.iter().find(|c| c.id == id);
        let cost = known.and_then(|c| c.extra.get(COST)?.as_f64()).unwrap_or(0.0);
        Counted { on_record: main.then_some(cost), ..Counted::default() }
    }

    /// What the conversation has cost, in US dollars.
    pub(super) fn total(&self) -> f64 {
        (self.cost_before + self.cost).max(self.on_record.unwrap_or(0.0))
    }

    /// Whether the status line has spoken: it says more of the cost than claude's file can.
    pub(super) fn is_shown(&self) -> bool {
        self.on_record.is_none()
    }

    /// What claude's file says next. Claude may begin to count anew when it goes on with a conversation.
    pub(super) fn costs(&mut self, cost: f64) {
        if cost < self.cost {
            self.cost_before += self.cost;
        }
        self.cost = cost;
    }

    /// The same as the status line says it. The first time it does, claude may know of all that is on record, or go on
    /// from what its file says, or from nothing.
    pub(super) fn shows(&mut self, cost: f64) {
        if let Some(on_record) = self.on_record.take().filter(|all| self.cost_before + cost < *all) {
            self.cost_before += (on_record - self.cost_before - self.cost).max(0.0);
        }
        self.costs(cost);
    }
}
