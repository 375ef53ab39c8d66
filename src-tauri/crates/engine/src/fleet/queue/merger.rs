//! Runs the merge queue: on a thread of the project's engine, woken only by changes, or in the foreground by a
//! command.

use super::run::{self, MergeControl, Merged};
use crate::{engine::Engine, fleet, memory::view, programs::Programs};
use bc_core::fleet::Current;
use bc_process::supervised_child::StopHandle;
use bc_wire::{ApiError, ErrorCode};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, sync_channel},
    },
    thread,
    time::Duration,
};

/// Wakes the merging thread, and knows its current merge.
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
    at: Option<(Current, StopHandle)>,
}

impl QueueWaker {
    fn state(&self) -> MutexGuard<'_, WakerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports a change of the queue. Cancels the running check if its request is no longer to be merged.
    pub(crate) fn wake(&self, engine: &Engine) {
        let mut state = self.state();
        state.woken = true;
        let at = state.at.clone();
        drop(state);
        self.changed.notify_all();
        if let Some((current, leash)) = at
            && !run::is_wanted(engine, &current)
        {
            leash.stop();
        }
    }

    /// Returns an error if there is no merging thread.
    pub(crate) fn require_listener(&self) -> Result<(), ApiError> {
        match self.state().has_listener {
            true => Ok(()),
            false => {
                Err(ApiError::new(ErrorCode::QueueState, "the project is not open in any window or server")
                    .hint("`beads-console fleet queue run` merges in the foreground"))
            }
        }
    }

    /// Waits until woken or until the timeout; `false` once merging ends.
    fn wait(&self, timeout: Option<Duration>) -> bool {
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
}

impl MergeControl for QueueWaker {
    fn is_over(&self) -> bool {
        self.state().over
    }

    fn at(&self, current: &Current) -> StopHandle {
        let mut state = self.state();
        let leash = match state.at.take() {
            Some((before, leash)) if before.id == current.id => leash,
            _ => StopHandle::default(),
        };
        if state.over {
            leash.stop();
        }
        state.at = Some((current.clone(), leash.clone()));
        leash
    }
}

/// Merges until it is dropped; a running check is then cancelled, and its merge continues later.
pub(crate) struct Merger {
    engine: Arc<Engine>,
    ended: Receiver<()>,
}

/// How long to wait before checking whether another program still merges.
const RECHECK_ELSEWHERE: Duration = Duration::from_secs(2);

/// How long to wait for the end of the thread, which may be pushing to an unresponsive remote. After that it
/// continues; the queue's lock and the recorded step protect its merge, as for any other program.
const THREAD_END_TIMEOUT: Duration = Duration::from_secs(10);

impl Merger {
    /// Starts with the current queue.
    pub(crate) fn start(engine: Arc<Engine>) -> Merger {
        {
            let mut state = engine.queue_waker.state();
            (state.woken, state.over) = (true, false);
        }
        let own = Arc::clone(&engine);
        let (running, ended) = sync_channel::<()>(0);
        let merge = move || {
            let _running = running;
            let mut timeout = None;
            while own.queue_waker.wait(timeout) {
                // A failure of the queue itself is retried with the next change.
                let merged = run::run(&own, &own.queue_waker, &mut |_| ());
                own.queue_waker.state().at = None;
                // Another merging program may be killed without any change to the queue.
                timeout = matches!(merged, Ok(Merged::Elsewhere)).then_some(RECHECK_ELSEWHERE);
            }
        };
        // Without a thread, [`QueueWaker::require_listener`] reports an error.
        let has_listener = thread::Builder::new().name("merger".into()).spawn(merge).is_ok();
        engine.queue_waker.state().has_listener = has_listener;
        Merger { engine, ended }
    }
}

impl Drop for Merger {
    fn drop(&mut self) {
        let waker = &self.engine.queue_waker;
        let at = {
            let mut state = waker.state();
            (state.over, state.has_listener) = (true, false);
            state.at.clone()
        };
        waker.changed.notify_all();
        if let Some((_, leash)) = at {
            leash.stop();
        }
        // No message is ever sent: the channel disconnects when the thread ends.
        let _ = self.ended.recv_timeout(THREAD_END_TIMEOUT);
    }
}

/// Merges in this process until the queue is done; the project's engine keeps running.
pub struct Foreground(Engine);

impl Foreground {
    /// For the project that contains `start`.
    ///
    /// # Errors
    /// There is no such project.
    pub fn of(start: &Path, programs: Programs) -> Result<Foreground, ApiError> {
        Ok(Foreground(view(start, programs)?))
    }

    /// The folder to watch for changes.
    pub fn watched_dir(&self) -> PathBuf {
        fleet::dir(&self.0.project)
    }

    /// Reports a change in that folder. Cancels the running check if its request is no longer to be merged.
    pub fn state_changed(&self) {
        self.0.queue_waker.wake(&self.0);
    }

    /// Merges the waiting requests; `on_output` receives the raw output.
    ///
    /// # Errors
    /// The queue's state cannot be read or written.
    pub fn merge(&self, on_output: &mut dyn FnMut(&[u8])) -> Result<Merged, ApiError> {
        run::run(&self.0, &self.0.queue_waker, on_output)
    }
}
