//! Requests of control clients and attached terminals.

use super::SessionActor;
use crate::{
    client_id::ClientId,
    frame::Frame,
    protocol::{Call, HostStatus, Outcome, Refused, RefusedCode, Reply, Request},
};
use serde::Serialize;
use std::time::Duration;

impl SessionActor {
    pub(super) fn on_request(&mut self, id: ClientId, frame: &Frame) {
        // Without a request number no reply is possible: the connection is closed.
        let Ok(Request { request, call }) = frame.json() else { return self.on_disconnected(id) };
        match call {
            Call::Status => {
                let status = self.status();
                self.reply(id, request, &status);
            }
            Call::Screen => {
                let screen = self.terminal.screen().text();
                self.reply(id, request, &screen);
            }
            Call::Send { text } => {
                if let Err(refused) = self.send_text(id, request, &text) {
                    self.refuse(id, request, refused);
                }
            }
            Call::Forget { id: text } => {
                let outcome = self.forget_text(&text);
                self.reply_done(id, request, outcome);
            }
            Call::Retry { id: text } => {
                let outcome = self.retry_text(&text);
                self.reply_done(id, request, outcome);
            }
            Call::Interrupt => {
                let outcome = self.interrupt();
                self.reply_done(id, request, outcome);
            }
            Call::Permission { id: card, verdict } => {
                let outcome = self.decide(&card, verdict);
                self.reply_done(id, request, outcome);
            }
            Call::Mode { to } => {
                if let Err(refused) = self.change_mode(id, request, to) {
                    self.refuse(id, request, refused);
                }
            }
            Call::Stop { then } => {
                if let Err(refused) = self.stop_for(id, request, then) {
                    self.refuse(id, request, refused);
                }
            }
            Call::Subscribe => {
                if let Some(client) = self.clients.get_mut(&id) {
                    client.subscribed = true;
                }
                let events = self.events;
                self.reply(id, request, &events);
            }
            Call::Resize { size } => {
                self.on_resize(id, size);
                self.reply_done(id, request, Ok(()));
            }
            Call::WaitReady => self.wait_ready(id, request),
            Call::IdleAfter { ms } => {
                self.idle.set(ms.map(Duration::from_millis));
                self.reply_done(id, request, Ok(()));
            }
            Call::ReloadHooks => {
                self.reload_hooks();
                self.reply_done(id, request, Ok(()));
            }
            Call::BeadsChanged => {
                self.check_beads();
                self.reply_done(id, request, Ok(()));
            }
        }
    }

    pub(super) fn reply(&self, id: ClientId, request: u64, value: &impl Serialize) {
        let outcome = match serde_json::to_value(value) {
            Ok(value) => Outcome::Ok(value),
            Err(error) => Outcome::Error(Refused { code: RefusedCode::Failed, message: error.to_string() }),
        };
        self.send(id, Frame::control(&Reply { reply: request, outcome }));
    }

    pub(super) fn refuse(&self, id: ClientId, request: u64, refused: Refused) {
        self.send(id, Frame::control(&Reply { reply: request, outcome: Outcome::Error(refused) }));
    }

    fn reply_done(&self, id: ClientId, request: u64, outcome: Result<(), Refused>) {
        match outcome {
            Ok(()) => self.reply(id, request, &()),
            Err(refused) => self.refuse(id, request, refused),
        }
    }

    fn troubles(&self) -> impl Iterator<Item = &String> {
        self.stopping.unsaved().into_iter().chain(&self.trouble).chain(self.bead_work.trouble())
    }

    fn status(&mut self) -> HostStatus {
        HostStatus {
            session: self.spec.session,
            host: self.host,
            agent: self.agent,
            simulated: self.spec.simulated,
            activity: self.prompt.activity(),
            hold: self.prompt.hold().map(|hold| hold.to_string()),
            now: Some((self.now)()),
            activity_since: self.activity_since,
            permissions: self.permissions.cards().cloned().collect(),
            held: self.prompt_queue.held(),
            size: self.terminal.screen().size(),
            title: self.terminal.screen().title().to_owned(),
            mode: self.status_line.mode(),
            model: self.status_line.model(),
            context: self.status_line.context(),
            retry: self.status_line.retry().cloned(),
            attached: self.terminal.attached(),
            hooks_seen: self.hooks_seen,
            conversation: self.conversation,
            transcript: self.transcript.clone(),
            messages: self.messages,
            unknown_lines: self.unknown_lines,
            troubles: self.troubles().cloned().collect(),
            stopping: self.stopping.has_begun(),
        }
    }
}
