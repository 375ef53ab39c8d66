//! The outcome of claude's start, and the clients that wait for it.

use super::SessionActor;
use crate::{client_id::ClientId, exit_note::ExitNote, prompt_state::Fact, protocol::Readiness};
use std::time::{Duration, Instant};

/// How long claude's terminal must be quiet to count as waiting for the user; claude's startup has pauses itself.
const QUIET_FOR: Duration = Duration::from_secs(2);

/// Before this, nothing is concluded: on a busy machine claude may still be loading.
const LOADING_FOR: Duration = Duration::from_secs(4);

pub(super) struct StartupReadiness {
    started: Instant,
    last_output: Option<Instant>,
    ready: bool,
    /// Whether the start was quiet before: a later client is answered when it is quiet again.
    quiet: bool,
    askers: Vec<(ClientId, u64)>,
}

impl StartupReadiness {
    pub(super) fn new(now: Instant) -> StartupReadiness {
        StartupReadiness { started: now, last_output: None, ready: false, quiet: false, askers: Vec::new() }
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
        self.last_output.map(|at| (at + QUIET_FOR).max(self.started + LOADING_FOR))
    }
}

impl SessionActor {
    pub(super) fn wait_ready(&mut self, id: ClientId, request: u64) {
        self.startup.askers.push((id, request));
        if self.startup.ready {
            self.answer_startup(&Readiness::Ready);
        } else if let Some(note) = self.stopping.note() {
            let exited = Readiness::Exited { note: note.clone() };
            self.answer_startup(&exited);
        }
    }

    pub(super) fn on_ready(&mut self) {
        self.startup.ready = true;
        self.remove_system_prompt_file();
        self.answer_startup(&Readiness::Ready);
    }

    /// Removes the file once claude has read it or has ended.
    pub(super) fn remove_system_prompt_file(&self) {
        if self.spec.system_prompt.is_some() {
            // Otherwise it stays in the user's runtime folder, which ends with the login.
            let _ = bc_store::file::remove(&self.spec.system_prompt_file());
        }
    }

    pub(super) fn on_exit_noted(&mut self, note: &ExitNote) {
        self.answer_startup(&Readiness::Exited { note: note.clone() });
    }

    pub(super) fn on_quiet_deadline(&mut self, now: Instant) {
        if self.startup.deadline().is_none_or(|at| at > now) {
            return;
        }
        // Output is reported when it begins; it may still continue.
        self.note_output();
        let due = self.startup.deadline().is_some_and(|at| at <= now);
        if due && !self.terminal.screen().text().is_empty() {
            let screen = self.terminal.screen().text();
            self.startup.quiet = true;
            // At its prompt claude asks nothing: a policy disables its hooks.
            if self.terminal.prompt_box().is_none() {
                self.prompt.apply(Fact::AsksAtStart);
            }
            self.answer_startup(&Readiness::Quiet { screen });
        } else if due {
            // Only invisible sequences: claude has not drawn anything yet.
            self.startup.last_output = None;
        }
    }

    fn answer_startup(&mut self, readiness: &Readiness) {
        for (id, request) in std::mem::take(&mut self.startup.askers) {
            self.reply(id, request, readiness);
        }
    }
}
