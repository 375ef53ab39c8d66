//! The thread that reads a session's output for one client, and reconnects when necessary.

use super::{
    flow::Gap,
    message::TerminalEvent,
    shared::{End, Pipe, Shared, State},
};
use crate::backend::{TerminalFrame, TerminalPipe};
use std::{
    io,
    sync::{Arc, MutexGuard, PoisonError},
};

/// Reads until the client has disconnected or no more frames can arrive.
pub(super) fn run(shared: &Shared) {
    while let Some(size) = wanted(shared) {
        match shared.backend.terminal(&shared.project, shared.session, size) {
            Ok(pipe) => follow(shared, pipe.into(), size),
            Err(error) => {
                let mut state = shared.lock();
                state.flow.push_event(TerminalEvent::Error { error: &error });
                end(shared, state);
            }
        }
    }
}

/// Waits until the client needs a connection, and returns the client's size. Returns `None` once the client
/// will never need a connection again.
fn wanted(shared: &Shared) -> Option<(u16, u16)> {
    let mut state = shared.lock();
    loop {
        if state.end != End::Open {
            return None;
        }
        if let Some(size) = state.wanted() {
            return Some(size);
        }
        state = shared.wait(state);
    }
}

fn end(shared: &Shared, mut state: MutexGuard<'_, State>) {
    if state.end == End::Open {
        state.end = End::Draining;
    }
    state.pipe = Pipe::None;
    drop(state);
    shared.notify_all();
}

/// Reads from one connection until it ends or is replaced.
fn follow(shared: &Shared, pipe: Arc<dyn TerminalPipe>, size: (u16, u16)) {
    let Some(typed) = connected(shared, &pipe, size) else { return pipe.close() };
    if !typed.is_empty() {
        // An error is ignored: if the write fails, the read below fails, too.
        let _ = pipe.write(&typed);
    }
    while take(shared, &pipe, pipe.read()) {}
    pipe.close();
}

/// Handles one frame or error. Returns whether to continue reading.
fn take(shared: &Shared, pipe: &Arc<dyn TerminalPipe>, frame: io::Result<TerminalFrame>) -> bool {
    let mut state = shared.lock();
    if !is_current(&state, pipe) {
        return false;
    }
    match frame {
        Ok(TerminalFrame::Ended) => {
            state.flow.push_event(TerminalEvent::Ended);
            end(shared, state);
            false
        }
        Ok(frame) => {
            accept(shared, state, frame);
            true
        }
        Err(_) => {
            end(shared, state);
            false
        }
    }
}

/// Makes a new connection the current one, and returns the input typed while disconnected. Returns `None` if
/// the client no longer needs a connection.
fn connected(shared: &Shared, pipe: &Arc<dyn TerminalPipe>, opened_at: (u16, u16)) -> Option<Vec<u8>> {
    let mut state = shared.lock();
    let size = state.wanted()?;
    state.pipe = Pipe::Live(Arc::clone(pipe));
    let typed = std::mem::take(&mut state.typed);
    drop(state);
    if size != opened_at {
        // An error is ignored: the next read detects a lost connection.
        let _ = pipe.resize(size);
    }
    Some(typed)
}

/// Whether this connection is still in use.
fn is_current(state: &State, pipe: &Arc<dyn TerminalPipe>) -> bool {
    matches!(&state.pipe, Pipe::Live(current) | Pipe::Cut(current) if Arc::ptr_eq(current, pipe))
}

fn accept(shared: &Shared, state: MutexGuard<'_, State>, frame: TerminalFrame) {
    if matches!(state.pipe, Pipe::Cut(_)) {
        return;
    }
    let mut state = match frame {
        // A screen replaces the queue, so it can always be queued.
        TerminalFrame::Screen { .. } => state,
        _ => with_room(shared, state),
    };
    if matches!(state.pipe, Pipe::Live(_)) && state.flow.push(&frame) == Err(Gap) {
        cut(&mut state);
    }
    drop(state);
    shared.notify_all();
}

/// Waits for room in the queue. If the client is inactive for too long meanwhile, drops its output.
fn with_room<'a>(shared: &Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    while matches!(state.pipe, Pipe::Live(_)) && !state.flow.has_room() {
        let before = state.progress;
        let stands_still =
            |state: &mut State| state.progress == before && matches!(state.pipe, Pipe::Live(_));
        state.waiting += 1;
        let (after, waited) = shared
            .changed
            .wait_timeout_while(state, shared.patience, stands_still)
            .unwrap_or_else(PoisonError::into_inner);
        state = after;
        state.waiting -= 1;
        if waited.timed_out() && stands_still(&mut state) {
            cut(&mut state);
        }
    }
    state
}

fn cut(state: &mut State) {
    if let Pipe::Live(pipe) = &state.pipe {
        state.pipe = Pipe::Cut(Arc::clone(pipe));
        state.flow.forget();
    }
}
