//! Ends claude and the session in order. Claude gets SIGTERM, then its terminal is closed, then it is killed. All
//! descendants are terminated, the end of the transcript is read, and the session's new state is saved. Only then do
//! waiting clients get their answer.

use super::{SessionActor, input::ActorInput, lifecycle_hooks};
use crate::{
    client_id::ClientId,
    exit_note::ExitNote,
    prompt_state::Fact,
    protocol::{Happening, Refused, RefusedCode, StopKind, Stopped},
    recorder::Note,
};
use bc_core::session::{Event, PauseReason, Status};
use bc_process::{
    descendants::{self, EndReport, Family, Signal},
    pty::Exit,
};
use std::{
    io, thread,
    time::{Duration, Instant},
};

/// How long claude may take after SIGTERM: it runs its SessionEnd hooks first.
const TERM_WITHIN: Duration = Duration::from_secs(10);

/// How long it may take after its terminal was closed.
const HANG_UP_WITHIN: Duration = Duration::from_secs(3);

/// The time limit of the last helper requests: they are children of this process and would be terminated.
const HELPERS_WITHIN: Duration = Duration::from_secs(10);

/// How long its descendants may take after SIGTERM.
const FAMILY_WITHIN: Duration = Duration::from_secs(3);

/// How long its last output is awaited after its end.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Running,
    Asked,
    HungUp,
    Killed,
    /// Claude has ended; helper requests and end hooks are running.
    Helpers,
    /// The descendants are being terminated.
    Family,
    /// All processes have ended; the last output is awaited.
    LastOutput,
    /// The recorder saves the final state.
    Writing,
    Done,
}

#[derive(Default)]
pub(super) struct Stopping {
    stage: Stage,
    deadline: Option<Instant>,
    /// The session's next state; absent when claude ended without a request.
    then: Option<StopKind>,
    askers: Vec<(ClientId, u64)>,
    exit: Option<Exit>,
    left: Vec<String>,
    note: Option<ExitNote>,
    /// Why the session's new state is not saved yet although claude has ended.
    unsaved: Option<String>,
    pub(super) output_ended: bool,
}

impl Stopping {
    pub(super) fn has_begun(&self) -> bool {
        self.stage != Stage::Running
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(super) fn note(&self) -> Option<&ExitNote> {
        self.note.as_ref()
    }

    pub(super) fn unsaved(&self) -> Option<&String> {
        self.unsaved.as_ref()
    }

    /// The session's event; `unasked` if claude ended without a request.
    fn event(&self, unasked: PauseReason) -> Event {
        match self.then {
            Some(StopKind::Pause(reason)) => Event::Pause(reason),
            Some(StopKind::Close(reason)) => Event::Close(reason),
            None => Event::Pause(unasked),
        }
    }

    pub(super) fn forget(&mut self, id: ClientId) {
        self.askers.retain(|(client, _)| *client != id);
    }

    fn enter(&mut self, stage: Stage, within: Option<Duration>) {
        self.stage = stage;
        self.deadline = within.map(|within| Instant::now() + within);
    }
}

impl SessionActor {
    /// Ends claude for a client. Repeated requests end it once. A close overrides a pause; otherwise the first
    /// request decides.
    pub(super) fn stop_for(&mut self, id: ClientId, request: u64, then: StopKind) -> Result<(), Refused> {
        if self.stopping.has_begun() && self.stopping.then != Some(then) {
            match (then, self.stopping.then) {
                (StopKind::Close(_), Some(StopKind::Pause(_)) | None) => self.close_instead(then),
                _ => {
                    let message = "the session is already ending; check it again in a moment".to_owned();
                    return Err(Refused { code: RefusedCode::State, message });
                }
            }
        }
        self.stopping.askers.push((id, request));
        self.stop(then);
        self.answer_unsaved();
        Ok(())
    }

    /// Closes a session that was being paused. If the recorder has already saved the pause, the answer says so, and
    /// the client closes the session without a host.
    fn close_instead(&mut self, then: StopKind) {
        self.stopping.then = Some(then);
        if let (Stage::Writing, Some(note)) = (self.stopping.stage, self.stopping.note.clone()) {
            let event = self.stopping.event(PauseReason::Exited);
            self.note(Note::Finish { event, note });
        }
    }

    /// The recorder cannot save the session's new state and keeps trying.
    pub(super) fn on_unsaved(&mut self, why: &str) {
        let text = format!(
            "claude has ended, but this is not saved yet: {why}. It is saved as soon as there is disk space"
        );
        if self.stopping.unsaved.as_ref() != Some(&text) {
            self.stopping.unsaved = Some(text.clone());
            self.publish(Happening::Trouble { message: text });
        }
        self.answer_unsaved();
    }

    /// Clients do not wait for a disk that may stay full.
    fn answer_unsaved(&mut self) {
        if self.stopping.unsaved.is_none() {
            return;
        }
        let status = match self.stopping.event(PauseReason::Exited) {
            Event::Close(_) => Status::Closed,
            _ => Status::Paused,
        };
        let (left, unsaved) = (self.stopping.left.clone(), self.stopping.unsaved.clone());
        let stopped = Stopped { status, left, unsaved };
        for (id, request) in std::mem::take(&mut self.stopping.askers) {
            self.reply(id, request, &stopped);
        }
    }

    /// The host itself was asked to end: the session is interrupted in order.
    pub(super) fn on_terminate(&mut self) {
        if self.stopping.unsaved.is_some() {
            // The next start finds an interrupted session.
            return self.stopping.enter(Stage::Done, None);
        }
        self.stop(StopKind::Pause(PauseReason::Interrupted));
    }

