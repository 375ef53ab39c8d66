//! The state that a client's terminal shares with its reader thread.

use super::flow::Flow;
use crate::backend::{Backend, TerminalPipe};
use bc_core::ids::SessionId;
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    task::Waker,
    time::Duration,
};

pub(super) struct Shared {
    pub(super) backend: Arc<dyn Backend>,
    pub(super) project: String,
    pub(super) session: SessionId,
    pub(super) patience: Duration,
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
}

pub(super) struct State {
    pub(super) flow: Flow,
    pub(super) pipe: Pipe,
    pub(super) size: Option<(u16, u16)>,
    pub(super) visible: bool,
    /// Whether the receiver is waiting for a message. A waiting receiver has already sent all earlier messages.
    pub(super) taking: bool,
    /// The number of threads that wait for `changed`.
    pub(super) waiting: usize,
    /// The waker of an async receiver.
    pub(super) waker: Option<Waker>,
    /// Counts taken messages and acknowledgements. It does not change while the client is stalled.
    pub(super) progress: u64,
    pub(super) typed: Vec<u8>,
    pub(super) end: End,
}

/// The connection to the session.
pub(super) enum Pipe {
    /// The client is hidden, has no size yet or is being connected, or the terminal has ended.
    None,
    /// A connection whose output is sent.
    Live(Arc<dyn TerminalPipe>),
    /// A connection whose output is dropped, until the client has drawn all sent output.
    Cut(Arc<dyn TerminalPipe>),
}

#[derive(PartialEq, Eq)]
pub(super) enum End {
    Open,
    /// No more output will arrive, but the queue still has messages.
    Draining,
    /// The client has disconnected, and nothing more is sent.
    Closed,
}

impl State {
    pub(super) fn pipe(&self) -> Option<Arc<dyn TerminalPipe>> {
        match &self.pipe {
            Pipe::None => None,
            Pipe::Live(pipe) | Pipe::Cut(pipe) => Some(Arc::clone(pipe)),
        }
    }

    /// The client's size if the client needs a connection. `None` if it is hidden, has no size, or the
    /// terminal has ended.
    pub(super) fn wanted(&self) -> Option<(u16, u16)> {
        self.size.filter(|_| self.visible && self.end == End::Open)
    }

    /// Whether a client whose output was dropped can receive a screen.
    pub(super) fn has_caught_up(&self) -> bool {
        matches!(self.pipe, Pipe::Cut(_)) && self.taking && self.flow.is_drawn()
    }
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.waiting += 1;
        let mut state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Wakes all waiting threads and tasks. Call this after a change, without holding the state's lock.
    pub(super) fn notify_all(&self) {
        let mut state = self.lock();
        let waker = state.waker.take();
        self.notify(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Unlocks the state and wakes the threads that wait for a change.
    pub(super) fn notify(&self, state: MutexGuard<'_, State>) {
        let waiting = state.waiting > 0;
        drop(state);
        // A notification costs a system call even if no thread is waiting.
        if waiting {
            self.changed.notify_all();
        }
    }

    /// Drops the current connection. The reader thread reconnects if the client still needs a connection.
    pub(super) fn disconnect(&self, mut state: MutexGuard<'_, State>) {
        let pipe = state.pipe();
        state.pipe = Pipe::None;
        if state.end != End::Draining {
            state.flow.forget();
        }
        drop(state);
        self.notify_all();
        if let Some(pipe) = pipe {
            pipe.close();
        }
    }
}
