//! Cleanup of old sessions. Drafts that were not started within a day are closed automatically. Sessions that
//! were paused long ago are listed for the user's decision. Deleted sessions stay in the trash folder for at
//! least seven days.

use super::{checkpoints::delete_checkpoints, claim, view};
use crate::context::{
    Context, Sessions,
    errors::{chain, store_error},
    now,
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
/// The number of days after which a paused session counts as stale.
const STALE_DAYS: u32 = 7;
/// The number of days for which a deleted session can be restored.
const TRASH_DAYS: u32 = 7;

#[derive(Debug, Default)]
pub(crate) struct Swept {
    closed: Vec<SessionId>,
    removed: Vec<SessionId>,
    warnings: Vec<String>,
    /// When the next sweep is due; `None` if no draft and no deleted session can expire.
    pub(crate) next: Option<Timestamp>,
}

/// Closes old drafts, removes expired sessions from the trash folder, and updates the index. A failure becomes a
/// warning, and the next sweep tries again.
pub(crate) fn sweep(ctx: &Context, sessions: &Sessions, now: Timestamp) -> Swept {
    let mut swept = match ctx.metas() {
        Ok(metas) => sweep_of(ctx, sessions, &metas, now),
        Err(error) => Swept { warnings: vec![error.to_string()], ..Swept::default() },
    };
    if swept.changed()
        && let Err(error) = ctx.sync_index()
    {
        swept.warnings.push(error.to_string());
    }
    swept
}

/// Like [`sweep`] for these sessions, without updating the index.
pub(crate) fn sweep_of(ctx: &Context, _: &Sessions, all: &[Meta], now: Timestamp) -> Swept {
    let mut swept = Swept::default();
    drafts(ctx, all, now, &mut swept);
    match empty_trash(ctx, now) {
        Ok(removed) => swept.removed = removed,
        Err(error) => swept.warnings.push(chain(&error)),
    }
    if let Ok((trashed, _)) = ctx.store.trashed() {
        let due =
            trashed.iter().map(|trashed| trashed.deleted_at + Duration::days(i64::from(TRASH_DAYS))).min();
        // If a session is due by the clock but the trash was checked on too few days, check again the next day.
        swept.due(due.map(|due| if due < now { now + Duration::days(1) } else { due }));
    }
    swept
}

/// Removes sessions that were deleted at least seven days ago by the clock, and before the last eight checks
/// of the trash, which are at least 20 hours apart. The clock alone can be wrong by years.
fn empty_trash(ctx: &Context, now: Timestamp) -> Result<Vec<SessionId>, StoreError> {
    match ctx.store.record_trash_check(now, TRASH_DAYS as usize)? {
        Some(before) => {
            let purged = ctx.store.purge(before.min(now - Duration::days(i64::from(TRASH_DAYS))))?;
            delete_checkpoints(ctx, &purged);
            super::change_edits::forget(ctx, &purged);
            Ok(purged)
        }
        None => Ok(Vec::new()),
    }
}

impl Swept {
    pub(crate) fn changed(&self) -> bool {
        !self.closed.is_empty()
    }

    fn due(&mut self, at: Option<Timestamp>) {
        self.next = [self.next, at].into_iter().flatten().min();
    }
}

fn drafts(ctx: &Context, all: &[Meta], now: Timestamp, swept: &mut Swept) {
    for meta in all.iter().filter(|meta| meta.status == Status::Draft) {
        let due = meta.created_at + Duration::hours(DRAFT_HOURS);
        if due > now {
            swept.due(Some(due));
            continue;
        }
        match close_draft(ctx, meta.id, now) {
            Ok(true) => swept.closed.push(meta.id),
            // The draft is being started, or is no longer a draft.
            Ok(false) => {}
            Err(error) => swept.warnings.push(format!("draft {} was not closed: {error}", meta.id.short())),
        }
    }
}

fn close_draft(ctx: &Context, id: SessionId, now: Timestamp) -> Result<bool, ApiError> {
    let Some(lock) = ctx.store.session(id).try_lock().map_err(store_error)? else { return Ok(false) };
    let mut meta = lock.meta().map_err(store_error)?;
    if meta.status != Status::Draft {
        return Ok(false);
    }
    view::accepted(meta.transition(Event::Close(CloseReason::Abandoned), now), id)?;
    lock.save_meta(&meta).map_err(store_error)?;
    claim::release_draft(ctx, &meta);
    Ok(true)
}

pub(crate) fn cleanup(ctx: &Context) -> Result<CleanedUp, ApiError> {
    ctx.writable()?;
    let sessions = ctx.session_lock();
    let Swept { closed, removed, warnings, .. } = sweep(ctx, &sessions, now());
    Ok(CleanedUp { closed_drafts: closed, removed, stale: stale(ctx)?, warnings })
}

/// Sessions paused for so long that the user should close or resume them.
pub(crate) fn stale(ctx: &Context) -> Result<StaleSessions, ApiError> {
    let since = now() - Duration::days(i64::from(STALE_DAYS));
    let paused_at = |meta: &Meta| meta.paused_at.unwrap_or(meta.created_at);
    let mut old: Vec<Meta> = ctx
        .metas()?
        .into_iter()
        .filter(|meta| meta.status == Status::Paused && paused_at(meta) < since)
        .collect();
    old.sort_by_key(paused_at);
    let sessions = old.into_iter().map(|meta| view::of(ctx, meta)).collect();
    Ok(StaleSessions { sessions, days: STALE_DAYS })
}

/// Deletes the named sessions, or all sessions that were closed in a range of dates. Each refusal is reported
/// in the result.
pub(crate) fn delete_many(ctx: &Context, params: &DeleteManyParams) -> Result<Deleted, ApiError> {
    ctx.writable()?;
    if params.ids.is_empty() && params.before.is_none() && params.after.is_none() {
        let text = "no sessions to delete were named";
        return Err(ApiError::new(ErrorCode::Usage, text).hint("name sessions, or give a range of end dates"));
    }
    let sessions = ctx.session_lock();
    let mut deleted = Deleted { sessions: Vec::new(), refused: Vec::new() };
    for id in wanted(ctx, params)? {
        match delete_one(ctx, &sessions, id, params.dry_run) {
            Ok(session) => deleted.sessions.push(session),
            Err(error) => deleted.refused.push(NotDeleted { id, error }),
        }
    }
    ctx.sync_index()?;
    Ok(deleted)
}

/// The named sessions; if a range is given, only those that were closed in the range. Without names, all
/// sessions that were closed in the range.
fn wanted(ctx: &Context, params: &DeleteManyParams) -> Result<Vec<SessionId>, ApiError> {
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
        let metas = ctx.metas()?.into_iter().filter(|m| m.status == Status::Closed && in_range(m));
        return Ok(metas.map(|meta| meta.id).collect());
    }
    let mut ids = Vec::new();
    for &id in &params.ids {
        // An unreadable session is reported when its deletion fails.
        let inside = ctx.store.session(id).meta().map_or(true, |meta| in_range(&meta));
        if inside && !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn delete_one(ctx: &Context, _: &Sessions, id: SessionId, dry_run: bool) -> Result<SessionView, ApiError> {
    let meta = ctx.meta(id)?;
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
        ctx.store.delete(id, now()).map_err(store_error)?;
    }
    Ok(view::of(ctx, meta))
}

pub(crate) fn delete(ctx: &Context, id: SessionId) -> Result<(), ApiError> {
    ctx.writable()?;
    let sessions = ctx.session_lock();
    delete_one(ctx, &sessions, id, false)?;
    ctx.sync_index()
}

pub(crate) fn restore(ctx: &Context, id: SessionId) -> Result<SessionView, ApiError> {
    ctx.writable()?;
    let _sessions = ctx.session_lock();
    ctx.store.restore(id).map_err(store_error)?;
    ctx.sync_index()?;
    view::show(ctx, id)
}

pub(crate) fn trash(ctx: &Context) -> Result<Trash, ApiError> {
    let (found, problems) = ctx.store.trashed().map_err(store_error)?;
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
