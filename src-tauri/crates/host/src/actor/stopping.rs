//! Ends claude and the session gracefully. Claude gets SIGTERM; if it does not exit, its terminal is closed,
//! and then it is killed. All descendants are terminated, the rest of the transcript is read, and the
//! session's new state is saved. Only then do waiting clients get their answer, unless the disk is full.
//!
//! This part decides; the actor carries out each [`StopAction`]. Invariant: stages are entered in order.

use super::effects::Effects;
use crate::{
    client_id::ClientId,
    exit_note::ExitNote,
    protocol::{Happening, Refused, RefusedCode, StopKind, Stopped},
    recorder::Note,
};
use bc_core::session::{Event, PauseReason, Status};
use bc_process::{
    descendants::{EndReport, Identity, Signal},
    pty::Exit,
};
use std::{
    io,
    time::{Duration, Instant},
};

/// The time limit for claude to exit after SIGTERM, including its SessionEnd hooks.
const TERM_WITHIN: Duration = Duration::from_secs(10);

/// The time limit for claude to exit after its terminal was closed.
const HANG_UP_WITHIN: Duration = Duration::from_secs(3);

/// The time limit for the last helper requests. Their processes are children of the host, which then
/// terminates them.
const HELPERS_WITHIN: Duration = Duration::from_secs(10);

/// The time limit for all end hooks and the last helper requests together, if hooks run.
const END_HOOKS_WITHIN: Duration = Duration::from_secs(120);

/// How long to wait for claude's last output after all processes have exited.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    Asked,
    HungUp,
    Killed,
    /// Claude has exited; helper requests and end hooks are running.
    Helpers,
    /// The descendants are being terminated.
    Family,
    /// All processes have exited; the actor waits for the last output.
    LastOutput,
    /// The recorder is saving the final state.
    Writing,
    Done,
}

/// The actor's next action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopAction {
    /// Close claude's terminal.
    HangUp,
    /// Terminate all descendants of the host.
    EndFamily,
    /// Report the end, with the last screen: [`Stopping::write_end`].
    WriteEnd,
}

pub(super) struct Stopping {
    stage: Stage,
    deadline: Option<Instant>,
    /// Claude's process, until it has exited.
    agent: Option<Identity>,
    /// Whether claude runs through a runner, such as ssh.
    by_runner: bool,
    /// The requested next state of the session; absent without a request.
    then: Option<StopKind>,
    askers: Vec<(ClientId, u64)>,
    exit: Option<Exit>,
    /// The processes that could not be terminated.
    left: Vec<String>,
    note: Option<ExitNote>,
    /// Why the session's new state is not saved yet after claude has exited.
    unsaved: Option<String>,
    output_ended: bool,
}

