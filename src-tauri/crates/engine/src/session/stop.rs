//! Pauses and ends sessions: claude exits in an orderly way, and the session's new state is saved. If it
//! cannot be saved, the caller gets the reason.

use super::{
    claim, commit_gate, dead_hosts, execution_log,
    host_client::{self, StopOutcome},
    view,
};
use crate::{
    context::{
        Context, SessionGuard, Sessions,
        errors::{store_error, tracker_error},
        now, recorded_actor,
    },
    fleet_state, places, settings,
};
use bc_beads::{Actor, CustomStatus};
use bc_core::{
    bead::BeadStatus,
    ids::{BeadId, SessionId},
    session::{CloseReason, Event, Meta, PauseReason, Status},
};
use bc_wire::{ApiError, ErrorCode, session::*};
use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// How long to wait until a session's host listens or exits.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How long the end of a paused session waits for its place to remove the worktree.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) fn pause(ctx: &Context, id: SessionId) -> Result<SessionView, ApiError> {
    let held = lock_if_local(ctx, &ctx.meta(id)?);
    // If the pause is not saved yet, the returned view's `troubles` contain the reason.
    change(ctx, held.as_deref(), id, Event::Pause(PauseReason::User))?;
    view::show(ctx, id)
}

/// Pauses all other active sessions if the setting `single_active` is on; returns the failures as warnings. Call it as
/// late as possible, so that a refused start pauses nothing.
pub(super) fn pause_others(ctx: &Context, sessions: &Sessions, id: SessionId) -> Vec<String> {
    if !settings::in_force(&ctx.project).single_active {
        return Vec::new();
    }
    let others = ctx.metas().unwrap_or_default();
    let active = others.into_iter().filter(|meta| meta.status == Status::Active && meta.id != id);
    let failures = active.filter_map(|meta| {
        let error = change(ctx, Some(sessions), meta.id, Event::Pause(PauseReason::Superseded)).err()?;
        Some(format!("session {} was not paused: {error}", meta.id.short()))
    });
    failures.collect()
}

/// Ends a session without changing its bead and without starting the next bead. For the fleet, which assigns its own
/// work.
pub(crate) fn close(ctx: &Context, id: SessionId) -> Result<(), ApiError> {
    let params = SessionEndParams { id, review: false, add_status: false, without_commit: false, log: None };
    end(ctx, &params).map(drop)
}

/// Ends a session, without starting the next bead (see `auto_next`).
pub(super) fn end(ctx: &Context, params: &SessionEndParams) -> Result<SessionEnded, ApiError> {
    let before = ctx.meta(params.id)?;
    let held = lock_if_local(ctx, &before);
    let before = before.status;
    let meta = ctx.meta(params.id)?;
    if params.review && meta.bead_id.is_none() {
        let text = format!("session {} has no bead to submit for review", params.id.short());
        return Err(ApiError::new(ErrorCode::Usage, text).hint("omit --review"));
    }
    // Check everything that can refuse the end before claude is stopped.
    if params.review && !params.without_commit {
        commit_gate::require_commit_of(ctx, &meta)?;
    }
    if params.review && !params.add_status && ctx.tracker()?.needs_custom_status().map_err(tracker_error)? {
        return Err(ApiError::new(
            ErrorCode::ConfirmationNeeded,
            "the tracker has no status in_review yet; it would be added to its configuration",
        )
        .hint("confirm with --yes, or end without --review"));
    }
    let (mut warnings, mut log_saved) = (Vec::new(), false);
    // Two clients can end the session at the same time. The later call still updates the bead as requested by
    // its client.
    let is_ended_by_other = |now: Status| now == Status::Closed && before != Status::Closed;
    let mut ended_by_other = is_ended_by_other(meta.status);
    if !ended_by_other {
        match change(ctx, held.as_deref(), params.id, Event::Close(CloseReason::User)) {
            Ok(unsaved) if unsaved.is_some() || ctx.writable().is_err() => {
                return stopped_only(ctx, params, unsaved);
            }
            Ok(_) => {}
            Err(error) => {
                let now = ctx.meta(params.id)?.status;
                ended_by_other = is_ended_by_other(now);
                if !ended_by_other {
                    return Err(error);
                }
            }
        }
    }
    if ended_by_other {
        warnings.push("the session was ended by another client at the same time".to_owned());
    }
    if meta.status == Status::Draft {
        claim::release_draft(ctx, &meta);
    }
    if before == Status::Paused && !ended_by_other {
        warnings.extend(remove_worktree_at_place(ctx, &meta));
    }
    let meta = ctx.meta(params.id)?;
    // The fleet's own work items have no bead in the tracker.
    let tracked = meta.bead_id.as_ref().filter(|bead| !fleet_state::is_own_work(ctx, bead));
    let bead_status = match tracked {
        Some(bead) => after_end(ctx, bead, &meta, params, &mut log_saved, &mut warnings),
        None => None,
    };
    Ok(SessionEnded { session: view::show(ctx, params.id)?, bead_status, log_saved, next: None, warnings })
}

