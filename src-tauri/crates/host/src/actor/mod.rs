//! The session's actor. It alone holds the live state of the session and makes its decisions. The terminal, clients,
//! hooks, signals and the recorder send it messages, which it handles one by one ([`handle`]). It never waits for any
//! of them.

mod activity_log;
mod bead_work;
mod claude_hooks;
mod claude_status_line;
mod context_injection;
mod handle;
mod idle;
mod input;
mod interrupt;
mod lifecycle_hooks;
mod permission_requests;
mod prompt_queue;
mod requests;
mod review;
mod startup_readiness;
mod stopping;
mod terminal;

use crate::{
    background_worker::BackgroundWorker,
    bead_watch::BeadWatch,
    client_id::ClientId,
    client_out::ClientOut,
    frame::{self, Frame, Kind},
    hook_threads::HookThreads,
    permissions::Permissions,
    prompt_state::{Activity, Fact, PromptState},
    protocol::{Event, Happening, Role},
    recorder::{Note, Recorder, RecorderEvent},
    spec::{LaunchSpec, RECOVERY_SOURCE},
};
use bc_core::{Timestamp, ids::ConversationId, timeline::Doing};
use bc_process::{descendants::Identity, signals::HandledSignal};
use bc_store::SessionLock;
pub(crate) use handle::ActorHandle;
pub(crate) use input::{ActorInput, ClientMessage};
use std::{
    collections::BTreeMap,
    sync::{Arc, mpsc::SyncSender},
    time::{Duration, Instant},
};
pub(crate) use terminal::Terminal;

/// A connection.
struct Client {
    role: Role,
    out: ClientOut,
    subscribed: bool,
}

/// The parts that the actor is made of.
pub(crate) struct ActorParts {
    pub(crate) spec: LaunchSpec,
    pub(crate) lock: Arc<SessionLock>,
    pub(crate) terminal: Terminal,
    pub(crate) recorder: Recorder,
    pub(crate) worker: Option<BackgroundWorker>,
    pub(crate) hooks: Option<HookThreads>,
    pub(crate) bead_watch: Option<BeadWatch>,
    pub(crate) inbox: SyncSender<ActorInput>,
    pub(crate) now: fn() -> Timestamp,
}

/// The session's actor; see the module.
pub(crate) struct SessionActor {
    spec: LaunchSpec,
    context_injection: context_injection::ContextInjection,
    lifecycle_hooks: lifecycle_hooks::LifecycleHooks,
    bead_work: bead_work::BeadWork,
    terminal: Terminal,
    recorder: Recorder,
    inbox: SyncSender<ActorInput>,
    now: fn() -> Timestamp,
    host: Identity,
    agent: Option<Identity>,
    clients: BTreeMap<ClientId, Client>,
    /// Browsers that show no terminal; they are notified of the end.
    hidden: BTreeMap<ClientId, ClientOut>,
    prompt: PromptState,
    published_activity: Activity,
    recorded_doing: Doing,
    activity_since: Timestamp,
    permissions: Permissions,
    prompt_queue: prompt_queue::PromptQueue,
    startup: startup_readiness::StartupReadiness,
    idle: idle::Idle,
    review: review::Review,
    interrupt: interrupt::Interrupt,
    status_line: claude_status_line::ClaudeStatusLine,
    stopping: stopping::Stopping,
    hooks_seen: bool,
    conversation: ConversationId,
    transcript: Option<String>,
    messages: u64,
    unknown_lines: u64,
    trouble: Option<String>,
    events: u64,
}

