//! The terminal with claude in it, and those that are attached to it.

use super::{Client, Owner};
use crate::{
    keys::{Keys, Verdict},
    printed::Printed,
    prompt_box::{self, PromptBox},
    prompt_state::Fact,
    protocol::{Role, View},
    pty_input::PtyInput,
    server::ClientId,
};
use bc_process::{descendants::Identity, pty::Pty, screen::Screen, size::Size};
use std::{collections::BTreeMap, sync::Arc, time::Instant};

/// An attached terminal.
struct Attached {
    size: Size,
    keys: Keys,
    undecided: bool,
}

/// The PTY, its screen, its clients. The screen is drawn when somebody looks at it, or much is to be drawn.
pub(crate) struct Terminal {
    screen: Screen,
    pty: Option<Pty>,
    input: Option<PtyInput>,
    printed: Arc<Printed>,
    attached: BTreeMap<ClientId, Attached>,
}

impl Terminal {
    pub(crate) fn new(screen: Screen, pty: Pty, input: PtyInput, printed: Arc<Printed>) -> Terminal {
        Terminal { screen, pty: Some(pty), input: Some(input), printed, attached: BTreeMap::new() }
    }

    pub(super) fn leader(&self) -> Option<Identity> {
        self.pty.as_ref().map(Pty::leader)
    }

    /// The screen, with everything in it that was printed so far.
    pub(super) fn screen(&mut self) -> &Screen {
        self.screen.feed(&self.printed.take());
        &self.screen
    }

    /// Claude's input box; `None` while something else is in its place.
    pub(super) fn prompt_box(&mut self) -> Option<PromptBox> {
        let (screen, without_hints) = self.shown();
        prompt_box::read(&screen, &without_hints)
    }

    /// The visible lines, and the same without what only hints at what could be typed.
    pub(super) fn shown(&mut self) -> (String, String) {
        let screen = self.screen();
        (screen.text(), screen.text_without_hints())
    }

    /// When something was printed since this was asked before.
    pub(super) fn last_printed(&self) -> Option<Instant> {
        self.printed.last()
    }

    pub(super) fn attach(&mut self, id: ClientId, size: Size) {
        self.attached.insert(id, Attached { size, keys: Keys::default(), undecided: false });
    }

    pub(super) fn detach(&mut self, id: ClientId) {
        self.attached.remove(&id);
        self.printed.detach(id);
    }

    pub(super) fn attached(&self) -> usize {
        self.attached.len()
    }

    pub(super) fn is_undecided(&self) -> bool {
        self.attached.values().any(|attached| attached.undecided)
    }

    /// Whether the program will read the bytes.
    pub(super) fn write(&self, bytes: &[u8]) -> bool {
        self.input.as_ref().is_some_and(|input| input.write(bytes))
    }

    /// Closes the terminal under the program.
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
        // What was printed until now was printed for the size until now.
        self.screen();
        if let Some(pty) = &self.pty {
            // A terminal that is just going away needs no size.
            let _ = pty.resize(size);
        }
        self.screen.resize(size);
        true
    }
}

impl Owner {
    /// The program printed; those who are attached have it already.
    pub(super) fn on_output(&mut self) {
        self.hear_of_output();
        self.on_screen_changed();
        if self.terminal.printed.is_much() {
            self.terminal.screen();
        }
        self.look_soon();
    }

    pub(super) fn hear_of_output(&mut self) {
        if let Some(at) = self.terminal.last_printed() {
            self.waiting.on_output(at);
        }
    }

    pub(super) fn on_keys(&mut self, id: ClientId, bytes: &[u8]) {
        let Some(attached) = self.terminal.attached.get_mut(&id) else { return };
        let verdict = attached.keys.feed(bytes);
        attached.undecided = verdict == Verdict::Undecided;
        self.prompt.apply(Fact::TerminalUndecided(self.terminal.is_undecided()));
        if verdict == Verdict::Typed {
            // Before the bytes go: nothing of ours may follow them.
            self.prompt.apply(Fact::TerminalTyped);
            self.on_text_disturbed();
            self.on_typed(bytes);
            self.take_size_of(id);
        }
        // What a program that reads nothing cannot take is lost, as in any terminal.
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

    /// Gives a client a fresh screen, and what is printed from then on.
    pub(super) fn send_fresh_screen(&mut self, id: ClientId) {
        let Some(Client { role: Role::Attach { view, .. }, out, .. }) = self.clients.get(&id) else { return };
        // Most of it before what is printed has to wait for the rest.
        self.terminal.screen();
        let Terminal { screen, printed, .. } = &mut self.terminal;
        printed.attach(id, out, |kept| {
            screen.feed(&kept);
            let snapshot = match view {
                View::Whole => screen.snapshot(),
                View::Visible => screen.snapshot_visible(),
            };
            out.fresh(screen.size(), screen.offset(), &snapshot);
        });
    }
}
