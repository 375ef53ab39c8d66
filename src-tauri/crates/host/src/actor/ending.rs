//! Handles the end of claude and of the session.

use super::{SessionActor, input::ActorInput, stopping::StopAction};
use crate::{prompt_state::Fact, protocol::StopKind};
use bc_core::session::PauseReason;
use bc_process::{
    descendants::{self, Family},
    pty::Exit,
};
use std::{
    io, thread,
    time::{Duration, Instant},
};

/// The time limit for descendants to exit after SIGTERM.
const FAMILY_WITHIN: Duration = Duration::from_secs(3);

impl SessionActor {
    /// Handles a request to end the host: the session is paused as interrupted. If an earlier end cannot be
    /// saved, the host exits immediately.
    pub(super) fn on_terminate(&mut self) {
        if !self.stopping.give_up_unsaved() {
            self.stop(StopKind::Pause(PauseReason::Interrupted));
        }
    }

    pub(super) fn stop(&mut self, then: StopKind) {
        if self.stopping.begin(then, Instant::now()) {
            self.refuse_untyped_prompts();
            self.stopping.signal_term();
        }
    }

    fn refuse_untyped_prompts(&mut self) {
        self.prompt_queue.on_disturbed(&mut self.claude, &mut self.effects);
        self.prompt_queue.refuse_untyped(&mut self.effects);
    }

    pub(super) fn on_child_ended(&mut self, exit: io::Result<Exit>) {
        self.stopping.on_child_ended(exit);
        self.claude.prompt.apply(Fact::Exited);
        self.startup.remove_system_prompt();
        self.permissions.all_over(&mut self.claude.prompt, &mut self.effects);
        self.refuse_untyped_prompts();
        // A commit made at the last moment belongs to this session.
        self.bead_work.check_commits();
        // The end hooks run before the remaining processes are terminated.
        let conversation = self.record_status.conversation;
        self.lifecycle_hooks.on_agent_ended(self.stopping.then(), conversation);
        self.stopping.wait_for_helpers(self.lifecycle_hooks.is_busy(), Instant::now());
        self.on_work_done();
    }

    /// Continues the shutdown when the background worker and the lifecycle hooks are idle.
    pub(super) fn on_work_done(&mut self) {
        if !self.bead_work.is_busy() && !self.lifecycle_hooks.is_busy() {
            let action = self.stopping.on_helpers_idle();
            self.carry_out_stop(action);
        }
    }

    pub(super) fn carry_out_stop(&mut self, action: Option<StopAction>) {
        match action {
            None => {}
            Some(StopAction::HangUp) => self.claude.terminal.hang_up(),
            Some(StopAction::EndFamily) => self.end_family(),
            Some(StopAction::WriteEnd) => {
                let screen = self.claude.terminal.screen().text();
                let note = self.stopping.exit_note(screen, (self.now)());
                self.claude.terminal.hang_up();
                self.startup.on_exit(&note, &mut self.effects);
                self.stopping.write_end(note, &mut self.effects);
            }
        }
    }

    fn end_family(&mut self) {
        let family = Family { session: self.spec.session.to_string(), root: Some(self.host) };
        let inbox = self.inbox.clone();
        let started = thread::Builder::new().name("family".into()).spawn(move || {
            let ended = descendants::end_all(&family, FAMILY_WITHIN);
            // This fails only if the host is exiting and the receiver was dropped.
            let _ = inbox.send(ActorInput::FamilyEnded(ended));
        });
        if let Err(error) = started {
            self.stopping.on_family_ended(Err(error), Instant::now());
        }
    }
}
