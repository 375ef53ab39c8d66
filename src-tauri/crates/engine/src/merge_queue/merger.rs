//! Runs the merge queue, either on a thread of the project's engine or in the foreground of a command.

use super::run::{self, Merged, wake};
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

/// Merges on its own thread until it is dropped. A running check is then cancelled, and its merge is repeated later.
pub(crate) struct Merger {
    ctx: Arc<Context>,
    ended: Receiver<()>,
}

/// How long to wait before the next attempt while another program is merging.
const RECHECK_ELSEWHERE: Duration = Duration::from_secs(2);

/// How long to wait for the thread to exit, since it may be pushing to an unresponsive remote. After that
/// time, the thread is detached; the queue's lock and the recorded step protect its merge, as they do between
/// programs.
const THREAD_END_TIMEOUT: Duration = Duration::from_secs(10);

impl Merger {
    /// Starts the thread, which first merges the current queue.
    pub(crate) fn start(ctx: Arc<Context>) -> Merger {
        ctx.queue_waker.begin();
        let own = Arc::clone(&ctx);
        let (running, ended) = sync_channel::<()>(0);
        let merge = move || {
            let _running = running;
            let mut timeout = None;
            while own.queue_waker.wait(timeout) {
                // A failure of the queue itself is retried with the next change.
                let merged = run::run(&own, &mut |_| ());
                own.queue_waker.clear();
                // The other merging program may be killed, which changes nothing in the queue and so does not wake
                // this thread.
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

/// Merges in this process, which need not be the project's engine.
pub struct Foreground(Context);

impl Foreground {
    /// Finds the project that contains `start`.
    ///
    /// # Errors
    /// `start` cannot be opened or is not in a project.
    pub fn of(start: &Path, programs: Programs) -> Result<Foreground, ApiError> {
        Ok(Foreground(Context::view(start, programs)?))
    }

    /// The folder to watch for changes of the queue.
    pub fn watched_dir(&self) -> PathBuf {
        fleet_state::dir(&self.0.project)
    }

    /// Call this after a change in the watched folder. It cancels the running check if its request was removed from
    /// the queue.
    pub fn state_changed(&self) {
        wake(&self.0);
    }

    /// Merges the waiting requests. `on_output` receives the output of git and the check as it is written.
    ///
    /// # Errors
    /// The queue's state cannot be read or written, git fails, or the check of an earlier merge does not exit.
    pub fn merge(&self, on_output: &mut dyn FnMut(&[u8])) -> Result<Merged, ApiError> {
        run::run(&self.0, on_output)
    }
}
