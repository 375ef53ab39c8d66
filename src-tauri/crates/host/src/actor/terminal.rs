//! Claude's terminal, and the clients that are attached to it.

use super::{Client, SessionActor};
use crate::{
    client_id::ClientId,
    keys::{KeyClassifier, KeyKind},
    output_fanout::OutputFanout,
    prompt_box::{self, PromptBox},
    prompt_state::Fact,
    protocol::{Role, View},
    pty_input::PtyInput,
};
use bc_process::{descendants::Identity, pty::Pty, screen::Screen, size::Size};
use std::{collections::BTreeMap, sync::Arc, time::Instant};

/// An attached client.
struct Attached {
    size: Size,
    keys: KeyClassifier,
    undecided: bool,
}

/// The PTY, its screen and its clients. Output is drawn onto the screen when the screen is needed, or when much
/// output has accumulated.
pub(crate) struct Terminal {
    screen: Screen,
    pty: Option<Pty>,
    input: Option<PtyInput>,
    fanout: Arc<OutputFanout>,
    attached: BTreeMap<ClientId, Attached>,
}

impl Terminal {
    pub(crate) fn new(screen: Screen, pty: Pty, input: PtyInput, fanout: Arc<OutputFanout>) -> Terminal {
        Terminal { screen, pty: Some(pty), input: Some(input), fanout, attached: BTreeMap::new() }
    }

    pub(super) fn leader(&self) -> Option<Identity> {
        self.pty.as_ref().map(Pty::leader)
    }

    /// The screen, including all output so far.
    pub(super) fn screen(&mut self) -> &Screen {
        self.screen.feed(&self.fanout.take());
        &self.screen
    }

    /// Claude's input box; `None` while something else is in its place.
    pub(super) fn prompt_box(&mut self) -> Option<PromptBox> {
        prompt_box::read(&self.screen().contents())
    }

    /// The time of the last output since the previous call.
    pub(super) fn take_last_output(&self) -> Option<Instant> {
        self.fanout.take_last_output()
    }

    pub(super) fn attach(&mut self, id: ClientId, size: Size) {
        self.attached.insert(id, Attached { size, keys: KeyClassifier::default(), undecided: false });
    }

    pub(super) fn detach(&mut self, id: ClientId) {
        self.attached.remove(&id);
        self.fanout.detach(id);
    }

    pub(super) fn attached(&self) -> usize {
        self.attached.len()
    }

    pub(super) fn is_undecided(&self) -> bool {
        self.attached.values().any(|attached| attached.undecided)
    }

    /// Writes to the program. Returns whether it was accepted.
    pub(super) fn write(&self, bytes: &[u8]) -> bool {
        self.input.as_ref().is_some_and(|input| input.write(bytes))
    }

    /// Closes the program's terminal.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
        if let Some(pty) = self.pty.take() {
            pty.hang_up();
        }
    }

    fn resize(&mut self, size: Size) -> bool {
        if size == self.screen.size() {
            return false;
        }
        // Output before the resize belongs to the old size.
        self.screen();
        if let Some(pty) = &self.pty {
            // A terminal that is closing needs no size.
            let _ = pty.resize(size);
        }
        self.screen.resize(size);
        true
    }
}

impl SessionActor {
    /// The program printed; attached clients already have the output.
    pub(super) fn on_output(&mut self) {
        self.note_output();
        self.on_screen_changed();
        if self.terminal.fanout.is_much() {
            self.terminal.screen();
        }
        self.check_screen_soon();
    }

    pub(super) fn note_output(&mut self) {
        if let Some(at) = self.terminal.take_last_output() {
            self.startup.on_output(at);
        }
    }

    pub(super) fn on_keys(&mut self, id: ClientId, bytes: &[u8]) {
        let Some(attached) = self.terminal.attached.get_mut(&id) else { return };
        let verdict = attached.keys.feed(bytes);
        attached.undecided = verdict == KeyKind::Undecided;
        self.prompt.apply(Fact::TerminalUndecided(self.terminal.is_undecided()));
        if verdict == KeyKind::Typed {
            // Set before the keys are sent: no automatic input may follow them.
            self.prompt.apply(Fact::TerminalTyped);
            self.on_text_disturbed();
            self.on_typed(bytes);
            self.take_size_of(id);
        }
        // Keys that a blocked program cannot take are lost, as in any terminal.
        let _ = self.terminal.write(bytes);
    }

    pub(super) fn on_resize(&mut self, id: ClientId, size: Size) {
        if let Some(attached) = self.terminal.attached.get_mut(&id) {
            attached.size = size;
            self.take_size_of(id);
        }
    }

    /// The terminal gets the size of the client that attached, typed or was resized last.
    pub(super) fn take_size_of(&mut self, id: ClientId) {
        let Some(attached) = self.terminal.attached.get(&id) else { return };
        if self.terminal.resize(attached.size) {
            let all: Vec<ClientId> = self.terminal.attached.keys().copied().collect();
            all.into_iter().for_each(|id| self.send_fresh_screen(id));
        }
    }

    /// Sends a client a fresh screen, followed by live output.
    pub(super) fn send_fresh_screen(&mut self, id: ClientId) {
        let Some(Client { role: Role::Attach { view, .. }, out, .. }) = self.clients.get(&id) else { return };
        // Draws most of it now: new output has to wait for the rest.
        self.terminal.screen();
        let Terminal { screen, fanout, .. } = &mut self.terminal;
        fanout.attach(id, out, |kept| {
            screen.feed(&kept);
            let snapshot = match view {
                View::Whole => screen.snapshot(),
                View::Visible => screen.snapshot_visible(),
            };
            out.fresh(screen.size(), screen.offset(), &snapshot);
        });
    }
}
