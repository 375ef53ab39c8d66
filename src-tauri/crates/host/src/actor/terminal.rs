//! Claude's terminal: the PTY, the state of its screen, and the attached clients.
//!
//! Output is drawn onto the screen when the screen is needed, or when much output has accumulated. The
//! terminal has the size of the last client that attached, typed or was resized.

use crate::{
    client_id::ClientId,
    client_out::ClientOut,
    keys::{KeyClassifier, KeyKind},
    output_fanout::OutputFanout,
    prompt_box::{self, PromptBox},
    protocol::View,
    pty_input::PtyInput,
};
use bc_process::{descendants::Identity, pty::Pty, screen::Screen, size::Size};
use std::{collections::BTreeMap, sync::Arc, time::Instant};

/// An attached client. `undecided`: its last input ended with an incomplete sequence, which may be a key.
struct Attached {
    size: Size,
    view: View,
    out: ClientOut,
    keys: KeyClassifier,
    undecided: bool,
}

/// Claude's input. It is a trait so that tests can record the written bytes.
pub(super) trait ProgramInput: Send {
    /// Writes either all bytes or none, without blocking. Returns whether they were accepted.
    fn write(&self, bytes: &[u8]) -> bool;
}

impl ProgramInput for PtyInput {
    fn write(&self, bytes: &[u8]) -> bool {
        PtyInput::write(self, bytes)
    }
}

/// The terminal that claude runs in. It is a trait so that tests can refuse a size.
trait ProgramTerminal: Send {
    fn leader(&self) -> Identity;
    /// Returns whether the terminal has taken the size.
    fn resize(&self, size: Size) -> bool;
    fn hang_up(self: Box<Self>);
}

impl ProgramTerminal for Pty {
    fn leader(&self) -> Identity {
        Pty::leader(self)
    }

    fn resize(&self, size: Size) -> bool {
        Pty::resize(self, size).is_ok()
    }

    fn hang_up(self: Box<Self>) {
        Pty::hang_up(*self);
    }
}

pub(crate) struct Terminal {
    screen: Screen,
    pty: Option<Box<dyn ProgramTerminal>>,
    input: Option<Box<dyn ProgramInput>>,
    fanout: Arc<OutputFanout>,
    attached: BTreeMap<ClientId, Attached>,
}

impl Terminal {
    pub(crate) fn new(screen: Screen, pty: Pty, input: PtyInput, fanout: Arc<OutputFanout>) -> Terminal {
        let attached = BTreeMap::new();
        Terminal { screen, pty: Some(Box::new(pty)), input: Some(Box::new(input)), fanout, attached }
    }

    #[cfg(test)]
    pub(super) fn without_program(size: Size, input: Box<dyn ProgramInput>) -> Terminal {
        let fanout = Arc::new(OutputFanout::default());
        let attached = BTreeMap::new();
        Terminal { screen: Screen::new(size), pty: None, input: Some(input), fanout, attached }
    }

    /// Prints text as claude would.
    #[cfg(test)]
    pub(super) fn print(&self, text: &str) {
        self.printer()(text);
    }

    /// Returns a function that prints text as claude would. It does not borrow the terminal.
    #[cfg(test)]
    pub(super) fn printer(&self) -> impl Fn(&str) + use<> {
        let fanout = Arc::clone(&self.fanout);
        move |text| {
            let mut output = crate::frame::Output::with_room(text.len());
            output.fill(|room| std::io::Read::read(&mut text.as_bytes(), room)).unwrap();
            let _ = fanout.add(&mut output);
        }
    }

    pub(super) fn leader(&self) -> Option<Identity> {
        self.pty.as_ref().map(|pty| pty.leader())
    }

    /// The screen, including all output so far.
    pub(super) fn screen(&mut self) -> &Screen {
        self.screen.feed(&self.fanout.take());
        &self.screen
    }

    /// Draws pending output if much of it has accumulated.
    pub(super) fn draw_much(&mut self) {
        if self.fanout.is_much() {
            self.screen();
        }
    }

    /// Claude's input box; `None` if something else is in its place.
    pub(super) fn prompt_box(&mut self) -> Option<PromptBox> {
        prompt_box::read(&self.screen().contents())
    }

    /// The time of the latest output; `None` if there was none since the previous call.
    pub(super) fn take_last_output(&self) -> Option<Instant> {
        self.fanout.take_last_output()
    }

    /// Attaches a client and sends it a fresh screen.
    pub(super) fn attach(&mut self, id: ClientId, size: Size, view: View, out: ClientOut) {
        let keys = KeyClassifier::default();
        self.attached.insert(id, Attached { size, view, out, keys, undecided: false });
        self.take_size_of(id);
        self.send_fresh_screen(id);
    }

    pub(super) fn detach(&mut self, id: ClientId) {
        self.attached.remove(&id);
        self.fanout.detach(id);
    }

    /// The number of attached clients.
    pub(super) fn attached(&self) -> usize {
        self.attached.len()
    }

    /// Classifies the input of an attached client; `None` for any other client.
    pub(super) fn classify(&mut self, id: ClientId, bytes: &[u8]) -> Option<KeyKind> {
        let attached = self.attached.get_mut(&id)?;
        let kind = attached.keys.feed(bytes);
        attached.undecided = kind == KeyKind::Undecided;
        Some(kind)
    }

    /// Whether a client has sent an incomplete sequence that may be a key.
    pub(super) fn is_undecided(&self) -> bool {
        self.attached.values().any(|attached| attached.undecided)
    }

    /// Writes to claude. Returns whether the bytes were accepted.
    pub(super) fn write(&self, bytes: &[u8]) -> bool {
        self.input.as_ref().is_some_and(|input| input.write(bytes))
    }