    pub(super) fn stop(&mut self, then: StopKind) {
        if self.stopping.has_begun() {
            return;
        }
        tracing::info!(?then, "stopping");
        self.stopping.then = Some(then);
        self.on_text_disturbed();
        self.refuse_untyped_prompts();
        self.stopping.enter(Stage::Asked, Some(TERM_WITHIN));
        self.signal_agent(Signal::Term);
    }

    fn signal_agent(&self, signal: Signal) {
        if let Some(agent) = self.agent {
            // The process may just be ending; the next stage handles a failure.
            let _ = agent.signal(signal);
            if signal == Signal::Term {
                let _ = agent.signal(Signal::Cont);
            }
        }
    }

    pub(super) fn on_stop_deadline(&mut self, now: Instant) {
        let no_more_output = self.stopping.stage == Stage::LastOutput && self.stopping.output_ended;
        if !no_more_output && self.stopping.deadline.is_none_or(|at| at > now) {
            return;
        }
        match self.stopping.stage {
            Stage::Asked => {
                self.terminal.hang_up();
                self.stopping.enter(Stage::HungUp, Some(HANG_UP_WITHIN));
            }
            Stage::HungUp => {
                self.signal_agent(Signal::Kill);
                self.stopping.enter(Stage::Killed, None);
            }
            Stage::Helpers => self.end_family(),
            Stage::LastOutput => self.write_end(),
            Stage::Running | Stage::Killed | Stage::Family | Stage::Writing | Stage::Done => {
                self.stopping.deadline = None;
            }
        }
    }

    pub(super) fn on_child_ended(&mut self, exit: io::Result<Exit>) {
        self.stopping.exit = exit.ok();
        self.agent = None;
        self.prompt.apply(Fact::Exited);
        self.remove_system_prompt_file();
        let withdrawn = self.permissions.all_over();
        self.withdraw(withdrawn);
        self.on_text_disturbed();
        self.refuse_untyped_prompts();
        // A last-moment commit belongs to this session.
        self.check_commits();
        // Hooks hear of the end before anything is torn down.
        self.on_agent_gone(self.stopping.then);
        let within =
            if self.lifecycle_hooks.is_busy() { lifecycle_hooks::END_HOOKS_WITHIN } else { HELPERS_WITHIN };
        self.stopping.enter(Stage::Helpers, Some(within));
        self.on_work_done();
    }

    /// Continues the end once no helper request and no hook is running.
    pub(super) fn on_work_done(&mut self) {
        let rests = !self.bead_work.is_busy() && !self.lifecycle_hooks.is_busy();
        if self.stopping.stage == Stage::Helpers && rests {
            self.end_family();
        }
    }

    fn end_family(&mut self) {
        self.stopping.enter(Stage::Family, None);
        let family = Family { session: self.spec.session.to_string(), root: Some(self.host) };
        let inbox = self.inbox.clone();
        let started = thread::Builder::new().name("family".into()).spawn(move || {
            let ended = descendants::end_all(&family, FAMILY_WITHIN);
            // The receiver was dropped.
            let _ = inbox.send(ActorInput::FamilyEnded(ended));
        });
        if let Err(error) = started {
            self.on_family_ended(Err(error));
        }
    }

    pub(super) fn on_family_ended(&mut self, ended: io::Result<EndReport>) {
        self.stopping.left = match ended {
            Ok(ended) => ended.left.iter().map(|m| format!("{} ({})", m.name, m.identity.pid)).collect(),
            Err(error) => vec![format!("unknown: cannot list the processes: {error}")],
        };
        self.stopping.enter(Stage::LastOutput, Some(LAST_OUTPUT));
    }

    fn write_end(&mut self) {
        let exit = self.stopping.exit.take().unwrap_or(Exit { code: None, signal: None });
        let note = ExitNote {
            exit,
            asked: self.stopping.then.is_some(),
            screen: self.terminal.screen().text(),
            at: (self.now)(),
        };
        self.terminal.hang_up();
        self.on_exit_noted(&note);
        self.publish(Happening::Exited { note: note.clone() });
        let event = self.stopping.event(self.pause_reason_of_exit(note.exit.code));
        self.stopping.note = Some(note.clone());
        self.stopping.enter(Stage::Writing, None);
        self.note(Note::Finish { event, note });
    }

    /// Claude exits with code 0 when the user leaves it. For a runner, any other end may be a broken connection, so
    /// the session may continue later.
    fn pause_reason_of_exit(&self, code: Option<u32>) -> PauseReason {
        match (&self.spec.runner, code) {
            (Some(_), Some(1..) | None) => PauseReason::Interrupted,
            (Some(_), Some(0)) | (None, _) => PauseReason::Exited,
        }
    }

    pub(super) fn on_finished(&mut self, outcome: Result<Status, String>) {
        let askers = std::mem::take(&mut self.stopping.askers);
        self.stopping.unsaved = None;
        match outcome {
            Ok(status) => {
                let stopped =
                    Stopped { status, left: std::mem::take(&mut self.stopping.left), unsaved: None };
                for (id, request) in askers {
                    self.reply(id, request, &stopped);
                }
                self.publish(Happening::Status { status });
            }
            Err(message) => {
                let refused = Refused {
                    code: RefusedCode::Failed,
                    message: format!(
                        "claude has ended, but the session's new state could not be saved: {message}"
                    ),
                };
                for (id, request) in askers {
                    self.refuse(id, request, refused.clone());
                }
                self.publish(Happening::Trouble { message: refused.message });
            }
        }
        self.stopping.enter(Stage::Done, None);
    }
}