/// Removes the worktree of a paused session from its ssh place; the link of a running session does so itself.
/// Returns a warning if the removal failed.
fn remove_worktree_at_place(ctx: &Context, meta: &Meta) -> Option<String> {
    let place = meta.place.as_deref()?;
    let removed = match places::access(place) {
        Err(error) => Err(error.message),
        Ok(_) if bc_remote::has_unfetched_work(&ctx.store.session(meta.id)) => {
            Err("its last commits could not be fetched".to_owned())
        }
        Ok(access) => bc_remote::remove_worktree(&access, &meta.project_id, meta.id, CLEANUP_TIMEOUT),
    };
    removed.err().map(|why| format!("the session's worktree stays at {place}: {why}"))
}

/// The result if claude has exited but the session's state cannot be saved now.
fn stopped_only(
    ctx: &Context,
    params: &SessionEndParams,
    unsaved: Option<String>,
) -> Result<SessionEnded, ApiError> {
    let session = view::show(ctx, params.id)?;
    let mut warnings: Vec<String> = unsaved.into_iter().collect();
    if let (true, Some(bead)) = (params.review, &session.meta.bead_id) {
        warnings.push(format!(
            "{bead} was not moved to in review; free some space, then `beads-console bead submit {bead}`"
        ));
    }
    Ok(SessionEnded { session, bead_status: None, log_saved: false, next: None, warnings })
}

/// Updates the bead of an ended session; returns its status. A failure becomes a warning, because the session
/// is already closed.
fn after_end(
    ctx: &Context,
    bead: &BeadId,
    meta: &Meta,
    params: &SessionEndParams,
    log_saved: &mut bool,
    warnings: &mut Vec<String>,
) -> Option<BeadStatus> {
    let tracker = match ctx.tracker() {
        Ok(tracker) => tracker,
        Err(error) => {
            warnings.push(format!("the status of {bead} is unknown: {error}"));
            return None;
        }
    };
    let actor = recorded_actor(meta).unwrap_or_else(|| ctx.user_actor());
    match save_requested_log(ctx, bead, meta, params, &actor, warnings) {
        Ok(saved) => *log_saved = saved,
        Err(error) => {
            warnings.push(format!("the execution log was not saved in the notes of {bead}: {error}"))
        }
    }
    let custom = if params.add_status { CustomStatus::Add } else { CustomStatus::Ask };
    if params.review
        && let Err(error) = tracker.submit(bead, custom, &actor)
    {
        warnings.push(format!("{bead} was not moved to in review: {}", tracker_error(error)));
    }
    crate::recovery::bead_changed(ctx, bead);
    match tracker.show(bead) {
        Ok(detail) => {
            if detail.bead.status == BeadStatus::InProgress {
                warnings.push(format!(
                    "{bead} is still in progress; move it to in review with `beads-console bead submit {bead}`"
                ));
            }
            Some(detail.bead.status)
        }
        Err(error) => {
            warnings.push(format!("the status of {bead} is unknown: {}", tracker_error(error)));
            None
        }
    }
}

