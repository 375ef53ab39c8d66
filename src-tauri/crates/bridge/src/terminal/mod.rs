//! One client's view of a session's terminal, with flow control.
//!
//! A thread reads the session's pipe into a short queue; the host
//! takes messages from it at the pace that the client acknowledges. A client that stands still is cut over: what it missed is dropped, and
//! once it has drawn what it was sent it gets a fresh screen. A hidden one has no connection at all.
//!
//! Invariants: memory is bounded by the limits whatever the program prints; a client that keeps
//! acknowledging loses nothing; nothing that the user typed waits for a hidden terminal to be shown.

#[cfg(test)]
mod fake;
mod flow;
mod message;
mod reader;
#[cfg(test)]
mod tests;

use crate::backend::{Backend, TerminalPipe};
use bc_core::{ids::SessionId, terminal::WINDOW};
use flow::Flow;
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

pub use bc_core::terminal::TerminalMessage;
pub use message::Outgoing;

/// What was typed while a connection is made anew; more than this is not typed by hand.
const TYPED: usize = 64 << 10;

/// The numbers of the flow control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowLimits {
    /// Bytes up to which outputs are put together.
    pub chunk: usize,
    /// Bytes that may be under way: sent and not acknowledged.
    pub window: usize,
    /// Bytes that wait to be sent before the pipe is no longer read.
    pub queue: usize,
    /// How long a client may stand still with a full queue before it is cut over.
    pub patience: Duration,
}

impl FlowLimits {
    /// Chunks of 64 KiB, a window of 1 MiB, a queue of 256 KiB, a second of patience.
    pub const DEFAULT: FlowLimits =
        FlowLimits { chunk: 64 << 10, window: WINDOW, queue: 256 << 10, patience: Duration::from_secs(1) };
}

impl Default for FlowLimits {
    fn default() -> Self {
        FlowLimits::DEFAULT
    }
}

/// A client's terminal. Dropping it ends its connection; the session goes on.
pub struct Terminal {
    shared: Arc<Shared>,
}

struct Shared {
    backend: Arc<dyn Backend>,
    project: String,
    session: SessionId,
    patience: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    flow: Flow,
    pipe: Pipe,
    size: Option<(u16, u16)>,
    visible: bool,
    /// The host waits for a message: all that was taken has left the host.
    taking: bool,
    /// How many threads wait for a change.
    waiting: usize,
    /// Of a host that waits without a thread.
    waker: Option<Waker>,
    /// Grows with everything that a client that is alive does.
    progress: u64,
    typed: Vec<u8>,
    end: End,
}

/// The connection to the session.
enum Pipe {
    /// None: hidden, without a size, or being made.
    None,
    /// What it says is sent.
    Live(Arc<dyn TerminalPipe>),
    /// What it says is dropped until the client has caught up.
    Cut(Arc<dyn TerminalPipe>),
}

#[derive(PartialEq, Eq)]
enum End {
    /// It goes on.
    Open,
    /// What is queued is the last.
    Draining,
    /// The client is gone.
    Closed,
}

impl State {
    fn pipe(&self) -> Option<Arc<dyn TerminalPipe>> {
        match &self.pipe {
            Pipe::None => None,
            Pipe::Live(pipe) | Pipe::Cut(pipe) => Some(Arc::clone(pipe)),
        }
    }

    /// The size to connect with, if a connection is wanted.
    fn wanted(&self) -> Option<(u16, u16)> {
        self.size.filter(|_| self.visible && self.end == End::Open)
    }

