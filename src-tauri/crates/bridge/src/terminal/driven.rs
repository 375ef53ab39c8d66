//! A terminal whose pipe is read by the host that serves the client, when there is something to read and room
//! for it: no thread has to wake up between the session and the client. A thread stays beside it for what
//! blocks and for what takes long: connecting, and losing patience with a client that stands still.

use super::{FlowLimits, Pipe, Shared, State, Terminal, reader};
use crate::backend::{Backend, TerminalPipe};
use bc_core::ids::SessionId;
use std::sync::{Arc, PoisonError};

/// What came of reading a pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Something was taken in; there may be more.
    Some,
    /// Nothing is there: wait for the descriptor.
    Nothing,
    /// The queue is full: wait for [`Terminal::poll_recv`].
    NoRoom,
    /// The pipe is not the terminal's any more: look for [`Terminal::source`] again.
    Over,
}

impl State {
    fn has_no_room(&self) -> bool {
        matches!(self.pipe, Pipe::Live(_)) && !self.flow.has_room()
    }
}

impl Terminal {
    /// As [`Terminal::attach`], for a host that reads the pipe itself: [`Terminal::source`] where it has a
    /// descriptor, [`Terminal::take_in`] when that is readable.
    pub fn driven(
        backend: Arc<dyn Backend>,
        project: &str,
        session: SessionId,
        limits: FlowLimits,
    ) -> Terminal {
        Terminal::new(backend, project, session, limits, true)
    }

    /// What is to be read, if anything is. [`Terminal::poll_recv`] wakes its task when it is another one.
    pub fn source(&self) -> Option<Arc<dyn TerminalPipe>> {
        let pipe = self.shared.lock().pipe();
        pipe.filter(|pipe| self.shared.driven && pipe.descriptor().is_some())
    }

    /// Reads one frame from a [`Terminal::source`], if there is one and room for it; never waits.
    pub fn take_in(&self, pipe: &Arc<dyn TerminalPipe>) -> Taken {
        let mut state = self.shared.lock();
        if !reader::is_current(&state, pipe) {
            return Taken::Over;
        }
        if state.has_no_room() {
            if !std::mem::replace(&mut state.full, true) {
                self.shared.turned.notify_all();
            }
            return Taken::NoRoom;
        }
        drop(state);
        let Some(said) = pipe.read_now().transpose() else { return Taken::Nothing };
        match reader::take(&self.shared, pipe, said) {
            true => Taken::Some,
            false => Taken::Over,
        }
    }

    /// Gives up a [`Terminal::source`] that cannot be waited for.
    pub fn lose(&self, pipe: &Arc<dyn TerminalPipe>) {
        reader::take(&self.shared, pipe, Err(std::io::ErrorKind::BrokenPipe.into()));
    }
}

