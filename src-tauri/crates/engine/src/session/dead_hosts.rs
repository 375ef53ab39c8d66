//! Pauses active sessions whose host died. Their remaining processes are terminated, the rest of the
//! transcript is recorded, and their active time ends at the last heartbeat. For a session at a known place,
//! the link is restarted instead.

use super::place_link;
use crate::{
    context::{Context, Sessions, errors::store_error, now},
    hooks, hosts, places,
};
use bc_core::{
    ids::SessionId,
    session::{Meta, Status},
};
use bc_process::descendants::{self, Family};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode};
use std::{sync::Arc, time::Duration};

/// How long remaining processes can take to exit after the first signal, before they are killed.
const GRACE: Duration = Duration::from_secs(2);

/// Pauses the active sessions whose host is dead, and updates the index.
pub(crate) fn pause_all(ctx: &Context, sessions: &Sessions) -> Result<(), ApiError> {
    pause_among(ctx, sessions, &ctx.metas()?)?;
    ctx.sync_index()
}

/// Like [`pause_all`] for these sessions, without updating the index. Returns whether any session was paused.
pub(crate) fn pause_among(ctx: &Context, sessions: &Sessions, all: &[Meta]) -> Result<bool, ApiError> {
    let mut any = false;
    for meta in all.iter().filter(|m| m.status == Status::Active) {
        let dir = ctx.store.session(meta.id);
        let Some(lock) = hosts::lock_of_dead_host(&dir)? else { continue };
        // Read the status again under the lock: the host may have just paused or closed the session itself.
        if dir.meta().map_err(store_error)?.status == Status::Active {
            let is_missing = |error: ApiError| error.code == ErrorCode::PlaceNotFound;
            let is_known = |name: &String| !places::access(name).is_err_and(is_missing);
            if meta.place.as_ref().is_some_and(is_known) {
                // Only the link has exited. The new link checks whether the host at the place is still running.
                if let Err(error) = place_link::reconnect(ctx, meta, lock) {
                    tracing::warn!(session = %meta.id, %error, "the link of the session could not be started");
                }
                continue;
            }
            tracing::warn!(session = %meta.id, "the session's host died; pausing the session");
            pause_interrupted(ctx, sessions, &Arc::new(lock))?;
            any = true;
        }
    }
    Ok(any)
}

/// Pauses a session whose host or link could not be started, and updates the index.
pub(super) fn pause_failed_start(ctx: &Context, sessions: &Sessions, id: SessionId) -> Result<(), ApiError> {
    let dir = ctx.store.session(id);
    if let Some(lock) = hosts::lock_when_free(&dir)?
        && dir.meta().map_err(store_error)?.status == Status::Active
    {
        pause_interrupted(ctx, sessions, &Arc::new(lock))?;
    }
    ctx.sync_index()
}

/// Pauses an active session whose host died, and saves its record. The caller holds the session's lock.
pub(crate) fn pause_interrupted(
    ctx: &Context,
    _: &Sessions,
    lock: &Arc<SessionLock>,
) -> Result<Meta, ApiError> {
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
    hooks::end_owed(ctx, lock, &meta);
    Ok(meta)
}
