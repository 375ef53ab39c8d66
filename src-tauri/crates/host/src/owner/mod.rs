//! The owner: it alone holds the session's live state and decides. Everything else, the terminal, clients,
//! hooks, signals, the scribe, tells it, one after the other ([`office`]), and nothing that it does waits
//! for any of them.

mod asking;
mod footer;
mod hooks;
mod idle;
mod injecting;
mod interrupt;
mod lifecycle;
mod office;
mod requests;
mod review;
mod seeing;
mod stopping;
mod terminal;
mod texts;
mod waiting;
mod work;

use crate::{
    bead_watch::BeadWatch,
    clerk::{self, Clerk},
    client_out::ClientOut,
    frame::{self, Frame, Kind},
    lifecycle::{HookWord, Lifecycle},
    permissions::Permissions,
    prompt_state::{Activity, Fact, PromptState},
    protocol::{Event, Happening, Role},
    scribe::{News, Note, Scribe},
    server::ClientId,
    spec::{LaunchSpec, RECOVERY_SOURCE},
};
use bc_core::{Timestamp, ids::ConversationId, timeline::Doing};
use bc_process::{
    descendants::{Ended, Identity},
    pty::Exit,
    signals::Wanted,
};
use bc_store::SessionLock;
pub(crate) use office::Office;
use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, mpsc::SyncSender},
    time::{Duration, Instant},
};
pub(crate) use terminal::Terminal;

/// What the owner is told.
pub(crate) enum Input {
    /// The program printed; what, is gathered beside the channel.
    Output,
    /// Nothing more will be printed.
    OutputEnded,
    /// The program has ended.
    ChildEnded(io::Result<Exit>),
    /// All its descendants have, or could not be made to.
    FamilyEnded(io::Result<Ended>),
    /// A signal came.
    Signal(Wanted),
    /// The clerk tells.
    Clerk(clerk::Word),
    /// Lifecycle hooks were read, or have run.
    Hooks(HookWord),
    /// Beads may have changed.
    BeadsTouched,
    /// Another thread was the owner for a moment, and something is due earlier than before.
    Due,
}

/// What a client's own threads tell, and are the owner for.
pub(crate) enum Word {
    /// A connection was greeted.
    Connected { role: Role, out: ClientOut },
    /// It said something.
    Frame(Frame),
    /// It fell behind, and has read what it was given before.
    CaughtUp,
    /// A browser is connected and its terminal is not seen, any more or yet.
    Hidden { out: ClientOut },
    /// It is gone.
    Left,
}

/// A connection.
struct Client {
    role: Role,
    out: ClientOut,
    subscribed: bool,
}

/// What the owner begins with.
pub(crate) struct Begin {
    pub(crate) spec: LaunchSpec,
    pub(crate) lock: Arc<SessionLock>,
    pub(crate) terminal: Terminal,
    pub(crate) scribe: Scribe,
    pub(crate) clerk: Option<Clerk>,
    pub(crate) hooks: Option<Lifecycle>,
    pub(crate) bead_watch: Option<BeadWatch>,
    pub(crate) inbox: SyncSender<Input>,
    pub(crate) now: fn() -> Timestamp,
}

/// See the module.
pub(crate) struct Owner {
    spec: LaunchSpec,
    injecting: injecting::Injecting,
    hooked: lifecycle::Hooked,
    work: work::Work,
    terminal: Terminal,
    scribe: Scribe,
    inbox: SyncSender<Input>,
    now: fn() -> Timestamp,
    host: Identity,
    agent: Option<Identity>,
    clients: BTreeMap<ClientId, Client>,
    /// Browsers that see nothing, for the end to be told.
    hidden: BTreeMap<ClientId, ClientOut>,
    prompt: PromptState,
    told_activity: Activity,
    seen: Doing,
    activity_since: Timestamp,
    permissions: Permissions,
    texts: texts::Texts,
    waiting: waiting::Waiting,
    idle: idle::Idle,
    review: review::Review,
    interrupt: interrupt::Interrupt,
    footer: footer::Footer,
    stopping: stopping::Stopping,
    hooks_seen: bool,
    conversation: ConversationId,
    transcript: Option<String>,
    messages: u64,
    unknown_lines: u64,
    trouble: Option<String>,
    events: u64,
}

impl Owner {
    pub(crate) fn new(begin: Begin) -> Owner {
        let spec = begin.spec;
        let now = (begin.now)();
        // Broken stores must not keep a session from running; the next change replaces them.
        let mut stores = begin.lock.recovery().unwrap_or_default();
        let block = spec.context.iter().find(|piece| piece.source == RECOVERY_SOURCE);
        stores.last_block = block.map(|piece| piece.text.clone()).or(stores.last_block);
        Owner {
            injecting: injecting::Injecting::new(spec.context.clone(), &spec.shares, Instant::now()),
            hooked: lifecycle::Hooked::new(begin.hooks),
            work: work::Work::new(begin.clerk, stores, &spec.cwd),
            agent: begin.terminal.leader(),
            host: Identity::current(),
            clients: BTreeMap::new(),
            hidden: BTreeMap::new(),
            prompt: PromptState::new(spec.opening_prompt),
            told_activity: Activity::Starting,
            seen: Doing::Starting,
            activity_since: now,
            permissions: Permissions::default(),
            texts: texts::Texts::open(begin.lock),
            waiting: waiting::Waiting::new(Instant::now()),
            idle: idle::Idle::new(spec.idle_ms.map(Duration::from_millis)),
            review: review::Review::new(spec.in_review, begin.bead_watch),
            interrupt: interrupt::Interrupt::default(),
            footer: footer::Footer::default(),
            stopping: stopping::Stopping::default(),
            hooks_seen: false,
            conversation: spec.conversation,
            transcript: spec.transcript.as_ref().and_then(|path| path.to_str()).map(str::to_owned),
            messages: 0,
            unknown_lines: 0,
            trouble: None,
            events: 0,
            terminal: begin.terminal,
            scribe: begin.scribe,
            inbox: begin.inbox,
            now: begin.now,
            spec,
        }
    }

