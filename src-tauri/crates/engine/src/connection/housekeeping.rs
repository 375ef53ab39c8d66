//! Periodic cleanup by the engine: closes old drafts, and removes expired sessions from the trash folder. The
//! thread sleeps until the next cleanup is due, at most a day.

use crate::{
    context::{Context, now},
    session,
};
use bc_core::Timestamp;
use std::{
    sync::{
        Arc,
        mpsc::{RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// The maximum sleep: a draft that is created right after a sweep is due a day later.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Cleans up periodically until it is dropped. Dropping waits for a cleanup in progress.
pub(crate) struct Housekeeper {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Housekeeper {
    /// Starts the thread. `next` is the time of the first sweep; `None` if no sweep is due.
    pub(crate) fn start(ctx: Arc<Context>, mut next: Option<Timestamp>) -> Housekeeper {
        let (stop, stopped) = sync_channel::<()>(0);
        let run = move || {
            // Only the drop of the housekeeper ends the sleep early.
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(sleep(next)) {
                let sessions = ctx.session_lock();
                next = session::sweep(&ctx, &sessions, now()).next;
            }
        };
        let thread = thread::Builder::new().name("housekeeper".into()).spawn(run).ok();
        Housekeeper { stop: Some(stop), thread }
    }
}

impl Drop for Housekeeper {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How long to sleep until `next` by the current clock; at most a day.
fn sleep(next: Option<Timestamp>) -> Duration {
    let until = next.and_then(|next| (next - now()).to_std().ok());
    // If `next` has passed already, the last sweep failed: retry, but not immediately.
    let soonest = Duration::from_secs(60);
    match (next, until) {
        (Some(_), None) => soonest,
        (_, until) => until.unwrap_or(DAY).clamp(Duration::from_millis(1), DAY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_core::session::Status;

    #[test]
    fn the_thread_sleeps_until_a_cleanup_is_due_and_never_longer_than_a_day() {
        assert_eq!(sleep(None), DAY);
        let within = sleep(Some(now() + chrono::Duration::hours(2)));
        assert!(within > Duration::from_secs(7_000) && within <= Duration::from_secs(7_200), "{within:?}");
        assert_eq!(sleep(Some(now() + chrono::Duration::days(3))), DAY);
        assert_eq!(sleep(Some(now() - chrono::Duration::hours(1))), Duration::from_secs(60));
    }

    #[test]
    fn a_draft_is_closed_automatically_while_the_project_is_open() {
        let fixture = Fixture::new();
        let id = fixture.draft(1, 0);
        // The draft was created almost a day ago, so it is due shortly.
        let lock = fixture.session_lock(id);
        let mut meta = lock.meta().unwrap();
        meta.created_at = now() - chrono::Duration::hours(24) + chrono::Duration::milliseconds(300);
        lock.save_meta(&meta).unwrap();
        drop(lock);
        let Fixture { folder, engine, ctx } = fixture.reopened();
        let keeper = Housekeeper::start(Arc::clone(&ctx), engine.next_sweep());
        let deadline = std::time::Instant::now() + Duration::from_secs(30);
        while ctx.store.session(id).meta().unwrap().status != Status::Closed {
            assert!(std::time::Instant::now() < deadline, "the draft was not closed");
            thread::sleep(Duration::from_millis(20));
        }
        drop(keeper);
        drop(folder);
    }
}
