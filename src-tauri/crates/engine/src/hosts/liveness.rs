//! Whether a session's host lives, and the lock of a session whose host has ended.

use crate::context::errors::store_error;
use bc_process::descendants::Identity;
use bc_store::{SessionDir, SessionLock};
use bc_wire::ApiError;
use std::time::{Duration, Instant};

/// How long to wait for the lock of a host that has ended or is ending.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The lock of a session whose host is dead; `None` if the host may still live, or if another process holds the
/// lock. The lock can outlive the host for a moment, because a child of the host inherits it until its exec.
pub(crate) fn lock_of_dead_host(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || is_dead(dir))
}

/// The lock of a session; `None` if another process still holds it after [`RELEASE_TIMEOUT`]. The host of a session
/// that was just paused releases it a moment later.
pub(crate) fn lock_when_free(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || true)
}

/// Tries to take the lock for up to [`RELEASE_TIMEOUT`], as long as `may` holds.
fn lock_while(dir: &SessionDir, may: impl Fn() -> bool) -> Result<Option<SessionLock>, ApiError> {
    let deadline = Instant::now() + RELEASE_TIMEOUT;
    loop {
        let lock = dir.try_lock().map_err(store_error)?;
        if lock.is_some() || !may() || Instant::now() > deadline {
            return Ok(lock);
        }
        // The release of the lock raises no event, so poll.
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether the host that the session names has certainly ended.
pub(crate) fn is_dead(dir: &SessionDir) -> bool {
    let host = dir.host().ok().flatten();
    // A start time of 0 means that the process cannot be identified, so it may still live.
    host.is_some_and(|h| h.process_start != 0 && !Identity { pid: h.pid, start: h.process_start }.is_alive())
}
