//! Old sessions: drafts that were never started close automatically, the user decides on long pauses, and deleted
//! sessions stay in the trash folder for a while.

use super::{start, view};
use crate::{
    engine::{Engine, now},
    errors::{chain, store_error},
};
use bc_core::{
    Timestamp,
    ids::SessionId,
    session::{CloseReason, Event, Meta, Status},
};
use bc_store::StoreError;
use bc_wire::{ApiError, ErrorCode, session::*};
use chrono::Duration;

/// How long a draft may wait to be started, in hours.
const DRAFT_HOURS: i64 = 24;
/// After how many days a pause counts as stale.
const STALE_DAYS: u32 = 7;
/// How many days a deleted session can be restored.
const TRASH_DAYS: u32 = 7;

/// The result of a sweep.
#[derive(Debug, Default)]
pub(crate) struct Swept {
    closed: Vec<SessionId>,
    removed: Vec<SessionId>,
    warnings: Vec<String>,
    /// When the next sweep is due, at most a day ahead.
    pub(crate) next: Option<Timestamp>,
}

/// Closes old drafts and removes expired sessions from the trash folder. Failures are reported and retried by the
/// next sweep.
pub(crate) fn sweep(engine: &Engine, now: Timestamp) -> Swept {
    let mut swept = match engine.metas() {
        Ok(metas) => sweep_of(engine, &metas, now),
        Err(error) => Swept { warnings: vec![error.to_string()], ..Swept::default() },
    };
    if swept.changed()
        && let Err(error) = engine.sync_index()
    {
        swept.warnings.push(error.to_string());
    }
    swept
}

/// Like [`sweep`] for these sessions, without updating the index.
pub(crate) fn sweep_of(engine: &Engine, all: &[Meta], now: Timestamp) -> Swept {
    let mut swept = Swept::default();
    drafts(engine, all, now, &mut swept);
    match empty_trash(engine, now) {
        Ok(removed) => swept.removed = removed,
        Err(error) => swept.warnings.push(chain(&error)),
    }
    if let Ok((trashed, _)) = engine.store.trashed() {
        let due =
            trashed.iter().map(|trashed| trashed.deleted_at + Duration::days(i64::from(TRASH_DAYS))).min();
        // Sessions that are due by the clock but not by the days observed are checked again the next day.
        swept.due(due.map(|due| if due < now { now + Duration::days(1) } else { due }));
    }
    swept
}

/// Removes sessions that were deleted seven days ago, both by the clock and by the days on which they were seen in
/// the trash folder: the clock may be wrong by years.
fn empty_trash(engine: &Engine, now: Timestamp) -> Result<Vec<SessionId>, StoreError> {
    match engine.store.record_trash_check(now, TRASH_DAYS as usize)? {
        Some(seen) => engine.store.purge(seen.min(now - Duration::days(i64::from(TRASH_DAYS)))),
        None => Ok(Vec::new()),
    }
}

impl Swept {
    /// Whether a session's record changed.
    pub(crate) fn changed(&self) -> bool {
        !self.closed.is_empty()
    }

    fn due(&mut self, at: Option<Timestamp>) {
        self.next = [self.next, at].into_iter().flatten().min();
    }
}

fn drafts(engine: &Engine, all: &[Meta], now: Timestamp, swept: &mut Swept) {
    for meta in all.iter().filter(|meta| meta.status == Status::Draft) {
        let due = meta.created_at + Duration::hours(DRAFT_HOURS);
        if due > now {
            swept.due(Some(due));
            continue;
        }
        match close_draft(engine, meta.id, now) {
            Ok(true) => swept.closed.push(meta.id),
            // It is being started right now.
            Ok(false) => {}
            Err(error) => swept.warnings.push(format!("draft {} was not closed: {error}", meta.id.short())),
        }
    }
}

fn close_draft(engine: &Engine, id: SessionId, now: Timestamp) -> Result<bool, ApiError> {
    let Some(lock) = engine.store.session(id).try_lock().map_err(store_error)? else { return Ok(false) };
    let mut meta = lock.meta().map_err(store_error)?;
    if meta.status != Status::Draft {
        return Ok(false);
    }
    view::accepted(meta.transition(Event::Close(CloseReason::Abandoned), now), id)?;
    lock.save_meta(&meta).map_err(store_error)?;
    start::give_back_of(engine, &meta);
    Ok(true)
}

