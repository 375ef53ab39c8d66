//! A scripted terminal for tests, which records everything that it receives.

use crate::{
    backend::{Backend, TerminalFrame, TerminalPipe},
    events::{EventFeed, EventRing},
};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode};
use serde_json::Value;
use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

/// Waits until a condition is true; panics if it does not become true in time.
pub(super) fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "it never came true: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[derive(Default)]
pub(super) struct FakePipe {
    state: Mutex<PipeState>,
    changed: Condvar,
}

#[derive(Default)]
struct PipeState {
    frames: VecDeque<TerminalFrame>,
    lost: bool,
    closed: bool,
    written: Vec<u8>,
    sizes: Vec<(u16, u16)>,
    acked: u64,
}

impl FakePipe {
    pub(super) fn send(&self, frame: TerminalFrame) {
        self.state.lock().unwrap().frames.push_back(frame);
        self.changed.notify_all();
    }

    pub(super) fn screen(&self, offset: u64, text: &str) {
        self.send(TerminalFrame::Screen { offset, size: (80, 24), bytes: text.into() });
    }

    pub(super) fn output(&self, offset: u64, text: &str) {
        self.send(TerminalFrame::Output { offset, bytes: text.into() });
    }

    pub(super) fn disconnect(&self) {
        self.state.lock().unwrap().lost = true;
        self.changed.notify_all();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state.lock().unwrap().closed
    }

    pub(super) fn is_read(&self) -> bool {
        self.state.lock().unwrap().frames.is_empty()
    }

    pub(super) fn written(&self) -> String {
        String::from_utf8(self.state.lock().unwrap().written.clone()).unwrap()
    }

    pub(super) fn sizes(&self) -> Vec<(u16, u16)> {
        self.state.lock().unwrap().sizes.clone()
    }

    pub(super) fn acked(&self) -> u64 {
        self.state.lock().unwrap().acked
    }
}

struct Handle(Arc<FakePipe>);

impl TerminalPipe for Handle {
    fn read(&self) -> io::Result<TerminalFrame> {
        let mut state = self.0.state.lock().unwrap();
        loop {
            if state.closed || state.lost {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if let Some(frame) = state.frames.pop_front() {
                return Ok(frame);
            }
            state = self.0.changed.wait(state).unwrap();
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.state.lock().unwrap().written.extend_from_slice(bytes);
        Ok(())
    }

    fn resize(&self, size: (u16, u16)) -> io::Result<()> {
        self.0.state.lock().unwrap().sizes.push(size);
        Ok(())
    }

    fn ack(&self, offset: u64) {
        self.0.state.lock().unwrap().acked = offset;
    }

    fn close(&self) {
        self.0.state.lock().unwrap().closed = true;
        self.0.changed.notify_all();
    }
}

/// A backend that connects each terminal to the next of the given pipes. It waits while no pipe is left.
#[derive(Default)]
pub(super) struct FakeBackend {
    next: Mutex<VecDeque<Result<Arc<FakePipe>, ApiError>>>,
    opened: Mutex<Vec<(u16, u16)>>,
    changed: Condvar,
}

impl FakeBackend {
    /// Adds a pipe for the next connection.
    pub(super) fn pipe(&self) -> Arc<FakePipe> {
        let pipe = Arc::new(FakePipe::default());
        self.next.lock().unwrap().push_back(Ok(Arc::clone(&pipe)));
        self.changed.notify_all();
        pipe
    }

    /// Adds a refusal for the next connection.
    pub(super) fn refuse(&self, message: &str) {
        let error = ApiError::new(ErrorCode::SessionState, message);
        self.next.lock().unwrap().push_back(Err(error));
        self.changed.notify_all();
    }

    /// The sizes of the requested connections.
    pub(super) fn opened(&self) -> Vec<(u16, u16)> {
        self.opened.lock().unwrap().clone()
    }
}

impl Backend for FakeBackend {
    fn call(&self, _method: &str, _project: Option<&str>, params: Value) -> Result<Value, ApiError> {
        Ok(params)
    }

    fn events(&self, since: Option<u64>) -> EventFeed {
        EventRing::default().follow(since)
    }

    fn terminal(
        &self,
        _project: &str,
        _session: SessionId,
        size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError> {
        self.opened.lock().unwrap().push(size);
        let mut next = self.next.lock().unwrap();
        loop {
            match next.pop_front() {
                Some(pipe) => return pipe.map(|pipe| Box::new(Handle(pipe)) as Box<dyn TerminalPipe>),
                None => next = self.changed.wait(next).unwrap(),
            }
        }
    }
}
