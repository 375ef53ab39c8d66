//! Pausing and ending: claude ends in order, everything is kept.

use super::{closing, live, start, view};
use crate::{
    beads::consent,
    engine::{Engine, now},
    errors::{store_error, tracker_error},
    fleet,
};
use bc_beads::Actor;
use bc_core::{
    bead::BeadStatus,
    ids::{BeadId, SessionId},
    session::{CloseReason, Event, Meta, PauseReason, Status},
};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, session::*};
use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// How long the host of a session that is just being started may take to be there.
const STARTED_WITHIN: Duration = Duration::from_secs(60);

pub(crate) fn pause(engine: &Engine, id: SessionId) -> Result<SessionView, ApiError> {
    engine.writable()?;
    let _turn = engine.turn();
    change(engine, id, Event::Pause(PauseReason::User))?;
    view::show(engine, id)
}

pub(crate) fn end(engine: &Engine, params: &SessionEndParams) -> Result<SessionEnded, ApiError> {
    engine.writable()?;
    let before = engine.store.session(params.id).meta().map_err(store_error)?.status;
    let _turn = engine.turn();
    let meta = engine.store.session(params.id).meta().map_err(store_error)?;
    if params.review && meta.bead_id.is_none() {
        let text = format!("session {} has no bead to move to in review", params.id.short());
        return Err(ApiError::new(ErrorCode::Usage, text).hint("leave --review out"));
    }
    // What needs consent is asked for before anything ends.
    if params.review
        && !params.add_status
        && engine.tracker()?.needs_custom_status().map_err(tracker_error)?
    {
        return Err(ApiError::new(
            ErrorCode::ConfirmationNeeded,
            "the tracker does not know the state in_review yet; it would be added to its configuration",
        )
        .hint("agree with --yes, or end without --review"));
    }
    let (mut warnings, mut log_saved) = (Vec::new(), false);
    if meta.status == Status::Closed && before != Status::Closed {
        // Two windows' End at the same moment: the session is as both wanted it.
        warnings.push("the session was ended by somebody else at the same time".to_owned());
    } else {
        change(engine, params.id, Event::Close(CloseReason::User))?;
    }
    if meta.status == Status::Draft {
        start::give_back_of(engine, &meta);
    }
    let meta = engine.store.session(params.id).meta().map_err(store_error)?;
    // What is the fleet's own has no tracker to tell.
    let tracked = meta.bead_id.as_ref().filter(|bead| !matches!(fleet::own_work(engine, bead), Ok(Some(_))));
    let bead_status = match tracked {
        Some(bead) => after_end(engine, bead, &meta, params, &mut log_saved, &mut warnings),
        None => None,
    };
    Ok(SessionEnded { session: view::show(engine, params.id)?, bead_status, log_saved, warnings })
}

/// The bead of an ended session: moved, or said how to move it. The session is closed whatever the
/// tracker answers.
fn after_end(
    engine: &Engine,
    bead: &BeadId,
    meta: &Meta,
    params: &SessionEndParams,
    log_saved: &mut bool,
    warnings: &mut Vec<String>,
) -> Option<BeadStatus> {
    let tracker = match engine.tracker() {
        Ok(tracker) => tracker,
        Err(error) => {
            warnings.push(format!("the state of {bead} is not known: {error}"));
            return None;
        }
    };
    let actor = meta.actor.as_deref().and_then(|a| a.parse().ok()).unwrap_or_else(|| engine.user_actor());
    match kept_log(engine, bead, meta, params, &actor, warnings) {
        Ok(saved) => *log_saved = saved,
        Err(error) => warnings.push(format!("the execution log is not in the notes of {bead}: {error}")),
    }
    if params.review
        && let Err(error) = tracker.submit(bead, consent(params.add_status), &actor)
    {
        warnings.push(format!("{bead} was not moved to in review: {}", tracker_error(error)));
    }
    crate::recovery::bead_changed(engine, bead);
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
            warnings.push(format!("the state of {bead} is not known: {}", tracker_error(error)));
            None
        }
    }
}

/// Saves what the person wants saved of the session in its bead; whether anything is.
fn kept_log(
    engine: &Engine,
    bead: &BeadId,
    meta: &Meta,
    params: &SessionEndParams,
    actor: &Actor,
    warnings: &mut Vec<String>,
) -> Result<bool, ApiError> {
    let made;
    let log = match (&params.log, params.review) {
        (Some(log), _) => log,
        (None, true) => {
            made = closing::log(engine, meta, warnings)?;
            &made
        }
        (None, false) => return Ok(false),
    };
    closing::save_log(engine, bead, log, actor)
}

/// Lets an event happen to a session: through its host where one runs, else here. One that is just being started has
/// its host in a moment.
pub(super) fn change(engine: &Engine, id: SessionId, event: Event) -> Result<(), ApiError> {
    let dir = engine.store.session(id);
    let deadline = Instant::now() + STARTED_WITHIN;
    loop {
        if let Some(lock) = dir.try_lock().map_err(store_error)? {
            alone(engine, Arc::new(lock), event)?;
            break;
        }
        if live::stop(engine, id, event)? {
            break;
        }
        if Instant::now() > deadline {
            let text = format!("the host of session {} cannot be reached", id.short());
            return Err(ApiError::new(ErrorCode::HostUnreachable, text).hint("try again in a moment"));
        }
        // Nothing tells of it sooner.
        thread::sleep(Duration::from_millis(20));
    }
    engine.sync_index()
}

/// The same for a session that nobody runs.
fn alone(engine: &Engine, lock: Arc<SessionLock>, event: Event) -> Result<(), ApiError> {
    let mut meta = lock.meta().map_err(store_error)?;
    if meta.status == Status::Active {
        // Its host died since this project was opened.
        meta = crate::recover::interrupted(engine, &lock)?;
    }
    match (event, meta.status) {
        (Event::Pause(_), Status::Paused) => {}
        _ => view::accepted(meta.transition(event, now()), meta.id)?,
    }
    lock.save_meta(&meta).map_err(store_error)
}
