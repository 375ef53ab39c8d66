//! Checks whether a session's host is alive, and takes the lock of a session after its host has exited.

use crate::context::errors::store_error;
use bc_process::descendants::Identity;
use bc_store::{SessionDir, SessionLock};
use bc_wire::ApiError;
use std::time::{Duration, Instant};

/// How long to wait for the session lock of a host that has exited or is exiting.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// Takes a session's lock, unless its host may be alive: a live host holds the lock. If the recorded host has
/// exited, waits up to [`RELEASE_TIMEOUT`], because a child of the host can hold a copy of the lock briefly,
/// between fork and exec. Returns `None` if the lock stays held.
pub(crate) fn lock_of_dead_host(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || is_dead(dir))
}

/// Takes a session's lock. Returns `None` if another process still holds the lock after [`RELEASE_TIMEOUT`].
/// A host releases the lock shortly after its session is paused.
pub(crate) fn lock_when_free(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || true)
}

/// Tries to take the lock for up to [`RELEASE_TIMEOUT`], while `may` returns `true`.
fn lock_while(dir: &SessionDir, may: impl Fn() -> bool) -> Result<Option<SessionLock>, ApiError> {
    let deadline = Instant::now() + RELEASE_TIMEOUT;
    loop {
        let lock = dir.try_lock().map_err(store_error)?;
        if lock.is_some() || !may() || Instant::now() > deadline {
            return Ok(lock);
        }
        // Releasing the lock raises no event, so poll.
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether the session's recorded host has definitely exited.
pub(crate) fn is_dead(dir: &SessionDir) -> bool {
    let host = dir.host().ok().flatten();
    // A start time of 0 means that the process cannot be identified, so the host may still be alive.
    host.is_some_and(|h| h.process_start != 0 && !Identity { pid: h.pid, start: h.process_start }.is_alive())
}
