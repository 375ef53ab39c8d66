//! The session's actor. It routes each message to the parts that it concerns, one message at a time.
//!
//! Each part owns its state, and gets other parts' state as parameters. It returns the facts that other parts
//! need, and adds [`effects`] for the recorder and for clients, which the actor carries out at the end of
//! each message. No part depends on the actor, so each part can be tested without a process.
//!
//! | part | owns |
//! |---|---|
//! | [`clients`] | connections, subscriptions, event numbers |
//! | [`claude_state`] | claude's terminal, the state of its prompt, the checks of its screen |
//! | [`prompt_queue`] | prompts for claude, on disk |
//! | [`interrupt`] | stopped turns and returned prompts |
//! | [`claude_status_line`] | mode, model, context usage and API retry |
//! | [`permission_requests`] | open permission requests |
//! | [`context_injection`], [`bead_work`] | text for claude's context; the facts behind the recovery block |
//! | [`lifecycle_hooks`] | the user's and the repository's hooks |
//! | [`checkpoints`] | prompts that wait for a checkpoint of the files |
//! | [`activity`], [`idle`] | claude's published and recorded activity; its idle time |
//! | [`review`], [`startup_readiness`] | the bead's move to in review; the outcome of claude's start |
//! | [`record_status`] | claude's current conversation, the recorder's counts and problems |
//! | [`stopping`] | the shutdown of claude and of the session |
//!
//! The routes are in `requests`, `claude_hooks`, `claude_screen` and `ending`. The threads that run the actor
//! are deliberately elsewhere ([`handle`]). The actor never waits for a client, the recorder or claude.

mod activity;
mod bead_work;
mod checkpoints;
mod claude_hooks;
mod claude_screen;
mod claude_state;
mod claude_status_line;
mod clients;
mod context_injection;
mod effects;
mod ending;
mod handle;
mod idle;
mod input;
mod interrupt;
mod lifecycle_hooks;
mod permission_requests;
mod prompt_queue;
mod record_status;
mod requests;
mod review;
mod screen_checks;
mod startup_readiness;
mod stopping;
mod terminal;
#[cfg(test)]
mod test_claude;

use crate::{
    background_worker::{BackgroundWorker, WorkerReply},
    bead_watch::BeadWatch,
    checkpoint_thread::Checkpoints,
    client_id::ClientId,
    client_out::ClientOut,
    frame::{Frame, Kind},
    hook_threads::HookRuns,
    prompt_state::Activity,
    protocol::{Role, StopKind, TurnFailure},
    recorder::{Recorder, RecorderEvent},
    spec::{LaunchSpec, RECOVERY_SOURCE},
};
use activity::ActivityRecord;
use bc_core::{
    Timestamp,
    session::{CloseReason, PauseReason},
};
use bc_process::{descendants::Identity, signals::HandledSignal};
use bc_store::SessionLock;
use bead_work::BeadWork;
use checkpoints::PromptCheckpoints;
use claude_state::ClaudeState;
use claude_status_line::ClaudeStatusLine;
use clients::Clients;
use context_injection::ContextInjection;
use effects::{Effect, Effects};
pub(crate) use handle::ActorHandle;
use idle::Idle;
pub(crate) use input::{ActorInput, ClientMessage};
use interrupt::Interrupt;
use lifecycle_hooks::LifecycleHooks;
use permission_requests::PermissionRequests;
use prompt_queue::PromptQueue;
use record_status::RecordStatus;
use review::Review;
use startup_readiness::StartupReadiness;
use std::{
    sync::{Arc, mpsc::SyncSender},
    time::{Duration, Instant},
};
use stopping::Stopping;
pub(crate) use terminal::Terminal;

/// The delay before notes that the recorder could not accept are offered again.
const OFFER_AGAIN_AFTER: Duration = Duration::from_millis(20);

pub(crate) struct ActorParts {
    pub(crate) spec: LaunchSpec,
    pub(crate) lock: Arc<SessionLock>,
    pub(crate) terminal: Terminal,
    pub(crate) recorder: Recorder,
    pub(crate) worker: Option<BackgroundWorker>,
    pub(crate) hooks: Option<Box<dyn HookRuns>>,
    pub(crate) checkpoints: Option<Box<dyn Checkpoints>>,
    pub(crate) bead_watch: Option<BeadWatch>,
    pub(crate) inbox: SyncSender<ActorInput>,
    pub(crate) now: fn() -> Timestamp,
}

/// The session's actor; see the [module](self).
pub(crate) struct SessionActor {
    spec: Arc<LaunchSpec>,
    host: Identity,
    inbox: SyncSender<ActorInput>,
    now: fn() -> Timestamp,
    recorder: Recorder,
    effects: Effects,
    clients: Clients,
    claude: ClaudeState,
    prompt_queue: PromptQueue,
    interrupt: Interrupt,
    status_line: ClaudeStatusLine,
    permissions: PermissionRequests,
    context_injection: ContextInjection,
    bead_work: BeadWork,
    lifecycle_hooks: LifecycleHooks,
    checkpoints: PromptCheckpoints,
    activity: ActivityRecord,
    idle: Idle,
    review: Review,
    startup: StartupReadiness,
    record_status: RecordStatus,
    /// The API failure that ended the last turn, until claude works again.
    failure: Option<TurnFailure>,
    stopping: Stopping,
}

