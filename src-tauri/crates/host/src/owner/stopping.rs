//! The end in order: claude is asked, then its terminal is closed, then it is killed; every descendant
//! is ended; the last lines of the transcript are read; the session has its new state on disk; only
//! then does whoever asked get an answer.

use super::{Input, Owner, lifecycle};
use crate::{
    prompt_state::Fact,
    protocol::{Happening, Refused, RefusedCode, StopKind, Stopped},
    scribe::{ExitNote, Note},
    server::ClientId,
};
use bc_core::session::{Event, PauseReason, Status};
use bc_process::{
    descendants::{self, Ended, Family, Signal},
    pty::Exit,
};
use std::{
    io, thread,
    time::{Duration, Instant},
};

/// How long claude may take to end after SIGTERM: it runs its SessionEnd hooks first.
const ASKED: Duration = Duration::from_secs(10);

/// How long it may take after its terminal was closed.
const HUNG_UP: Duration = Duration::from_secs(3);

/// How long the last words on its bead may take: they are children of ours, and would be ended.
const ERRANDS: Duration = Duration::from_secs(10);

/// How long its descendants may take after SIGTERM.
const FAMILY: Duration = Duration::from_secs(3);

/// How long its last output is waited for after it has ended.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Running,
    Asked,
    HungUp,
    Killed,
    /// Claude has ended, what it leaves on its bead is being written, hooks run for its end.
    Errands,
    /// That is done, its descendants are being ended.
    Family,
    /// All have ended, the last output is on its way.
    LastOutput,
    /// The scribe has the last word.
    Writing,
    Done,
}

#[derive(Default)]
pub(super) struct Stopping {
    stage: Stage,
    deadline: Option<Instant>,
    /// What becomes of the session; absent when claude ended by itself.
    then: Option<StopKind>,
    askers: Vec<(ClientId, u64)>,
    exit: Option<Exit>,
    left: Vec<String>,
    note: Option<ExitNote>,
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

    pub(super) fn forget(&mut self, id: ClientId) {
        self.askers.retain(|(client, _)| *client != id);
    }

    fn enter(&mut self, stage: Stage, within: Option<Duration>) {
        self.stage = stage;
        self.deadline = within.map(|within| Instant::now() + within);
    }
}

impl Owner {
    /// Ends claude for a client. Asked for twice, it ends once; the first to ask says what becomes of
    /// the session.
    pub(super) fn stop_for(&mut self, id: ClientId, request: u64, then: StopKind) -> Result<(), Refused> {
        if self.stopping.has_begun() && self.stopping.then != Some(then) {
            let message = "the session is being ended already; look at it again in a moment".to_owned();
            return Err(Refused { code: RefusedCode::State, message });
        }
        self.stopping.askers.push((id, request));
        self.stop(then);
        Ok(())
    }

    /// The host itself is asked to end: the session is interrupted, in order.
    pub(super) fn on_terminate(&mut self) {
        self.stop(StopKind::Pause(PauseReason::Interrupted));
    }

    pub(super) fn stop(&mut self, then: StopKind) {
        if self.stopping.has_begun() {
            return;
        }
        self.stopping.then = Some(then);
        self.on_text_disturbed();
        self.give_texts_back();
        self.stopping.enter(Stage::Asked, Some(ASKED));
        self.signal_agent(Signal::Term);
    }

    fn signal_agent(&self, signal: Signal) {
        if let Some(agent) = self.agent {
            // One that is just ending needs no signal, and another way comes after this one.
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
                self.stopping.enter(Stage::HungUp, Some(HUNG_UP));
            }
            Stage::HungUp => {
                self.signal_agent(Signal::Kill);
                self.stopping.enter(Stage::Killed, None);
            }
            Stage::Errands => self.end_family(),
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
        let withdrawn = self.permissions.all_over();
        self.withdraw(withdrawn);
        self.on_text_disturbed();
        self.give_texts_back();
        // A commit of the last moment is a commit of this session.
        self.look_at_head();
        // What ended is told to hooks while everybody still listens, and nothing is torn down before.
        self.on_agent_gone(self.stopping.then);
        let within = if self.hooked.is_busy() { lifecycle::ENDING } else { ERRANDS };
        self.stopping.enter(Stage::Errands, Some(within));
        self.on_work_done();
    }

    /// Goes on with the end once nothing is left to be written on the bead, and no hook runs.
    pub(super) fn on_work_done(&mut self) {
        let rests = !self.work.is_busy() && !self.hooked.is_busy();
        if self.stopping.stage == Stage::Errands && rests {
            self.end_family();
        }
    }

    fn end_family(&mut self) {
        self.stopping.enter(Stage::Family, None);
        let family = Family { session: self.spec.session.to_string(), root: Some(self.host) };
        let inbox = self.inbox.clone();
        let started = thread::Builder::new().name("family".into()).spawn(move || {
            let ended = descendants::end_all(&family, FAMILY);
            // An owner that is gone needs no word.
            let _ = inbox.send(Input::FamilyEnded(ended));
        });
        if let Err(error) = started {
            self.on_family_ended(Err(error));
        }
    }

    pub(super) fn on_family_ended(&mut self, ended: io::Result<Ended>) {
        self.stopping.left = match ended {
            Ok(ended) => ended.left.iter().map(|m| format!("{} ({})", m.name, m.identity.pid)).collect(),
            Err(error) => vec![format!("unknown, for the processes could not be listed: {error}")],
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
        self.tell(Happening::Exited { note: note.clone() });
        let event = match self.stopping.then {
            Some(StopKind::Pause(reason)) => Event::Pause(reason),
            Some(StopKind::Close(reason)) => Event::Close(reason),
            None => Event::Pause(self.ended_by_itself(note.exit.code)),
        };
        self.stopping.note = Some(note.clone());
        self.stopping.enter(Stage::Writing, None);
        self.note(Note::Finish { event, note });
    }

    /// Claude ends with code 0 when its person leaves it. Whatever else a runner ends with, the way there broke off, or
    /// nobody can tell: what was under way may go on.
    fn ended_by_itself(&self, code: Option<u32>) -> PauseReason {
        match (&self.spec.runner, code) {
            (Some(_), Some(1..) | None) => PauseReason::Interrupted,
            (Some(_), Some(0)) | (None, _) => PauseReason::Exited,
        }
    }

    pub(super) fn on_finished(&mut self, outcome: Result<Status, String>) {
        let askers = std::mem::take(&mut self.stopping.askers);
        match outcome {
            Ok(status) => {
                let stopped = Stopped { status, left: std::mem::take(&mut self.stopping.left) };
                for (id, request) in askers {
                    self.reply(id, request, &stopped);
                }
                self.tell(Happening::Status { status });
            }
            Err(message) => {
                let refused = Refused {
                    code: RefusedCode::Failed,
                    message: format!(
                        "claude has ended, but the session's new state could not be written: {message}"
                    ),
                };
                for (id, request) in askers {
                    self.refuse(id, request, refused.clone());
                }
                self.tell(Happening::Trouble { message: refused.message });
            }
        }
        self.stopping.enter(Stage::Done, None);
    }
}
