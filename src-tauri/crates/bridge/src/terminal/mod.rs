//! One client's view of a session's terminal, with flow control.
//!
//! A thread reads the session's output into a short queue. The window or server takes messages from the queue
//! as fast as the client acknowledges them. If a client stalls, its queued output is dropped. Once the client
//! has drawn all sent output, it gets a new screen. A hidden client has no connection.
//!
//! Invariants: the limits bound the memory, however much the program prints. A client that keeps
//! acknowledging loses nothing. Input to a hidden terminal is dropped, so that it does not arrive later.

#[cfg(test)]
mod fake;
mod flow;
mod flow_limits;
mod message;
mod reader;
mod shared;
#[cfg(test)]
mod tests;

use crate::backend::Backend;
use bc_core::ids::SessionId;
use flow::Flow;
use shared::{End, Pipe, Shared, State};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard},
    task::{Context, Poll},
    thread,
};

pub use bc_core::terminal::TerminalMessage;
pub use flow_limits::FlowLimits;
pub use message::Outgoing;

/// The maximum size of the input that is kept while no connection exists, in bytes. A user cannot type that
/// much before the connection is made.
const TYPED_MAX: usize = 64 << 10;

/// One client's terminal. Dropping it ends the connection; the session continues.
pub struct Terminal {
    shared: Arc<Shared>,
}

impl Terminal {
    /// Creates a client's terminal, which attaches to the session once the client has reported its size.
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

    /// Waits for the next message for the client. `None` after the last message: the program exited, the
    /// connection was refused or lost, or [`Terminal::close`] was called. Only one thread may call this.
    pub fn recv(&self) -> Option<Outgoing> {
        loop {
            match self.next() {
                Ok(next) => return next,
                Err(state) => drop(self.shared.wait(state)),
            }
        }
    }

    /// Like [`Terminal::recv`] for an async task. Only one task may call this.
    pub fn poll_recv(&self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        self.next().map_or_else(
            |mut state| {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            },
            Poll::Ready,
        )
    }

    /// Returns `Ok` with the next message, or with `None` after the last message. Returns `Err` with the
    /// locked state if no message is available yet.
    fn next(&self) -> Result<Option<Outgoing>, MutexGuard<'_, State>> {
        let mut state = self.shared.lock();
        loop {
            if state.end == End::Closed {
                return Ok(None);
            }
            if let Some(message) = state.flow.take() {
                state.taking = false;
                state.progress += 1;
                self.shared.notify(state);
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

    /// Sends the user's input. May block while the program does not read. The input is ignored if the
    /// terminal is hidden, has no size yet or has ended, or if too much input waits for the connection.
    pub fn input(&self, bytes: &[u8]) {
        let mut state = self.shared.lock();
        if state.wanted().is_none() {
            return;
        }
        match state.pipe() {
            Some(pipe) => {
                drop(state);
                // An error is ignored: the reader thread detects a lost connection.
                let _ = pipe.write(bytes);
            }
            None if state.typed.len() + bytes.len() <= TYPED_MAX => state.typed.extend_from_slice(bytes),
            None => {}
        }
    }

    /// Handles a client's message other than input.
    pub fn control(&self, message: TerminalMessage) {
        let mut state = self.shared.lock();
        match message {
            // A client that does not display its terminal yet reports a size of 0.
            TerminalMessage::Resize { cols: 0, .. } | TerminalMessage::Resize { rows: 0, .. } => {}
            TerminalMessage::Resize { cols, rows } => {
                let pipe = state.pipe();
                let before = state.size.replace((cols, rows));
                drop(state);
                self.shared.notify_all();
                if let Some(pipe) = pipe.filter(|_| before != Some((cols, rows))) {
                    // An error is ignored: the reader thread detects a lost connection.
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
                self.shared.notify_all();
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
                self.shared.notify_all();
            }
        }
    }

    /// Ends the terminal; `recv` then returns `None`.
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