impl SessionActor {
    pub(crate) fn new(parts: ActorParts) -> SessionActor {
        let (spec, now, started) = (Arc::new(parts.spec), parts.now, Instant::now());
        // Unreadable recovery stores must not prevent a session from running; the next change replaces them.
        let mut stores = parts.lock.recovery().unwrap_or_default();
        let block = spec.context.iter().find(|piece| piece.source == RECOVERY_SOURCE);
        stores.last_block = block.map(|piece| piece.text.clone()).or(stores.last_block);
        let context = spec.context.clone();
        let system_prompt = spec.system_prompt.is_some().then(|| spec.system_prompt_file());
        SessionActor {
            host: Identity::current(),
            inbox: parts.inbox,
            now,
            recorder: parts.recorder,
            effects: Effects::default(),
            clients: Clients::default(),
            stopping: Stopping::new(parts.terminal.leader(), spec.runner.is_some()),
            claude: ClaudeState::new(parts.terminal, spec.opening_prompt),
            prompt_queue: PromptQueue::open(parts.lock, spec.prompt.as_deref(), now),
            interrupt: Interrupt::default(),
            status_line: ClaudeStatusLine::new(spec.manual_is_unnamed),
            permissions: PermissionRequests::new(now),
            context_injection: ContextInjection::new(context, &spec.shares, spec.conversation, started, now),
            bead_work: BeadWork::new(Arc::clone(&spec), parts.worker, stores),
            lifecycle_hooks: LifecycleHooks::new(parts.hooks),
            checkpoints: PromptCheckpoints::new(parts.checkpoints),
            activity: ActivityRecord::new(now),
            idle: Idle::new(spec.idle_ms.map(Duration::from_millis)),
            review: Review::new(spec.in_review, parts.bead_watch),
            startup: StartupReadiness::new(system_prompt, started),
            failure: None,
            record_status: RecordStatus::new(spec.conversation, spec.transcript.as_deref()),
            spec,
        }
    }

    /// Handles a message, then everything that is due.
    fn step(&mut self, act: impl FnOnce(&mut SessionActor)) {
        act(self);
        self.on_deadlines(Instant::now());
        self.type_next();
        self.close_when_reviewed();
        self.update_idle(Instant::now());
        self.activity.update(&self.claude.prompt, &mut self.effects);
        self.carry_out_effects();
    }

    fn carry_out_effects(&mut self) {
        for effect in self.effects.take() {
            match effect {
                Effect::Note(note) => self.recorder.send(note),
                Effect::TranscriptChanged => self.recorder.transcript_changed(),
                Effect::Publish(what) => self.clients.publish(what),
                Effect::Reply { client, request, outcome } => self.clients.reply(client, request, outcome),
                Effect::AnswerHook { hook, answer, closes } => {
                    self.clients.answer_hook(hook, &answer, closes)
                }
            }
        }
    }

    fn on_input(&mut self, input: ActorInput) {
        match input {
            ActorInput::Output => self.on_output(),
            ActorInput::OutputEnded => self.stopping.on_output_ended(),
            ActorInput::ChildEnded(exit) => self.on_child_ended(exit),
            ActorInput::FamilyEnded(ended) => self.stopping.on_family_ended(ended, Instant::now()),
            ActorInput::Signal(HandledSignal::ChildExited) => drop(bc_process::child_reaper::reap_orphans()),
            ActorInput::Signal(HandledSignal::Terminate) => self.on_terminate(),
            ActorInput::Signal(HandledSignal::HangUp | HandledSignal::Interrupt | HandledSignal::Resized) => {
            }
            ActorInput::Worker(reply) => self.on_worker_reply(reply),
            ActorInput::Hooks(reply) => {
                let conversation = self.record_status.conversation;
                self.lifecycle_hooks.on_reply(reply, conversation, &mut self.effects);
                self.on_work_done();
            }
            ActorInput::Checkpoint(reply) => self.checkpoints.on_reply(reply, &mut self.effects),
            ActorInput::BeadFilesChanged => self.review.on_files_changed(Instant::now()),
            ActorInput::Due => {}
        }
    }

    fn on_client_message(&mut self, id: ClientId, message: ClientMessage) {
        match message {
            ClientMessage::Connected { role, out } => self.on_connected(id, role, out),
            ClientMessage::Frame(frame) => self.on_frame(id, &frame),
            ClientMessage::CaughtUp => self.claude.terminal.send_fresh_screen(id),
            ClientMessage::Disconnected => self.on_disconnected(id),
        }
    }