    /// Whether a client that was cut over can be sent a screen.
    fn has_caught_up(&self) -> bool {
        matches!(self.pipe, Pipe::Cut(_)) && self.taking && self.flow.is_drawn()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.waiting += 1;
        let mut state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Wakes everybody who waits for a change. After the change, with the state let go.
    fn tell(&self) {
        let mut state = self.lock();
        let waker = state.waker.take();
        self.stir(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Wakes the threads that wait for a change.
    fn stir(&self, state: MutexGuard<'_, State>) {
        let waiting = state.waiting > 0;
        drop(state);
        // Telling nobody would cost a system call all the same.
        if waiting {
            self.changed.notify_all();
        }
    }

    /// Ends the connection of the moment; the reader makes a new one if one is wanted.
    fn disconnect(&self, mut state: MutexGuard<'_, State>) {
        let pipe = state.pipe();
        state.pipe = Pipe::None;
        if state.end != End::Draining {
            state.flow.forget();
        }
        drop(state);
        self.tell();
        if let Some(pipe) = pipe {
            pipe.close();
        }
    }
}

impl Terminal {
    /// Looks at a session's terminal. The connection is made once the client has said its size.
    pub fn attach(
        backend: Arc<dyn Backend>,
        project: &str,
        session: SessionId,
        limits: FlowLimits,
    ) -> Terminal {
        let state = State {
            flow: Flow::new(limits),
            pipe: Pipe::None,
            size: None,
            visible: true,
            taking: false,
            waiting: 0,
            waker: None,
            progress: 0,
            typed: Vec::new(),
            end: End::Open,
        };
        let shared = Arc::new(Shared {
            backend,
            project: project.to_owned(),
            session,
            patience: limits.patience,
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let for_reader = Arc::clone(&shared);
        thread::spawn(move || reader::run(&for_reader));
        Terminal { shared }
    }

    /// The next message for the client. Blocks; `None` once nothing follows: the program ended, the
    /// session's host was lost, or [`Terminal::close`]. For one thread.
    pub fn recv(&self) -> Option<Outgoing> {
        loop {
            match self.next() {
                Ok(next) => return next,
                Err(state) => drop(self.shared.wait(state)),
            }
        }
    }

    /// The same without blocking, for one task.
    pub fn poll_recv(&self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        self.next().map_or_else(
            |mut state| {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            },
            Poll::Ready,
        )
    }

    /// The next message, that nothing follows, or the state to wait with.
    fn next(&self) -> Result<Option<Outgoing>, MutexGuard<'_, State>> {
        let mut state = self.shared.lock();
        loop {
            if state.end == End::Closed {
                return Ok(None);
            }
            if let Some(message) = state.flow.take() {
                state.taking = false;
                state.progress += 1;
                self.shared.stir(state);
                return Ok(Some(message));
            }
            if state.end == End::Draining && state.flow.is_empty() {
                return Ok(None);
            }
            state.taking = true;
            if !state.has_caught_up() {
                return Err(state);
            }
            self.shared.disconnect(state);
            state = self.shared.lock();
        }
    }

    /// What the user typed. May block while the program does not read. A terminal that is hidden or has
    /// ended takes nothing.
    pub fn input(&self, bytes: &[u8]) {
        let mut state = self.shared.lock();
        if state.wanted().is_none() {
            return;
        }
        match state.pipe() {
            Some(pipe) => {
                drop(state);
                // A connection that is lost shows itself to the reader.
                let _ = pipe.write(bytes);
            }
            None if state.typed.len() + bytes.len() <= TYPED => state.typed.extend_from_slice(bytes),
            None => {}
        }
    }

    /// What else the client says.
    pub fn control(&self, message: TerminalMessage) {
        let mut state = self.shared.lock();
        match message {
            // A size of nothing is what a client measures while it has no place on the screen.
            TerminalMessage::Resize { cols: 0, .. } | TerminalMessage::Resize { rows: 0, .. } => {}
            TerminalMessage::Resize { cols, rows } => {
                let pipe = state.pipe();
                let before = state.size.replace((cols, rows));
                drop(state);
                self.shared.tell();
                if let Some(pipe) = pipe.filter(|_| before != Some((cols, rows))) {
                    // A connection that is lost shows itself to the reader.
                    let _ = pipe.resize((cols, rows));
                }
            }
            TerminalMessage::Ack { offset } => {
                let output = state.flow.ack(offset);
                let pipe = state.pipe();
                state.progress += 1;
                match state.has_caught_up() {
                    true => self.shared.disconnect(state),
                    false => drop(state),
                }
                self.shared.tell();
                if let (Some(pipe), Some(output)) = (pipe, output) {
                    pipe.ack(output);
                }
            }
            TerminalMessage::Visible { visible } if visible == state.visible => {}
            TerminalMessage::Visible { visible } => {
                state.visible = visible;
                state.typed.clear();
                match visible {
                    true => drop(state),
                    false => self.shared.disconnect(state),
                }
                self.shared.tell();
            }
        }
    }

    /// Ends it: `recv` returns `None`.
    pub fn close(&self) {
        let mut state = self.shared.lock();
        state.end = End::Closed;
        self.shared.disconnect(state);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.close();
    }
}
