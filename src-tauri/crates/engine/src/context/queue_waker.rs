//! Wakes the merging thread, and tracks the merge in progress.

use super::locks::lock;
use bc_core::fleet::Current;
use bc_process::supervised_child::StopHandle;
use bc_wire::{ApiError, ErrorCode};
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Lets the threads that change the queue wake the merging thread and stop its check.
#[derive(Debug, Default)]
pub(crate) struct QueueWaker {
    state: Mutex<WakerState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct WakerState {
    /// Whether a merging thread exists.
    has_listener: bool,
    woken: bool,
    over: bool,
    current: Option<(Current, StopHandle)>,
}

impl QueueWaker {
    fn state(&self) -> MutexGuard<'_, WakerState> {
        lock(&self.state)
    }

    /// Reports a change of the queue; returns the merge in progress with the handle that stops its check.
    pub(crate) fn wake(&self) -> Option<(Current, StopHandle)> {
        let mut state = self.state();
        state.woken = true;
        let current = state.current.clone();
        drop(state);
        self.changed.notify_all();
        current
    }

    /// Fails if this process has no merging thread.
    pub(crate) fn require_listener(&self) -> Result<(), ApiError> {
        match self.state().has_listener {
            true => Ok(()),
            false => {
                Err(ApiError::new(ErrorCode::QueueState, "the project is not open in any window or server")
                    .hint("`beads-console fleet queue run` merges in the foreground"))
            }
        }
    }

    /// Prepares for a new merging thread, which reads the queue immediately.
    pub(crate) fn begin(&self) {
        let mut state = self.state();
        (state.woken, state.over) = (true, false);
    }

    pub(crate) fn set_listener(&self, exists: bool) {
        self.state().has_listener = exists;
    }

    /// Signals the merging thread to end, and stops its running check.
    pub(crate) fn end(&self) {
        let current = {
            let mut state = self.state();
            (state.over, state.has_listener) = (true, false);
            state.current.clone()
        };
        self.changed.notify_all();
        if let Some((_, stop)) = current {
            stop.stop();
        }
    }

    /// Waits until woken or until the timeout; `false` if the merging thread should end.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        let silent = |state: &mut WakerState| !state.woken && !state.over;
        let mut state = match timeout {
            Some(most) => {
                let waited = self.changed.wait_timeout_while(self.state(), most, silent);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(self.state(), silent).unwrap_or_else(PoisonError::into_inner),
        };
        state.woken = false;
        !state.over
    }

    /// Whether the merging thread should end.
    pub(crate) fn is_over(&self) -> bool {
        self.state().over
    }

    /// Records the current merge. The returned handle stops its check.
    pub(crate) fn announce(&self, current: &Current) -> StopHandle {
        let mut state = self.state();
        let stop = match state.current.take() {
            Some((before, stop)) if before.id == current.id => stop,
            _ => StopHandle::default(),
        };
        if state.over {
            stop.stop();
        }
        state.current = Some((current.clone(), stop.clone()));
        stop
    }

    pub(crate) fn clear(&self) {
        self.state().current = None;
    }
}