impl Stopping {
    pub(super) fn new(agent: Option<Identity>, by_runner: bool) -> Stopping {
        Stopping {
            stage: Stage::Running,
            deadline: None,
            agent,
            by_runner,
            then: None,
            askers: Vec::new(),
            exit: None,
            left: Vec::new(),
            note: None,
            unsaved: None,
            output_ended: false,
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.stage != Stage::Running
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Claude's process; `None` once it has exited.
    pub(super) fn agent(&self) -> Option<Identity> {
        self.agent
    }

    /// The note about claude's exit, once it is known.
    pub(super) fn note(&self) -> Option<&ExitNote> {
        self.note.as_ref()
    }

    /// The requested next state.
    pub(super) fn then(&self) -> Option<StopKind> {
        self.then
    }

    pub(super) fn unsaved(&self) -> Option<&String> {
        self.unsaved.as_ref()
    }

    /// The event that ends the run after claude has exited with this code: the requested one, or else a pause.
    /// Claude exits with code 0 when the user quits it. For a runner, any other exit may be a broken
    /// connection, so the session can continue later.
    fn event(&self, code: Option<u32>) -> Event {
        match self.then {
            Some(StopKind::Pause(reason)) => Event::Pause(reason),
            Some(StopKind::Close(reason)) => Event::Close(reason),
            None if self.by_runner && code != Some(0) => Event::Pause(PauseReason::Interrupted),
            None => Event::Pause(PauseReason::Exited),
        }
    }

    pub(super) fn forget(&mut self, id: ClientId) {
        self.askers.retain(|(client, _)| *client != id);
    }

    fn enter(&mut self, stage: Stage, deadline: Option<Instant>) {
        (self.stage, self.deadline) = (stage, deadline);
    }

    /// Requests the end of the session. The client gets its answer when the new state is saved, or when it
    /// cannot be saved. A repeated request does not signal claude again. A close overrides a pause, and an
    /// end without a request.
    ///
    /// # Errors
    /// Fails if the session is already ending in another way.
    pub(super) fn ask(
        &mut self,
        client: ClientId,
        request: u64,
        then: StopKind,
        effects: &mut Effects,
    ) -> Result<(), Refused> {
        if self.has_begun() && self.then != Some(then) {
            if !matches!((then, self.then), (StopKind::Close(_), Some(StopKind::Pause(_)) | None)) {
                let message = "the session is already ending; check it again in a moment";
                return Err(Refused::new(RefusedCode::State, message));
            }
            self.close_instead(then, effects);
        }
        self.askers.push((client, request));
        Ok(())
    }

    /// Closes a session that is being paused. If the recorder has already saved the pause, the answer reports
    /// it, and the client closes the session without a host.
    fn close_instead(&mut self, then: StopKind, effects: &mut Effects) {
        self.then = Some(then);
        if let (Stage::Writing, Some(note)) = (self.stage, self.note.clone()) {
            effects.note(Note::Finish { event: self.event(note.exit.code), note });
        }
    }

    /// Begins the shutdown. Returns false if it had already begun; otherwise the caller signals claude.
    pub(super) fn begin(&mut self, then: StopKind, now: Instant) -> bool {
        if self.has_begun() {
            return false;
        }
        tracing::info!(?then, "stopping");
        self.then = Some(then);
        self.enter(Stage::Asked, Some(now + TERM_WITHIN));
        true
    }

    /// Sends SIGTERM to claude, and SIGCONT in case it is stopped.
    pub(super) fn signal_term(&self) {
        self.signal(Signal::Term);
        self.signal(Signal::Cont);
    }

    fn signal(&self, signal: Signal) {
        if let Some(agent) = self.agent {
            // The process may be exiting at this moment; the next stage handles a failure.
            let _ = agent.signal(signal);
        }
    }

    /// Called when the host is asked to end. If the new state could not be saved, the host ends immediately,
    /// and the next start finds an interrupted session. Returns whether the host ends immediately.
    pub(super) fn give_up_unsaved(&mut self) -> bool {
        if self.unsaved.is_some() {
            self.enter(Stage::Done, None);
        }
        self.unsaved.is_some()
    }

    /// Enters the next stage if the current one's time limit has passed, or if the awaited output has ended.
    /// Returns the actor's next action.
    pub(super) fn on_deadline(&mut self, now: Instant) -> Option<StopAction> {
        let no_more_output = self.stage == Stage::LastOutput && self.output_ended;
        if !no_more_output && self.deadline.is_none_or(|at| at > now) {
            return None;
        }
        match self.stage {
            Stage::Asked => {
                self.enter(Stage::HungUp, Some(now + HANG_UP_WITHIN));
                Some(StopAction::HangUp)
            }
            Stage::HungUp => {
                self.signal(Signal::Kill);
                self.enter(Stage::Killed, None);
                None
            }
            Stage::Helpers => Some(self.end_family()),
            Stage::LastOutput => {
                self.enter(Stage::Writing, None);
                Some(StopAction::WriteEnd)
            }
            Stage::Running | Stage::Killed | Stage::Family | Stage::Writing | Stage::Done => {
                self.deadline = None;
                None
            }
        }
    }

    pub(super) fn on_child_ended(&mut self, exit: io::Result<Exit>) {
        self.exit = exit.ok();
        self.agent = None;
    }

    /// Waits for hooks and helper requests after claude has exited. `hooks_run`: whether lifecycle hooks are
    /// running or queued.
    pub(super) fn wait_for_helpers(&mut self, hooks_run: bool, now: Instant) {
        let within = if hooks_run { END_HOOKS_WITHIN } else { HELPERS_WITHIN };
        self.enter(Stage::Helpers, Some(now + within));
    }

    /// Called when no helper request and no hook is running.
    pub(super) fn on_helpers_idle(&mut self) -> Option<StopAction> {
        (self.stage == Stage::Helpers).then(|| self.end_family())
    }

    fn end_family(&mut self) -> StopAction {
        self.enter(Stage::Family, None);
        StopAction::EndFamily
    }

    /// Called when all descendants have exited, or could not be terminated.
    pub(super) fn on_family_ended(&mut self, ended: io::Result<EndReport>, now: Instant) {
        self.left = match ended {
            Ok(ended) => ended.left.iter().map(|m| format!("{} ({})", m.name, m.identity.pid)).collect(),
            Err(error) => vec![format!("unknown: cannot list the processes: {error}")],
        };
        self.enter(Stage::LastOutput, Some(now + LAST_OUTPUT));
    }

    /// Called when claude's output has ended.
    pub(super) fn on_output_ended(&mut self) {
        self.output_ended = true;
    }

    /// Creates the note about claude's exit, with its last screen.
    pub(super) fn exit_note(&mut self, screen: String, at: bc_core::Timestamp) -> ExitNote {
        let exit = self.exit.take().unwrap_or(Exit { code: None, signal: None });
        ExitNote { exit, asked: self.then.is_some(), screen, at }
    }

    /// Publishes the exit and makes the recorder save the new state.
    pub(super) fn write_end(&mut self, note: ExitNote, effects: &mut Effects) {
        effects.publish(Happening::Exited { note: note.clone() });
        let event = self.event(note.exit.code);
        self.note = Some(note.clone());
        effects.note(Note::Finish { event, note });
    }

    /// Called when the recorder cannot save the session's new state and keeps retrying.
    pub(super) fn on_unsaved(&mut self, why: &str, effects: &mut Effects) {
        let text = format!(
            "claude has ended, but this is not saved yet: {why}. It is saved as soon as there is disk space"
        );
        if self.unsaved.as_ref() != Some(&text) {
            self.unsaved = Some(text.clone());
            effects.publish_trouble(text);
        }
        self.answer_unsaved(effects);
    }

    /// Answers waiting clients without a saved state, because the disk may stay full.
    pub(super) fn answer_unsaved(&mut self, effects: &mut Effects) {
        if self.unsaved.is_none() {
            return;
        }
        let status = match self.then {
            Some(StopKind::Close(_)) => Status::Closed,
            _ => Status::Paused,
        };
        let stopped = Stopped { status, left: self.left.clone(), unsaved: self.unsaved.clone() };
        for (client, request) in std::mem::take(&mut self.askers) {
            effects.reply(client, request, &stopped);
        }
    }

    /// Called when the session has its final state, or when saving it failed.
    pub(super) fn on_finished(&mut self, outcome: Result<Status, String>, effects: &mut Effects) {
        let askers = std::mem::take(&mut self.askers);
        self.unsaved = None;
        match outcome {
            Ok(status) => {
                let stopped = Stopped { status, left: std::mem::take(&mut self.left), unsaved: None };
                for (client, request) in askers {
                    effects.reply(client, request, &stopped);
                }
                effects.publish(Happening::Status { status });
            }
            Err(message) => {
                let message =
                    format!("claude has ended, but the session's new state could not be saved: {message}");
                for (client, request) in askers {
                    effects.refuse(client, request, Refused::new(RefusedCode::Failed, &message));
                }
                effects.publish_trouble(message);
            }
        }
        self.enter(Stage::Done, None);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::effects::Effect, *};
    use bc_core::session::CloseReason;

    const PAUSE: StopKind = StopKind::Pause(PauseReason::User);
    const CLOSE: StopKind = StopKind::Close(CloseReason::User);

    /// A stop in which the recorder is saving the final state.
    fn writing(then: Option<StopKind>, runner: bool, code: Option<u32>) -> (Stopping, Effects) {
        let (mut stopping, mut effects, now) =
            (Stopping::new(None, runner), Effects::default(), Instant::now());
        if let Some(then) = then {
            stopping.ask(1, 7, then, &mut effects).unwrap();
            assert!(stopping.begin(then, now));
        }
        stopping.on_child_ended(Ok(Exit { code, signal: None }));
        stopping.wait_for_helpers(false, now);
        assert_eq!(stopping.on_helpers_idle(), Some(StopAction::EndFamily));
        assert_eq!(stopping.on_helpers_idle(), None);
        stopping.on_family_ended(Ok(EndReport::default()), now);
        assert_eq!(stopping.on_deadline(now), None, "the last output may follow");
        stopping.on_output_ended();
        assert_eq!(stopping.on_deadline(now), Some(StopAction::WriteEnd));
        let note = stopping.exit_note("screen".into(), chrono::DateTime::UNIX_EPOCH.fixed_offset());
        stopping.write_end(note, &mut effects);
        (stopping, effects)
    }

    /// The event that the recorder saves.
    fn event(effects: &mut Effects) -> Event {
        let mut notes = effects.take().into_iter().filter_map(|effect| match effect {
            Effect::Note(Note::Finish { event, .. }) => Some(event),
            _ => None,
        });
        notes.next_back().unwrap()
    }

    #[test]
    fn a_client_is_answered_only_after_the_state_is_saved() {
        let (mut stopping, mut effects) = writing(Some(PAUSE), false, Some(0));
        assert!(effects.replies::<Stopped>().is_empty() && !stopping.is_done());
        stopping.on_finished(Ok(Status::Paused), &mut effects);
        let replies = effects.replies::<Stopped>();
        assert_eq!((replies.len(), replies[0].status, stopping.is_done()), (1, Status::Paused, true));
    }

    #[test]
    fn a_claude_that_does_not_end_is_hung_up_on_and_killed() {
        let (mut stopping, now) = (Stopping::new(None, false), Instant::now());
        assert!(stopping.begin(PAUSE, now) && !stopping.begin(CLOSE, now));
        assert_eq!(stopping.on_deadline(now), None);
        assert_eq!(stopping.on_deadline(now + TERM_WITHIN), Some(StopAction::HangUp));
        assert_eq!(stopping.on_deadline(now + TERM_WITHIN), None);
        assert_eq!(stopping.on_deadline(now + TERM_WITHIN + HANG_UP_WITHIN), None);
        assert_eq!((stopping.stage, stopping.deadline()), (Stage::Killed, None));
    }

    #[test]
    fn a_close_overrides_a_pause_even_while_it_is_written_but_not_the_reverse() {
        let (mut stopping, mut effects) = writing(Some(PAUSE), false, Some(0));
        assert_eq!(event(&mut effects), Event::Pause(PauseReason::User));
        stopping.ask(2, 8, CLOSE, &mut effects).unwrap();
        assert_eq!(event(&mut effects), Event::Close(CloseReason::User));
        let refused = stopping.ask(3, 9, PAUSE, &mut effects).unwrap_err();
        assert_eq!(refused.code, RefusedCode::State);
    }

    #[test]
    fn an_unrequested_end_is_a_pause_and_with_a_runner_perhaps_a_broken_connection() {
        let saved = |runner, code| event(&mut writing(None, runner, code).1);
        assert_eq!(saved(false, Some(1)), Event::Pause(PauseReason::Exited));
        assert_eq!(saved(true, Some(0)), Event::Pause(PauseReason::Exited));
        assert_eq!(saved(true, Some(255)), Event::Pause(PauseReason::Interrupted));
        assert_eq!(saved(true, None), Event::Pause(PauseReason::Interrupted));
    }

    #[test]
    fn a_full_disk_keeps_no_client_waiting() {
        let (mut stopping, mut effects) = writing(Some(CLOSE), false, Some(0));
        stopping.on_unsaved("no space", &mut effects);
        let replies = effects.replies::<Stopped>();
        assert_eq!((replies[0].status, replies[0].unsaved.is_some()), (Status::Closed, true));
        assert!(!stopping.is_done(), "the recorder keeps trying");
        assert!(stopping.give_up_unsaved() && stopping.is_done());
    }
}