impl SessionActor {
    pub(crate) fn new(parts: ActorParts) -> SessionActor {
        let spec = parts.spec;
        let now = (parts.now)();
        // Broken stores must not prevent a session from running; the next change replaces them.
        let mut stores = parts.lock.recovery().unwrap_or_default();
        let block = spec.context.iter().find(|piece| piece.source == RECOVERY_SOURCE);
        stores.last_block = block.map(|piece| piece.text.clone()).or(stores.last_block);
        SessionActor {
            context_injection: context_injection::ContextInjection::new(
                spec.context.clone(),
                &spec.shares,
                Instant::now(),
            ),
            lifecycle_hooks: lifecycle_hooks::LifecycleHooks::new(parts.hooks),
            bead_work: bead_work::BeadWork::new(parts.worker, stores, &spec.cwd),
            agent: parts.terminal.leader(),
            host: Identity::current(),
            clients: BTreeMap::new(),
            hidden: BTreeMap::new(),
            prompt: PromptState::new(spec.opening_prompt),
            published_activity: Activity::Starting,
            recorded_doing: Doing::Starting,
            activity_since: now,
            permissions: Permissions::default(),
            prompt_queue: prompt_queue::PromptQueue::open(parts.lock, spec.prompt.as_deref(), now),
            startup: startup_readiness::StartupReadiness::new(Instant::now()),
            idle: idle::Idle::new(spec.idle_ms.map(Duration::from_millis)),
            review: review::Review::new(spec.in_review, parts.bead_watch),
            interrupt: interrupt::Interrupt::default(),
            status_line: claude_status_line::ClaudeStatusLine::default(),
            stopping: stopping::Stopping::default(),
            hooks_seen: false,
            conversation: spec.conversation,
            transcript: spec.transcript.as_ref().and_then(|path| path.to_str()).map(str::to_owned),
            messages: 0,
            unknown_lines: 0,
            trouble: None,
            events: 0,
            terminal: parts.terminal,
            recorder: parts.recorder,
            inbox: parts.inbox,
            now: parts.now,
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
        self.publish_activity();
        self.record_activity();
    }

    fn on_input(&mut self, input: ActorInput) {
        match input {
            ActorInput::Output => self.on_output(),
            ActorInput::OutputEnded => self.stopping.output_ended = true,
            ActorInput::ChildEnded(exit) => self.on_child_ended(exit),
            ActorInput::FamilyEnded(ended) => self.on_family_ended(ended),
            ActorInput::Signal(HandledSignal::Child) => drop(bc_process::child_reaper::reap_orphans()),
            ActorInput::Signal(HandledSignal::Terminate) => self.on_terminate(),
            ActorInput::Signal(HandledSignal::HangUp | HandledSignal::Interrupt | HandledSignal::Resized) => {
            }
            ActorInput::Worker(message) => self.on_worker_reply(message),
            ActorInput::Hooks(message) => self.on_hook_reply(message),
            ActorInput::BeadFilesChanged => self.review.on_files_changed(Instant::now()),
            ActorInput::Due => {}
        }
    }

    fn on_client_message(&mut self, id: ClientId, message: ClientMessage) {
        match message {
            ClientMessage::Connected { role, out } => self.on_connected(id, role, out),
            ClientMessage::Frame(frame) => self.on_frame(id, &frame),
            ClientMessage::CaughtUp => self.send_fresh_screen(id),
            ClientMessage::Hidden { out } => self.on_hidden(id, out),
            ClientMessage::Disconnected => self.on_disconnected(id),
        }
    }

    fn next_deadline(&mut self) -> Option<Instant> {
        // Notes that the recorder could not accept are retried soon.
        let offer = (!self.recorder.flush()).then(|| Instant::now() + Duration::from_millis(20));
        let of_parts = [
            self.prompt_queue.deadline(),
            self.stopping.deadline(),
            self.startup.deadline(),
            self.interrupt.deadline(),
            self.status_line.deadline(),
            self.context_injection.deadline(),
            self.idle.deadline(),
            self.review.deadline(),
        ];
        of_parts.into_iter().chain([offer]).flatten().min()
    }

    fn on_deadlines(&mut self, now: Instant) {
        self.on_text_deadline(now);
        self.on_stop_deadline(now);
        self.on_quiet_deadline(now);
        self.on_screen_check_deadline(now);
        self.on_mode_deadline(now);
        self.on_injection_deadline(now);
        self.on_review_deadline(now);
        self.on_idle_deadline(now);
    }

    fn on_connected(&mut self, id: ClientId, role: Role, out: ClientOut) {
        let attaches = match role {
            Role::Attach { size, .. } => Some(size),
            Role::Hook { .. } | Role::Control | Role::Browser => None,
        };
        self.hidden.remove(&id);
        self.clients.insert(id, Client { role, out, subscribed: false });
        if let Some(size) = attaches {
            self.terminal.attach(id, size);
            self.take_size_of(id);
            self.send_fresh_screen(id);
            // A user is present.
            self.idle.on_presence(Instant::now());
        }
    }

    fn on_frame(&mut self, id: ClientId, frame: &Frame) {
        let Some(client) = self.clients.get(&id) else { return };
        match (&client.role, frame.kind) {
            (Role::Hook { event, index }, Kind::Control) => {
                let (event, index) = (event.clone(), *index);
                self.on_hook(id, &event, index, frame);
            }
            (Role::Attach { .. }, Kind::Input) => self.on_keys(id, &frame.payload),
            (Role::Attach { .. } | Role::Control, Kind::Control) => self.on_request(id, frame),
            // Other clients must not send this: the connection is closed.
            (Role::Hook { .. } | Role::Control, Kind::Input) | (_, Kind::Output) | (Role::Browser, _) => {
                self.on_disconnected(id);
            }
        }
    }

    fn on_disconnected(&mut self, id: ClientId) {
        if let Some(out) = self.forget(id) {
            out.disconnect();
        }
    }

    fn on_hidden(&mut self, id: ClientId, out: ClientOut) {
        self.forget(id);
        out.hide();
        self.hidden.insert(id, out);
    }

    /// Every connected client.
    fn client_outs(&self) -> impl Iterator<Item = &ClientOut> {
        self.clients.values().map(|client| &client.out).chain(self.hidden.values())
    }

    /// Removes a client; it gets no further messages.
    fn forget(&mut self, id: ClientId) -> Option<ClientOut> {
        let gone = self.clients.remove(&id).map(|client| client.out).or(self.hidden.remove(&id));
        self.terminal.detach(id);
        self.prompt.apply(Fact::TerminalUndecided(self.terminal.is_undecided()));
        self.startup.forget(id);
        self.status_line.forget(id);
        self.prompt_queue.forget_client(id);
        self.stopping.forget(id);
        self.on_hook_disconnected(id);
        let withdrawn = self.permissions.asker_left(id);
        self.withdraw(withdrawn);
        gone
    }

    fn on_recorder_event(&mut self, event: RecorderEvent) {
        match event {
            RecorderEvent::Recorded(messages) => {
                messages.into_iter().for_each(|message| self.on_message(message))
            }
            RecorderEvent::Counts { messages, unknown } => {
                (self.messages, self.unknown_lines) = (messages, unknown)
            }
            RecorderEvent::Trouble(trouble) => {
                if let Some(message) = trouble.clone() {
                    self.publish(Happening::Trouble { message });
                }
                self.trouble = trouble;
            }
            RecorderEvent::Unsaved(why) => self.on_unsaved(&why),
            RecorderEvent::Finished(outcome) => self.on_finished(outcome),
        }
    }

    /// Sends an event to every subscriber.
    fn publish(&mut self, what: Happening) {
        self.events += 1;
        if self.clients.values().any(|client| client.subscribed) {
            let event = Event { seq: self.events, what };
            let mut frame = Frame::control(&event);
            if let (Happening::Message { message }, true) = (&event.what, frame.payload.len() > frame::MAX) {
                let what = Happening::LongMessage { id: message.id.clone() };
                frame = Frame::control(&Event { what, ..event });
            }
            for client in self.clients.values().filter(|client| client.subscribed) {
                client.out.control(&frame);
            }
        }
    }

    fn publish_activity(&mut self) {
        let activity = self.prompt.activity();
        if activity != self.published_activity {
            tracing::info!(?activity, "activity changed");
            self.published_activity = activity;
            self.activity_since = (self.now)();
            self.publish(Happening::Activity { activity });
        }
    }

    fn note(&mut self, note: Note) {
        self.recorder.send(note);
    }

    fn send(&self, id: ClientId, frame: Frame) {
        if let Some(client) = self.clients.get(&id) {
            client.out.control(&frame);
        }
    }
}