/// Saves the execution log in the bead's notes: the user's text, or for a review the generated log. Returns whether
/// the notes contain a log.
fn save_requested_log(
    ctx: &Context,
    bead: &BeadId,
    meta: &Meta,
    params: &SessionEndParams,
    actor: &Actor,
    warnings: &mut Vec<String>,
) -> Result<bool, ApiError> {
    let log = match (&params.log, params.review) {
        (Some(log), _) => log.clone(),
        (None, true) => execution_log::log(ctx, meta, warnings)?,
        (None, false) => return Ok(false),
    };
    execution_log::save_log(ctx, bead, &log, actor)
}

/// Takes the session lock, except for a session at a place: while the connection to the place is being lost, the
/// place's host can take a minute to answer, and other sessions must not wait for it.
fn lock_if_local<'a>(ctx: &'a Context, meta: &Meta) -> Option<SessionGuard<'a>> {
    meta.place.is_none().then(|| ctx.session_lock())
}

/// Applies an event to a session: through its host if it has one (a starting session gets one soon), else
/// directly. `held` is the session lock; if it is `None`, the lock is taken for each change without a host.
/// Returns the reason if claude has exited but the new state is not on disk yet, as on a full disk.
///
/// Claude is stopped even if this process cannot write, because claude itself may be filling the disk.
pub(super) fn change(
    ctx: &Context,
    held: Option<&Sessions>,
    id: SessionId,
    event: Event,
) -> Result<Option<String>, ApiError> {
    if let Err(unwritable) = ctx.writable() {
        return match host_client::stop(ctx, id, event) {
            Ok(StopOutcome::Saved(_)) => Ok(None),
            Ok(StopOutcome::Unsaved(why)) => Ok(Some(why)),
            Ok(StopOutcome::NoHost) | Err(_) => Err(unwritable),
        };
    }
    let deadline = Instant::now() + START_TIMEOUT;
    loop {
        let applied = match held {
            Some(sessions) => apply_without_host(ctx, sessions, id, event)?,
            None => apply_without_host(ctx, &ctx.session_lock(), id, event)?,
        };
        if applied {
            break;
        }
        match (host_client::stop(ctx, id, event)?, event) {
            (StopOutcome::Unsaved(why), _) => return Ok(Some(why)),
            // The host had paused the session before the close arrived. Close the session directly once the
            // host has exited.
            (StopOutcome::Saved(Status::Paused), Event::Close(_)) | (StopOutcome::NoHost, _) => {}
            (StopOutcome::Saved(_), _) => break,
        }
        if Instant::now() > deadline {
            let text = format!("the host of session {} cannot be reached", id.short());
            return Err(ApiError::new(ErrorCode::HostUnreachable, text).hint("try again in a moment"));
        }
        // No event reports that the host is listening or has exited, so poll.
        thread::sleep(Duration::from_millis(20));
    }
    match ctx.sync_index() {
        // The session has ended; the index is updated when the project is next opened.
        Err(error) if error.code == ErrorCode::DiskFull => Ok(None),
        synced => synced.map(|()| None),
    }
}

/// Applies the event to a session without a host. Returns false if the session has a host.
fn apply_without_host(
    ctx: &Context,
    sessions: &Sessions,
    id: SessionId,
    event: Event,
) -> Result<bool, ApiError> {
    let Some(lock) = ctx.store.session(id).try_lock().map_err(store_error)? else { return Ok(false) };
    let lock = Arc::new(lock);
    let mut meta = lock.meta().map_err(store_error)?;
    if meta.status == Status::Active {
        // The host died after the last check for dead hosts.
        meta = dead_hosts::pause_interrupted(ctx, sessions, &lock)?;
    }
    match (event, meta.status) {
        (Event::Pause(_), Status::Paused) => {}
        _ => view::accepted(meta.transition(event, now()), meta.id)?,
    }
    lock.save_meta(&meta).map_err(store_error)?;
    // A container stays if its place was removed from the settings, or if it has unfetched work.
    if let (Status::Closed, Some(Ok(place))) = (meta.status, meta.place.as_deref().map(places::access))
        && !bc_remote::has_unfetched_work(&lock)
    {
        place.for_session(meta.id).remove();
    }
    Ok(true)
}
