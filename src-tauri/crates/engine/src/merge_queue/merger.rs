//! Runs the merge queue: on a thread of the project's engine, woken only by changes, or in the foreground by a
//! command.

use super::{
    run::{self, Merged},
    wake::wake,
};
use crate::{
    context::{Context, Programs},
    fleet_state,
};
use bc_wire::ApiError;
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
    thread,
    time::Duration,
};

/// Merges until it is dropped; a running check is then cancelled, and its merge continues later.
pub(crate) struct Merger {
    ctx: Arc<Context>,
    ended: Receiver<()>,
}

/// How long to wait before checking whether another program still merges.
const RECHECK_ELSEWHERE: Duration = Duration::from_secs(2);

/// How long to wait for the end of the thread, which may be pushing to an unresponsive remote. After that it
/// continues; the queue's lock and the recorded step protect its merge, as for any other program.
const THREAD_END_TIMEOUT: Duration = Duration::from_secs(10);

impl Merger {
    /// Starts with the current queue.
    pub(crate) fn start(ctx: Arc<Context>) -> Merger {
        ctx.queue_waker.begin();
        let own = Arc::clone(&ctx);
        let (running, ended) = sync_channel::<()>(0);
        let merge = move || {
            let _running = running;
            let mut timeout = None;
            while own.queue_waker.wait(timeout) {
                // A failure of the queue itself is retried with the next change.
                let merged = run::run(&own, &own.queue_waker, &mut |_| ());
                own.queue_waker.clear();
                // Another merging program may be killed without any change to the queue.
                timeout = matches!(merged, Ok(Merged::Elsewhere)).then_some(RECHECK_ELSEWHERE);
            }
        };
        // Without a thread, [`QueueWaker::require_listener`] reports an error.
        let has_listener = thread::Builder::new().name("merger".into()).spawn(merge).is_ok();
        ctx.queue_waker.set_listener(has_listener);
        Merger { ctx, ended }
    }
}

impl Drop for Merger {
    fn drop(&mut self) {
        self.ctx.queue_waker.end();
        // No message is ever sent: the channel disconnects when the thread ends.
        let _ = self.ended.recv_timeout(THREAD_END_TIMEOUT);
    }
}

/// Merges in this process until the queue is done; the project's engine keeps running.
pub struct Foreground(Context);

impl Foreground {
    /// For the project that contains `start`.
    ///
    /// # Errors
    /// There is no such project.
    pub fn of(start: &Path, programs: Programs) -> Result<Foreground, ApiError> {
        Ok(Foreground(Context::view(start, programs)?))
    }

    /// The folder to watch for changes.
    pub fn watched_dir(&self) -> PathBuf {
        fleet_state::dir(&self.0.project)
    }

    /// Reports a change in that folder. Cancels the running check if its request is no longer to be merged.
    pub fn state_changed(&self) {
        wake(&self.0);
    }

    /// Merges the waiting requests; `on_output` receives the raw output.
    ///
    /// # Errors
    /// The queue's state cannot be read or written.
    pub fn merge(&self, on_output: &mut dyn FnMut(&[u8])) -> Result<Merged, ApiError> {
        run::run(&self.0, &self.0.queue_waker, on_output)
    }
}
