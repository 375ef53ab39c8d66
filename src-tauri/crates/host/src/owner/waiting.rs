//! What claude's start comes to, and those who wait to hear it.

use super::Owner;
use crate::{prompt_state::Fact, protocol::Readiness, scribe::ExitNote, server::ClientId};
use std::time::{Duration, Instant};

/// How long claude's terminal must be quiet to say that it waits for a person; its start-up has
/// pauses of its own.
const QUIET: Duration = Duration::from_secs(2);

/// Before that nothing is concluded: on a busy machine it may only just be loading.
const LOADING: Duration = Duration::from_secs(4);

pub(super) struct Waiting {
    started: Instant,
    last_output: Option<Instant>,
    ready: bool,
    /// It was quiet once: whoever asks later is told when it is so again.
    quiet: bool,
    askers: Vec<(ClientId, u64)>,
}

impl Waiting {
    pub(super) fn new(now: Instant) -> Waiting {
        Waiting { started: now, last_output: None, ready: false, quiet: false, askers: Vec::new() }
    }

    pub(super) fn on_output(&mut self, at: Instant) {
        self.last_output = Some(at);
    }

    pub(super) fn last_output(&self) -> Option<Instant> {
        self.last_output
    }

    pub(super) fn forget(&mut self, id: ClientId) {
        self.askers.retain(|(client, _)| *client != id);
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        if self.ready || (self.quiet && self.askers.is_empty()) {
            return None;
        }
        self.last_output.map(|at| (at + QUIET).max(self.started + LOADING))
    }
}

impl Owner {
    pub(super) fn wait_ready(&mut self, id: ClientId, request: u64) {
        self.waiting.askers.push((id, request));
        if self.waiting.ready {
            self.answer_waiting(&Readiness::Ready);
        } else if let Some(note) = self.stopping.note() {
            let exited = Readiness::Exited { note: note.clone() };
            self.answer_waiting(&exited);
        }
    }

    pub(super) fn on_ready(&mut self) {
        self.waiting.ready = true;
        self.answer_waiting(&Readiness::Ready);
    }

    pub(super) fn on_exit_noted(&mut self, note: &ExitNote) {
        self.answer_waiting(&Readiness::Exited { note: note.clone() });
    }

    pub(super) fn on_quiet(&mut self, now: Instant) {
        if self.waiting.deadline().is_none_or(|at| at > now) {
            return;
        }
        // Output is told of when it begins; it may not have ended since.
        self.hear_of_output();
        let due = self.waiting.deadline().is_some_and(|at| at <= now);
        if due && !self.terminal.screen().text().is_empty() {
            let screen = self.terminal.screen().text();
            self.waiting.quiet = true;
            // At its prompt it asks nothing: a policy keeps its hooks from us.
            if self.terminal.prompt_box().is_none() {
                self.prompt.apply(Fact::AsksAtStart);
            }
            self.answer_waiting(&Readiness::Quiet { screen });
        } else if due {
            // Sequences without anything to see: it is not that far yet.
            self.waiting.last_output = None;
        }
    }

    fn answer_waiting(&mut self, readiness: &Readiness) {
        for (id, request) in std::mem::take(&mut self.waiting.askers) {
            self.reply(id, request, readiness);
        }
    }
}