pub(crate) fn cleanup(engine: &Engine) -> Result<CleanedUp, ApiError> {
    engine.writable()?;
    let _sessions = engine.session_lock();
    let Swept { closed, removed, warnings, .. } = sweep(engine, now());
    Ok(CleanedUp { closed_drafts: closed, removed, stale: stale(engine)?, warnings })
}

/// Sessions paused for so long that the user should close or resume them.
pub(crate) fn stale(engine: &Engine) -> Result<StaleSessions, ApiError> {
    let since = now() - Duration::days(i64::from(STALE_DAYS));
    let paused_at = |meta: &Meta| meta.paused_at.unwrap_or(meta.created_at);
    let mut old: Vec<Meta> = engine
        .metas()?
        .into_iter()
        .filter(|meta| meta.status == Status::Paused && paused_at(meta) < since)
        .collect();
    old.sort_by_key(paused_at);
    let sessions = old.into_iter().map(|meta| view::of(engine, meta)).collect();
    Ok(StaleSessions { sessions, days: STALE_DAYS })
}

/// Deletes these sessions, or all closed ones in a range of dates; failures are reported individually.
pub(crate) fn delete_many(engine: &Engine, params: &DeleteManyParams) -> Result<Deleted, ApiError> {
    engine.writable()?;
    if params.ids.is_empty() && params.before.is_none() && params.after.is_none() {
        let text = "no sessions to delete were named";
        return Err(ApiError::new(ErrorCode::Usage, text).hint("name sessions, or give a range of end dates"));
    }
    let _sessions = engine.session_lock();
    let mut deleted = Deleted { sessions: Vec::new(), refused: Vec::new() };
    for id in wanted(engine, params)? {
        match delete_one(engine, id, params.dry_run) {
            Ok(session) => deleted.sessions.push(session),
            Err(error) => deleted.refused.push(NotDeleted { id, error }),
        }
    }
    engine.sync_index()?;
    Ok(deleted)
}

/// The named sessions within the range; without names, all closed ones.
fn wanted(engine: &Engine, params: &DeleteManyParams) -> Result<Vec<SessionId>, ApiError> {
    let in_range = |meta: &Meta| {
        let bounded = params.before.is_some() || params.after.is_some();
        match meta.closed_at {
            Some(closed) => {
                params.before.is_none_or(|b| closed < b) && params.after.is_none_or(|a| closed >= a)
            }
            None => !bounded,
        }
    };
    if params.ids.is_empty() {
        let metas = engine.metas()?.into_iter().filter(|m| m.status == Status::Closed && in_range(m));
        return Ok(metas.map(|meta| meta.id).collect());
    }
    let mut ids = Vec::new();
    for &id in &params.ids {
        // An unreadable session is reported when its deletion fails.
        let inside = engine.store.session(id).meta().map_or(true, |meta| in_range(&meta));
        if inside && !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn delete_one(engine: &Engine, id: SessionId, dry_run: bool) -> Result<SessionView, ApiError> {
    let meta = engine.store.session(id).meta().map_err(store_error)?;
    if meta.status != Status::Closed {
        let text = format!(
            "session {} is {}; only closed sessions can be deleted",
            id.short(),
            meta.status.as_str()
        );
        return Err(ApiError::new(ErrorCode::SessionState, text)
            .hint(format!("`beads-console session end {}` closes it", id.short())));
    }
    if !dry_run {
        engine.store.delete(id, now()).map_err(store_error)?;
    }
    Ok(view::of(engine, meta))
}

/// Moves a session to the trash folder.
pub(crate) fn delete(engine: &Engine, id: SessionId) -> Result<(), ApiError> {
    engine.writable()?;
    let _sessions = engine.session_lock();
    delete_one(engine, id, false)?;
    engine.sync_index()
}

/// Restores a session from the trash folder.
pub(crate) fn restore(engine: &Engine, id: SessionId) -> Result<SessionView, ApiError> {
    engine.writable()?;
    let _sessions = engine.session_lock();
    engine.store.restore(id).map_err(store_error)?;
    engine.sync_index()?;
    view::show(engine, id)
}

/// The contents of the trash folder.
pub(crate) fn trash(engine: &Engine) -> Result<Trash, ApiError> {
    let (found, problems) = engine.store.trashed().map_err(store_error)?;
    let sessions = found
        .into_iter()
        .map(|trashed| Trashed {
            removed_at: trashed.deleted_at + Duration::days(i64::from(TRASH_DAYS)),
            deleted_at: trashed.deleted_at,
            meta: trashed.meta,
        })
        .collect();
    Ok(Trash { sessions, warnings: problems.iter().map(|p| chain(p)).collect() })
}

#[cfg(test)]
mod tests;
