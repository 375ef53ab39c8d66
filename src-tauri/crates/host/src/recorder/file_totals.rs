//! Totals of one transcript file: its conversation's cost and its unreadable lines.
//!
//! Pure. Claude reports its cost occasionally in the transcript and immediately in its status line. On resuming a
//! conversation it may or may not restart from 0. The total never falls below the recorded value.

use bc_core::{ids::ConversationId, session::Meta};
use std::collections::BTreeMap;

/// The field of a conversation in `meta.json` with its cost, in US dollars.
pub(super) const COST: &str = "cost_usd";

/// Totals from the beginning of the file, so that rereading it counts nothing twice.
#[derive(Default)]
pub(super) struct FileTotals {
    cost_before: f64,
    cost: f64,
    /// Unreadable lines by kind.
    pub(super) unknown: BTreeMap<String, u64>,
    /// The recorded cost, until the status line shows where claude continues counting: after a kill, the transcript
    /// may lack the last costs.
    on_record: Option<f64>,
}

impl FileTotals {
    /// The empty totals of a file of this conversation; `main` for its main file.
    pub(super) fn new(meta: &Meta, (id, main): (ConversationId, bool)) -> FileTotals {
        let known = meta.claude_sessions.iter().find(|c| c.id == id);
        let cost = known.and_then(|c| c.extra.get(COST)?.as_f64()).unwrap_or(0.0);
        FileTotals { on_record: main.then_some(cost), ..FileTotals::default() }
    }

    /// A line is unreadable.
    pub(super) fn is_unknown(&mut self, kind: String) {
        *self.unknown.entry(kind).or_default() += 1;
    }

    /// The conversation's cost, in US dollars.
    pub(super) fn total(&self) -> f64 {
        (self.cost_before + self.cost).max(self.on_record.unwrap_or(0.0))
    }

    /// Whether the status line has reported the cost, which is more precise than the transcript.
    pub(super) fn is_shown(&self) -> bool {
        self.on_record.is_none()
    }

    /// The next cost in the transcript. Claude may restart from 0 when it resumes a conversation.
    pub(super) fn costs(&mut self, cost: f64) {
        if cost < self.cost {
            self.cost_before += self.cost;
        }
        self.cost = cost;
    }

    /// A cost from the status line. The first one may include the whole recorded cost, continue from the
    /// transcript's, or start from 0.
    pub(super) fn shows(&mut self, cost: f64) {
        if let Some(on_record) = self.on_record.take().filter(|all| self.cost_before + cost < *all) {
            self.cost_before += (on_record - self.cost_before - self.cost).max(0.0);
        }
        self.costs(cost);
    }
}