/// Stays beside a connection that the host reads, to its end. A client that stands still with a full queue
/// is cut over.
pub(super) fn attend(shared: &Shared, pipe: &Arc<dyn TerminalPipe>) {
    shared.lock().full = false;
    // The host begins to read.
    shared.tell();
    let is_current = |state: &mut State| reader::is_current(state, pipe);
    loop {
        let goes_on = |state: &mut State| is_current(state) && !state.full;
        let state = shared.turned.wait_while(shared.lock(), goes_on).unwrap_or_else(PoisonError::into_inner);
        let before = state.progress;
        let waited = shared.turned.wait_timeout_while(state, shared.patience, |state| is_current(state));
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if !is_current(&mut state) {
            return;
        }
        let stands_still = state.has_no_room() && state.progress == before;
        state.full = state.has_no_room() && !stands_still;
        if stands_still {
            reader::cut(&mut state);
            drop(state);
            // What the connection says from now on is dropped, and has to be read for that.
            shared.tell();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        backend::TerminalFrame,
        terminal::{
            Outgoing, TerminalMessage,
            fake::{FakeBackend, FakePipe, eventually},
        },
    };
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        task::{Context, Poll, Wake, Waker},
        time::Duration,
    };

    const LIMITS: FlowLimits =
        FlowLimits { chunk: 8, window: 16, queue: 16, patience: Duration::from_secs(3600) };

    /// Counts how often the host's task is woken.
    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Release);
        }
    }

    /// A host that reads, and its client.
    struct Host {
        backend: Arc<FakeBackend>,
        terminal: Terminal,
        woken: Arc<Woken>,
    }

    impl Host {
        fn new() -> Host {
            Host::with(LIMITS)
        }

        fn with(limits: FlowLimits) -> Host {
            let backend = Arc::new(FakeBackend::default());
            let session = "6b0e6c0e-0000-4000-8000-000000000001".parse().expect("a UUID");
            let terminal = Terminal::driven(Arc::clone(&backend) as Arc<_>, "p1", session, limits);
            terminal.control(TerminalMessage::Resize { cols: 80, rows: 24 });
            Host { backend, terminal, woken: Arc::default() }
        }

        fn woken(&self) -> usize {
            self.woken.0.load(Ordering::Acquire)
        }

        fn message(&self) -> Poll<Option<Outgoing>> {
            let waker = Waker::from(Arc::clone(&self.woken));
            self.terminal.poll_recv(&mut Context::from_waker(&waker))
        }

        /// Everything that may be sent now, read as a host reads it.
        fn texts(&self) -> Vec<String> {
            let mut texts = Vec::new();
            loop {
                match self.message() {
                    Poll::Ready(Some(Outgoing::Text(text))) => texts.push(text),
                    Poll::Ready(Some(Outgoing::Frame(bytes))) => {
                        texts.push(String::from_utf8_lossy(&bytes[8..]).into_owned());
                    }
                    Poll::Ready(None) => return texts,
                    Poll::Pending => match self.terminal.source().map(|pipe| self.terminal.take_in(&pipe)) {
                        Some(Taken::Some | Taken::Over) => {}
                        Some(Taken::Nothing | Taken::NoRoom) | None => return texts,
                    },
                }
            }
        }

        fn connected(&self) -> Arc<FakePipe> {
            let pipe = self.backend.readable_pipe();
            eventually("a source", || self.terminal.source().is_some());
            pipe
        }

        fn ack(&self, offset: u64) {
            self.terminal.control(TerminalMessage::Ack { offset });
        }
    }

    const SCREEN: &str = r#"{"type":"screen","cols":80,"rows":24}"#;

    #[test]
    fn a_host_is_woken_when_there_is_something_to_read_and_takes_it_in_order() {
        let host = Host::new();
        assert_eq!(host.message(), Poll::Pending);
        let pipe = host.connected();
        eventually("the host is woken", || host.woken() > 0);
        pipe.screen(700, "SCR");
        pipe.output(700, "abc");
        assert_eq!(host.texts(), [SCREEN, "SCR", "abc"]);
        pipe.output(703, "de");
        pipe.say(TerminalFrame::Ended);
        assert_eq!(host.texts(), ["de", r#"{"type":"ended"}"#]);
        assert_eq!(host.message(), Poll::Ready(None));
    }

    #[test]
    fn a_full_queue_is_not_read_into_and_an_acknowledgement_goes_on_with_it() {
        let host = Host::new();
        let pipe = host.connected();
        pipe.screen(0, "");
        assert_eq!(host.texts(), [SCREEN, ""]);
        for at in 0..6 {
            pipe.output(at * 8, "12345678");
        }
        assert_eq!(host.texts(), ["12345678", "12345678"]);
        let source = host.terminal.source().unwrap();
        assert_eq!(host.terminal.take_in(&source), Taken::NoRoom);
        assert!(!pipe.is_read());
        let before = host.woken();
        host.ack(8);
        assert!(host.woken() > before);
        assert_eq!(host.texts(), ["12345678"]);
    }

    #[test]
    fn a_client_that_stands_still_is_cut_over_to_a_fresh_screen() {
        let host = Host::with(FlowLimits { patience: Duration::from_millis(10), ..LIMITS });
        let pipe = host.connected();
        pipe.screen(0, "");
        for at in 0..6 {
            pipe.output(at * 8, "12345678");
        }
        let mut sent = host.texts();
        // Cut over, what the session says is read and dropped.
        eventually("the rest is read", || {
            sent.extend(host.texts());
            pipe.is_read()
        });
        assert_eq!(sent, [SCREEN, "", "12345678", "12345678"]);
        let fresh = host.backend.readable_pipe();
        fresh.screen(48, "FRESH");
        host.ack(16);
        let mut then = Vec::new();
        eventually("a fresh screen", || {
            then.extend(host.texts());
            then == [SCREEN, "FRESH"]
        });
        assert!(pipe.is_closed());
    }

    #[test]
    fn a_lost_connection_ends_the_terminal_and_a_hidden_one_has_none() {
        let host = Host::new();
        let pipe = host.connected();
        pipe.screen(0, "SCR");
        assert_eq!(host.texts(), [SCREEN, "SCR"]);
        host.terminal.control(TerminalMessage::Visible { visible: false });
        assert!(host.terminal.source().is_none() && pipe.is_closed());
        let next = host.backend.readable_pipe();
        host.terminal.control(TerminalMessage::Visible { visible: true });
        eventually("another source", || host.terminal.source().is_some());
        next.lose();
        assert_eq!(host.texts(), Vec::<String>::new());
        assert_eq!(host.message(), Poll::Ready(None));
    }

    #[test]
    fn a_pipe_without_a_descriptor_is_read_by_a_thread() {
        let host = Host::new();
        let pipe = host.backend.pipe();
        pipe.screen(0, "SCR");
        let mut sent = Vec::new();
        eventually("the screen", || {
            sent.extend(host.texts());
            sent == [SCREEN, "SCR"]
        });
        assert!(host.terminal.source().is_none());
    }
}