    fn on_recorder_event(&mut self, event: RecorderEvent) {
        match event {
            RecorderEvent::Recorded(messages) => {
                messages.into_iter().for_each(|message| self.on_message(message))
            }
            RecorderEvent::Counts { messages, unknown } => {
                (self.record_status.messages, self.record_status.unknown_lines) = (messages, unknown);
            }
            RecorderEvent::Trouble(trouble) => self.record_status.on_trouble(trouble, &mut self.effects),
            RecorderEvent::Unsaved(why) => self.stopping.on_unsaved(&why, &mut self.effects),
            RecorderEvent::Finished(outcome) => self.stopping.on_finished(outcome, &mut self.effects),
        }
    }

    fn next_deadline(&mut self) -> Option<Instant> {
        let offer = (!self.recorder.flush()).then(|| Instant::now() + OFFER_AGAIN_AFTER);
        let of_parts = [
            self.prompt_queue.deadline(),
            self.stopping.deadline(),
            self.startup.deadline(),
            self.claude.screen_checks.deadline(),
            self.status_line.deadline(),
            self.context_injection.deadline(),
            self.idle.deadline(),
            self.review.deadline(),
        ];
        of_parts.into_iter().chain([offer]).flatten().min()
    }

    fn on_deadlines(&mut self, now: Instant) {
        self.prompt_queue.on_deadline(&mut self.claude, now, &mut self.effects);
        let action = self.stopping.on_deadline(now);
        self.carry_out_stop(action);
        let ClaudeState { terminal, prompt, .. } = &mut self.claude;
        self.startup.on_deadline(terminal, prompt, now, &mut self.effects);
        self.check_screen(now);
        self.status_line.on_deadline(&mut self.claude, now, &mut self.effects);
        self.context_injection.on_deadline(&self.bead_work, now, &mut self.effects);
        // No check is needed during a turn, because its end triggers one, or while an engine subscribes,
        // because the engine reports changes.
        let wanted =
            !self.clients.has_subscribers() && !self.claude.prompt.works() && !self.stopping.has_begun();
        if self.review.takes_check(wanted, now) {
            self.bead_work.check_beads();
        }
        if self.idle.is_over(now) {
            self.stop(StopKind::Pause(PauseReason::Inactivity));
        }
    }

    fn on_connected(&mut self, id: ClientId, role: Role, out: ClientOut) {
        let attaches = match role {
            Role::Attach { size, view } => Some((size, view)),
            Role::Hook { .. } | Role::Control => None,
        };
        self.clients.connect(id, role, out.clone());
        if let Some((size, view)) = attaches {
            self.claude.terminal.attach(id, size, view, out);
            self.idle.on_presence(Instant::now());
        }
    }

    fn on_frame(&mut self, id: ClientId, frame: &Frame) {
        let Some(role) = self.clients.role(id) else { return };
        match (role, frame.kind) {
            (Role::Hook { event, index }, Kind::Control) => {
                let (event, index) = (event.clone(), *index);
                self.on_hook(id, &event, index, frame);
            }
            (Role::Attach { .. }, Kind::Input) => self.on_keys(id, &frame.payload),
            (Role::Attach { .. } | Role::Control, Kind::Control) => self.on_request(id, frame),
            // A client with this role must not send this kind of frame, so the connection is closed.
            (Role::Hook { .. } | Role::Control, Kind::Input) | (_, Kind::Output) => {
                self.on_disconnected(id);
            }
        }
    }

    fn on_disconnected(&mut self, id: ClientId) {
        let out = self.clients.remove(id);
        self.claude.detach(id);
        self.startup.forget(id);
        self.status_line.forget(id);
        self.prompt_queue.forget_client(id);
        self.stopping.forget(id);
        self.checkpoints.forget(id);
        self.context_injection.on_hook_ended(id, &self.bead_work, Instant::now(), &mut self.effects);
        self.permissions.hook_left(id, &mut self.claude.prompt, &mut self.effects);
        if let Some(out) = out {
            out.disconnect();
        }
    }

    fn on_worker_reply(&mut self, reply: WorkerReply) {
        let result = self.bead_work.on_reply(reply, &mut self.effects);
        if result.memories.is_some() {
            self.context_injection.memories = result.memories;
        }
        if let Some(status) = &result.bead_status {
            self.review.on_status(status);
        }
        if let Some((task, succeeded)) = &result.finished {
            let (work, now) = (&self.bead_work, Instant::now());
            self.context_injection.on_helper_done((task, *succeeded), work, now, &mut self.effects);
        }
        self.on_work_done();
    }

    fn close_when_reviewed(&mut self) {
        let between_turns = self.claude.prompt.is_between_turns() && !self.prompt_queue.has_pending();
        if self.review.has_moved() && between_turns {
            self.stop(StopKind::Close(CloseReason::InReview));
        }
    }

    fn update_idle(&mut self, now: Instant) {
        let at_rest = self.claude.prompt.activity() == Activity::Idle
            && !self.prompt_queue.has_pending()
            && !self.stopping.has_begun();
        self.idle.update(at_rest, now);
    }
}