    pub(super) fn hang_up(&mut self) {
        self.input = None;
        if let Some(pty) = self.pty.take() {
            pty.hang_up();
        }
    }

    pub(super) fn on_resize(&mut self, id: ClientId, size: Size) {
        if let Some(attached) = self.attached.get_mut(&id) {
            attached.size = size;
            self.take_size_of(id);
        }
    }

    /// Resizes the terminal to the size of a client that has attached, typed or was resized.
    pub(super) fn take_size_of(&mut self, id: ClientId) {
        let Some(attached) = self.attached.get(&id) else { return };
        if self.resize(attached.size) {
            let all: Vec<ClientId> = self.attached.keys().copied().collect();
            all.into_iter().for_each(|id| self.send_fresh_screen(id));
        }
    }

    fn resize(&mut self, size: Size) -> bool {
        if size == self.screen.size() {
            return false;
        }
        // Earlier output must be drawn at the old size.
        self.screen();
        // If the terminal keeps its size, claude keeps drawing for that size.
        if self.pty.as_ref().is_some_and(|pty| !pty.resize(size)) {
            return false;
        }
        self.screen.resize(size);
        true
    }

    /// Sends a client a fresh screen, followed by live output.
    pub(super) fn send_fresh_screen(&mut self, id: ClientId) {
        // Draws most output now, because new output is blocked while the rest is drawn.
        self.screen();
        let Terminal { screen, fanout, attached, .. } = self;
        let Some(Attached { view, out, .. }) = attached.get(&id) else { return };
        fanout.attach(id, out, |undrawn| {
            screen.feed(&undrawn);
            let snapshot = match view {
                View::Whole => screen.snapshot(),
                View::Visible => screen.snapshot_visible(),
            };
            out.fresh(screen.size(), screen.offset(), &snapshot);
        });
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::{super::test_claude::terminal, *};
    use crate::{frame, protocol::FreshScreen};
    use bc_process::socket::Stream;

    fn client() -> (ClientOut, Stream) {
        let (ours, theirs) = Stream::pair().unwrap();
        (ClientOut::of(&ours, |_, _| unreachable!("nothing has to wait")).unwrap(), theirs)
    }

    /// The size and the content of the next fresh screen.
    fn fresh_screen(stream: &mut Stream) -> (Size, String) {
        let head: FreshScreen = frame::read(stream).unwrap().unwrap().json().unwrap();
        let content = frame::read(stream).unwrap().unwrap();
        (head.fresh_screen, String::from_utf8_lossy(content.as_output().unwrap().1).into_owned())
    }

    #[test]
    fn a_client_gets_a_fresh_screen_and_then_live_output() {
        let (mut terminal, _) = terminal();
        terminal.print("before");
        let (out, mut stream) = client();
        terminal.attach(1, Size::new(24, 80), View::Whole, out);
        let (size, content) = fresh_screen(&mut stream);
        assert_eq!((size, content.contains("before")), (Size::new(24, 80), true));
        terminal.print("after");
        assert_eq!(frame::read(&mut stream).unwrap().unwrap().as_output().unwrap().1, b"after");
        terminal.detach(1);
        terminal.print("unseen");
        assert_eq!(terminal.attached(), 0);
        assert!(terminal.screen().text().contains("beforeafterunseen"));
    }

    #[test]
    fn the_last_client_that_attached_or_typed_decides_the_size() {
        let (mut terminal, _) = terminal();
        let ((first, mut first_stream), (second, _second_stream)) = (client(), client());
        terminal.attach(1, Size::new(24, 80), View::Whole, first);
        terminal.attach(2, Size::new(30, 100), View::Whole, second);
        assert_eq!(terminal.screen().size(), Size::new(30, 100));
        assert_eq!(fresh_screen(&mut first_stream).0, Size::new(24, 80));
        assert_eq!(fresh_screen(&mut first_stream).0, Size::new(30, 100));
        terminal.take_size_of(1);
        assert_eq!(terminal.screen().size(), Size::new(24, 80));
        terminal.on_resize(3, Size::new(1, 1));
        assert_eq!(terminal.screen().size(), Size::new(24, 80), "only attached clients have a size");
    }

    #[test]
    fn a_client_gets_the_old_size_if_the_terminal_refuses_a_new_one() {
        struct FixedSize;
        impl ProgramTerminal for FixedSize {
            fn leader(&self) -> Identity {
                unreachable!("no program runs in it")
            }
            fn resize(&self, _: Size) -> bool {
                false
            }
            fn hang_up(self: Box<Self>) {}
        }
        let (mut terminal, _) = terminal();
        let old = terminal.screen().size();
        terminal.pty = Some(Box::new(FixedSize));
        let (out, mut stream) = client();
        terminal.attach(1, Size::new(60, 200), View::Whole, out);
        assert_eq!((terminal.screen().size(), fresh_screen(&mut stream).0), (old, old));
    }

    #[test]
    fn an_unfinished_sequence_is_undecided_until_its_client_leaves() {
        let (mut terminal, _) = terminal();
        let (out, _stream) = client();
        terminal.attach(1, Size::new(24, 80), View::Whole, out);
        assert_eq!(terminal.classify(1, b"a"), Some(KeyKind::Typed));
        assert_eq!(terminal.classify(1, b"\x1b]11;rgb"), Some(KeyKind::Undecided));
        assert!(terminal.is_undecided());
        assert_eq!(terminal.classify(2, b"a"), None);
        terminal.detach(1);
        assert!(!terminal.is_undecided());
    }
}
