//! Sessions whose host died: never active, never lost. What their agent left running is ended by
//! identity, what its transcript still had to say is recorded, and their time ends at the last heartbeat.

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

/// How long leftover processes get to end when told.
const GRACE: Duration = Duration::from_secs(2);

/// Recovers every session that says it is active and has no host; called when a project is opened.
pub(crate) fn recover(engine: &Engine) -> Result<(), ApiError> {
    recover_of(engine, &engine.metas()?)?;
    engine.sync_index()
}

/// The same among these, without the index; whether any was.
pub(crate) fn recover_of(engine: &Engine, all: &[Meta]) -> Result<bool, ApiError> {
    let mut any = false;
    for meta in all.iter().filter(|m| m.status == Status::Active) {
        let dir = engine.store.session(meta.id);
        let Some(lock) = let_go(&dir)? else { continue };
        // Read again under the lock: its host may just have ended it in order.
        if dir.meta().map_err(store_error)?.status == Status::Active {
            interrupted(engine, &Arc::new(lock))?;
            any = true;
        }
    }
    Ok(any)
}

/// The lock of a session whose host does not have it. It may outlive the host for a moment: a child that was
/// just being started has it until it becomes its program.
fn let_go(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || is_dead(dir))
}

/// The lock of a session that nobody runs. A host that was just paused lets go of it a moment later.
pub(crate) fn free_soon(dir: &SessionDir) -> Result<Option<SessionLock>, ApiError> {
    lock_while(dir, || true)
}

/// Tries for the lock, again for a while as long as it may come free.
fn lock_while(dir: &SessionDir, may: impl Fn() -> bool) -> Result<Option<SessionLock>, ApiError> {
    let deadline = Instant::now() + GRACE;
    loop {
        let lock = dir.try_lock().map_err(store_error)?;
        if lock.is_some() || !may() || Instant::now() > deadline {
            return Ok(lock);
        }
        // Nothing tells of it sooner.
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether the host that the session names has surely ended.
pub(crate) fn is_dead(dir: &SessionDir) -> bool {
    let host = dir.host().ok().flatten();
    // A start of 0 is of a system that does not tell who lives.
    host.is_some_and(|h| h.process_start != 0 && !Identity { pid: h.pid, start: h.process_start }.is_alive())
}

/// Pauses an active session whose host died, and writes that down.
pub(crate) fn interrupted(engine: &Engine, lock: &Arc<SessionLock>) -> Result<Meta, ApiError> {
    let id = lock.dir().id();
    let family = Family { session: id.to_string(), root: None };
    descendants::end_all(&family, GRACE).map_err(|e| {
        ApiError::new(
            ErrorCode::Internal,
            format!("what session {} left running could not be ended: {e}", id.short()),
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
