//! Pauses active sessions whose host died: their remaining processes are ended (identified by pid and start time),
//! the rest of the transcript is recorded, and their active time ends at the last heartbeat.

use crate::{
    engine::{Engine, now},
    errors::store_error,
    hooks,
};
use bc_core::session::{Meta, Status};
use bc_process::descendants::{self, Family, Identity};
use bc_store::{SessionDir, SessionLock};
use bc_wire::{ApiError, ErrorCode};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// How long remaining processes may take to end after the first signal.
const GRACE: Duration = Duration::from_secs(2);

/// Pauses every active session without a host; called when a project is opened.
pub(crate) fn pause_all(engine: &Engine) -> Result<(), ApiError> {
    pause_among(engine, &engine.metas()?)?;
    engine.sync_index()
}

/// Like [`pause_all`] for these sessions, without updating the index. Returns whether any session was paused.
pub(crate) fn pause_among(engine: &Engine, all: &[Meta]) -> Result<bool, ApiError> {
    let mut any = false;
    for meta in all.iter().filter(|m| m.status == Status::Active) {
        let dir = engine.store.session(meta.id);
        let Some(lock) = lock_of_dead_host(&dir)? else { continue };
        // Read again under the lock: the host may just have ended the session properly.
        if dir.meta().map_err(store_error)?.status == Status::Active {
            tracing::warn!(session = %meta.id, "the session's host died; pausing the session");
            pause_interrupted(engine, &Arc::new(lock))?;
            any = true;
        }
    }
    Ok(any)
}

/// The lock of a session whose host is dead. It may outlive the host for a moment: a child of the host inherits it
/// until its exec.
fn lock_of_dead_host(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || is_dead(dir))
}

/// The lock of a session without a host. A host that was just paused releases it a moment later.
pub(crate) fn lock_when_free(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || true)
}

/// Retries for up to [`GRACE`] while `may` holds.
fn lock_while(dir: &SessionDir, may: impl Fn() -> bool) -> Result<Option<SessionLock>, ApiError> {
    let deadline = Instant::now() + GRACE;
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
    // A start time of 0 means that the system cannot tell whether the process lives.
    host.is_some_and(|h| h.process_start != 0 && !Identity { pid: h.pid, start: h.process_start }.is_alive())
}

/// Pauses an active session whose host died, and saves that.
pub(crate) fn pause_interrupted(engine: &Engine, lock: &Arc<SessionLock>) -> Result<Meta, ApiError> {
    let id = lock.dir().id();
    let family = Family { session: id.to_string(), root: None };
    descendants::end_all(&family, GRACE).map_err(|e| {
        ApiError::new(
            ErrorCode::Internal,
            format!("the remaining processes of session {} could not be ended: {e}", id.short()),
        )
    })?;
    bc_host::catch_up(lock, now).map_err(store_error)?;
    let mut meta = lock.meta().map_err(store_error)?;
    let last_alive = lock.heartbeat().map_err(store_error)?;
    meta.interrupt(last_alive, now())
        .map_err(|refusal| ApiError::new(ErrorCode::SessionState, refusal.to_string()))?;
    lock.save_meta(&meta).map_err(store_error)?;
    hooks::end_owed(engine, lock, &meta);
    Ok(meta)
}