    /// Takes in what is told, and does what is due.
    fn step(&mut self, told: impl FnOnce(&mut Owner)) {
        told(self);
        self.on_deadlines(Instant::now());
        self.type_next();
        self.close_when_reviewed();
        self.notice_idleness(Instant::now());
        self.tell_activity();
        self.see_activity();
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Output => self.on_output(),
            Input::OutputEnded => self.stopping.output_ended = true,
            Input::ChildEnded(exit) => self.on_child_ended(exit),
            Input::FamilyEnded(ended) => self.on_family_ended(ended),
            Input::Signal(Wanted::Child) => drop(bc_process::owned::reap_orphans()),
            Input::Signal(Wanted::Terminate) => self.on_terminate(),
            Input::Signal(Wanted::HangUp | Wanted::Interrupt | Wanted::Resized) => {}
            Input::Clerk(word) => self.on_word(word),
            Input::Hooks(word) => self.on_hook_word(word),
            Input::BeadsTouched => self.review.touched(Instant::now()),
            Input::Due => {}
        }
    }

    fn hear(&mut self, id: ClientId, word: Word) {
        match word {
            Word::Connected { role, out } => self.on_connected(id, role, out),
            Word::Frame(frame) => self.on_frame(id, &frame),
            Word::CaughtUp => self.send_fresh_screen(id),
            Word::Hidden { out } => self.on_hidden(id, out),
            Word::Left => self.on_left(id),
        }
    }

    fn next_deadline(&mut self) -> Option<Instant> {
        // Notes that the scribe could not take yet are offered again soon.
        let offer = (!self.scribe.flush()).then(|| Instant::now() + Duration::from_millis(20));
        let of_parts = [
            self.texts.deadline(),
            self.stopping.deadline(),
            self.waiting.deadline(),
            self.interrupt.deadline(),
            self.footer.deadline(),
            self.injecting.deadline(),
            self.idle.deadline(),
            self.review.deadline(),
        ];
        of_parts.into_iter().chain([offer]).flatten().min()
    }

    fn on_deadlines(&mut self, now: Instant) {
        self.on_text_deadline(now);
        self.on_stop_deadline(now);
        self.on_quiet(now);
        self.on_look_deadline(now);
        self.on_mode_deadline(now);
        self.on_injecting_deadline(now);
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
            // Somebody is here.
            self.idle.stir(Instant::now());
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
            // Nobody else has anything to say: it is no client of ours.
            (Role::Hook { .. } | Role::Control, Kind::Input) | (_, Kind::Output) | (Role::Browser, _) => {
                self.on_left(id);
            }
        }
    }

    fn on_left(&mut self, id: ClientId) {
        if let Some(out) = self.forget(id) {
            out.give_up();
        }
    }

    fn on_hidden(&mut self, id: ClientId, out: ClientOut) {
        self.forget(id);
        out.hide();
        self.hidden.insert(id, out);
    }

    /// Everybody who is connected.
    fn outs(&self) -> impl Iterator<Item = &ClientOut> {
        self.clients.values().map(|client| &client.out).chain(self.hidden.values())
    }

    /// Nothing more is expected of a client, nor told to it.
    fn forget(&mut self, id: ClientId) -> Option<ClientOut> {
        let gone = self.clients.remove(&id).map(|client| client.out).or(self.hidden.remove(&id));
        self.terminal.detach(id);
        self.prompt.apply(Fact::TerminalUndecided(self.terminal.is_undecided()));
        self.waiting.forget(id);
        self.footer.forget(id);
        self.texts.forget_client(id);
        self.stopping.forget(id);
        self.on_hook_left(id);
        let withdrawn = self.permissions.asker_left(id);
        self.withdraw(withdrawn);
        gone
    }

    fn on_news(&mut self, news: News) {
        match news {
            News::Recorded(messages) => messages.into_iter().for_each(|message| self.on_message(message)),
            News::Counts { messages, unknown } => (self.messages, self.unknown_lines) = (messages, unknown),
            News::Trouble(trouble) => {
                if let Some(message) = trouble.clone() {
                    self.tell(Happening::Trouble { message });
                }
                self.trouble = trouble;
            }
            News::Finished(outcome) => self.on_finished(outcome),
        }
    }

    /// Tells every subscriber.
    fn tell(&mut self, what: Happening) {
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

    fn tell_activity(&mut self) {
        let activity = self.prompt.activity();
        if activity != self.told_activity {
            self.told_activity = activity;
            self.activity_since = (self.now)();
            self.tell(Happening::Activity { activity });
        }
    }

    fn note(&mut self, note: Note) {
        self.scribe.tell(note);
    }

    fn send(&self, id: ClientId, frame: Frame) {
        if let Some(client) = self.clients.get(&id) {
            client.out.control(&frame);
        }
    }
}
