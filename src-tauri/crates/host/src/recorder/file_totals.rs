//! Totals of a conversation's main transcript file, or of all its subagents' files: the cost, and the lines
//! that are unknown or cannot be read.
//!
//! Performs no I/O. Claude reports its cost occasionally in the transcript and immediately in its status
//! line. When claude resumes a conversation, the reported cost may restart from 0. The total never falls
//! below the recorded value.

use bc_core::{ids::ConversationId, session::Meta};
use std::collections::BTreeMap;

/// The field with a conversation's cost in `meta.json`, in US dollars.
pub(super) const COST: &str = "cost_usd";

/// The totals since the beginning of the file. Rereading a main file therefore counts no line twice.
#[derive(Default)]
pub(super) struct FileTotals {
    cost_before: f64,
    cost: f64,
    /// The number of lines that are unknown or cannot be read, by kind.
    pub(super) unknown: BTreeMap<String, u64>,
    /// The recorded cost, until the status line shows from which value claude continues counting. After a
    /// kill, the transcript may lack the last costs.
    on_record: Option<f64>,
}

impl FileTotals {
    /// Creates empty totals for this conversation. `main`: whether they are those of its main file.
    pub(super) fn new(meta: &Meta, (id, main): (ConversationId, bool)) -> FileTotals {
        let known = meta.claude_sessions.iter().find(|c| c.id == id);
        let cost = known.and_then(|c| c.extra.get(COST)?.as_f64()).unwrap_or(0.0);
        FileTotals { on_record: main.then_some(cost), ..FileTotals::default() }
    }

    /// Counts a line that is unknown or cannot be read.
    pub(super) fn add_unknown(&mut self, kind: String) {
        *self.unknown.entry(kind).or_default() += 1;
    }

    /// The conversation's cost, in US dollars.
    pub(super) fn total(&self) -> f64 {
        (self.cost_before + self.cost).max(self.on_record.unwrap_or(0.0))
    }

    /// Whether the status line has reported the cost, which is more precise than the transcript.
    pub(super) fn has_status_line_cost(&self) -> bool {
        self.on_record.is_none()
    }

    /// Adds the next cost in the transcript. A lower value means that claude has restarted from 0.
    pub(super) fn add_transcript_cost(&mut self, cost: f64) {
        if cost < self.cost {
            self.cost_before += self.cost;
        }
        self.cost = cost;
    }

    /// Adds a cost from the status line. The first one may include the whole recorded cost, continue from the
    /// transcript's cost, or start from 0.
    pub(super) fn add_status_line_cost(&mut self, cost: f64) {
        if let Some(on_record) = self.on_record.take().filter(|all| self.cost_before + cost < *all) {
            self.cost_before += (on_record - self.cost_before - self.cost).max(0.0);
        }
        self.add_transcript_cost(cost);
    }
}
