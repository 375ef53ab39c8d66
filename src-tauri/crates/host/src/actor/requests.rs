//! Routes the requests of control clients and attached terminals.

use super::{SessionActor, prompt_queue::session_ending};
use crate::{
    client_id::ClientId,
    frame::Frame,
    prompt_state::Activity,
    protocol::{Call, HostStatus, Refused, RefusedCode, Request, StopKind},
};
use std::time::{Duration, Instant};

impl SessionActor {
    pub(super) fn on_request(&mut self, id: ClientId, frame: &Frame) {
        // A request that cannot be decoded has no known number to reply to, so the connection is closed.
        let Ok(Request { request, call }) = frame.json() else { return self.on_disconnected(id) };
        let outcome = match call {
            Call::Status => {
                let status = self.status();
                return self.effects.reply(id, request, &status);
            }
            Call::Screen => {
                let screen = self.claude.terminal.screen().text();
                return self.effects.reply(id, request, &screen);
            }
            Call::Subscribe => {
                let events = self.clients.subscribe(id);
                return self.effects.reply(id, request, &events);
            }
            Call::WaitReady => {
                return self.startup.wait(id, request, self.stopping.note(), &mut self.effects);
            }
            Call::Send { text } => {
                let outcome = self.send_text(id, request, &text);
                return self.refuse_failed(id, request, outcome);
            }
            Call::Mode { to } => {
                let (typing, now) = (self.prompt_queue.is_typing(), Instant::now());
                let (claude, effects) = (&mut self.claude, &mut self.effects);
                let outcome = self.status_line.change_mode((id, request), to, typing, claude, now, effects);
                return self.refuse_failed(id, request, outcome);
            }
            Call::Stop { then } => {
                let outcome = self.stop_for(id, request, then);
                return self.refuse_failed(id, request, outcome);
            }
            Call::Forget { id: held } => self.prompt_queue.forget(&held, &mut self.effects),
            Call::Retry { id: held } => self.retry_text(&held),
            Call::EditText { id: held, text } => self.prompt_queue.edit(&held, &text, &mut self.effects),
            Call::MoveText { id: held, before } => {
                self.prompt_queue.move_before(&held, before.as_deref(), &mut self.effects)
            }
            Call::SendNow { id: held } => self.send_now(&held),
            Call::Interrupt => self.press_esc(),
            Call::Permission { id: card, verdict } => {
                self.permissions.decide(&card, verdict, &mut self.claude.prompt, &mut self.effects)
            }
            Call::Resize { size } => {
                self.claude.terminal.on_resize(id, size);
                Ok(())
            }
            Call::IdleAfter { ms } => {
                self.idle.after = ms.map(Duration::from_millis);
                Ok(())
            }
            Call::ReloadHooks => {
                self.lifecycle_hooks.reload(self.record_status.conversation);
                Ok(())
            }
            Call::BeadsChanged => {
                self.bead_work.check_beads();
                Ok(())
            }
        };
        self.effects.reply_done(id, request, outcome);
    }

    /// Replies to a failed request. The part that handles the request replies if it succeeds.
    fn refuse_failed(&mut self, id: ClientId, request: u64, outcome: Result<(), Refused>) {
        if let Err(refused) = outcome {
            self.effects.refuse(id, request, refused);
        }
    }

    fn send_text(&mut self, id: ClientId, request: u64, text: &str) -> Result<(), Refused> {
        if self.stopping.has_begun() {
            return Err(session_ending());
        }
        self.prompt_queue.add(id, request, text, Instant::now())?;
        self.clear_returned_prompt();
        self.type_next();
        self.prompt_queue.answer_held(&self.claude.prompt, Instant::now(), &mut self.effects);
        self.prompt_queue.publish_held(&mut self.effects);
        Ok(())
    }

    fn retry_text(&mut self, held: &str) -> Result<(), Refused> {
        self.prompt_queue.retry(held)?;
        self.clear_returned_prompt();
        self.type_next();
        self.prompt_queue.publish_held(&mut self.effects);
        Ok(())
    }

    /// Moves a prompt to the front and stops a running turn. Refused while a permission request is open,
    /// because Esc would answer it.
    fn send_now(&mut self, held: &str) -> Result<(), Refused> {
        if self.stopping.has_begun() {
            return Err(session_ending());
        }
        if self.claude.prompt.activity() == Activity::WaitingPermission {
            let message = "claude waits for a permission: decide it first, then send the text";
            return Err(Refused::new(RefusedCode::State, message));
        }
        self.prompt_queue.move_first(held, &mut self.effects)?;
        if self.claude.prompt.activity() == Activity::Working {
            self.press_esc()?;
        }
        self.clear_returned_prompt();
        self.type_next();
        self.prompt_queue.publish_held(&mut self.effects);
        Ok(())
    }

    /// Presses Esc to end the turn or to refuse the permission request. Does nothing where Esc has another
    /// meaning: at the prompt and just after another Esc.
    fn press_esc(&mut self) -> Result<(), Refused> {
        let now = Instant::now();
        if !self.interrupt.may_press(&self.claude.prompt, now) {
            return Ok(());
        }
        self.prompt_queue.on_disturbed(&mut self.claude, &mut self.effects);
        self.interrupt.press(&mut self.claude, now)
    }

    fn stop_for(&mut self, id: ClientId, request: u64, then: StopKind) -> Result<(), Refused> {
        self.stopping.ask(id, request, then, &mut self.effects)?;
        self.stop(then);
        self.stopping.answer_unsaved(&mut self.effects);
        Ok(())
    }

    fn status(&mut self) -> HostStatus {
        let screen = self.claude.terminal.screen();
        let (size, title) = (screen.size(), screen.title().to_owned());
        let record = &self.record_status;
        let troubles = [self.stopping.unsaved(), record.trouble.as_ref(), self.bead_work.trouble()];
        HostStatus {
            session: self.spec.session,
            host: self.host,
            agent: self.stopping.agent(),
            simulated: self.spec.simulated,
            activity: self.claude.prompt.activity(),
            hold: self.claude.prompt.hold().map(|hold| hold.to_string()),
            now: Some((self.now)()),
            activity_since: self.activity.since(),
            permissions: self.permissions.cards(),
            held: self.prompt_queue.held(),
            size,
            title,
            mode: self.status_line.mode(),
            model: self.status_line.model(),
            context: self.status_line.context(),
            retry: self.status_line.retry().cloned(),
            failure: self.failure.clone(),
            start_question: self.startup.question(),
            attached: self.claude.terminal.attached(),
            hooks_seen: record.hooks_seen,
            conversation: record.conversation,
            transcript: record.transcript.clone(),
            messages: record.messages,
            unknown_lines: record.unknown_lines,
            troubles: troubles.into_iter().flatten().cloned().collect(),
            stopping: self.stopping.has_begun(),
            unreachable_since: None,
        }
    }
}
