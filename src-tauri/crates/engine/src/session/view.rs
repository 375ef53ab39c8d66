//! Sessions as clients see them: the record, and what is live of it.

use super::live;
use crate::{
    engine::{Engine, now},
    errors::{chain, store_error},
};
use bc_core::{
    ids::{BeadId, SessionId},
    session::{Effect, Meta, Refusal, Status},
};
use bc_wire::{ApiError, ErrorCode, session::*};

pub(crate) fn list(engine: &Engine, params: &SessionListParams) -> Result<SessionList, ApiError> {
    let listing = engine.store.list().map_err(store_error)?;
    let wanted = |m: &Meta| params.status.is_empty() || params.status.contains(&m.status);
    let sessions = listing.sessions.into_iter().rev().filter(wanted).map(|m| of(engine, m)).collect();
    Ok(SessionList { sessions, warnings: listing.problems.iter().map(|p| chain(p)).collect() })
}

pub(crate) fn show(engine: &Engine, id: SessionId) -> Result<SessionView, ApiError> {
    Ok(of(engine, engine.store.session(id).meta().map_err(store_error)?))
}

/// A bead's sessions, newest first.
pub(crate) fn of_bead(engine: &Engine, bead: &BeadId) -> Result<Vec<SessionView>, ApiError> {
    let all = engine.metas()?;
    Ok(all.into_iter().rev().filter(|m| m.bead_id.as_ref() == Some(bead)).map(|m| of(engine, m)).collect())
}

pub(crate) fn of(engine: &Engine, mut meta: Meta) -> SessionView {
    let said = match meta.status {
        Status::Active => live::status(engine, meta.id),
        Status::Draft | Status::Paused | Status::Closed => None,
    };
    // What claude shows now; its host writes that down a moment later.
    meta.mode = said.as_ref().and_then(|said| said.mode).unwrap_or(meta.mode);
    let live = said.map(live::live);
    SessionView { duration_ms: meta.active_ms(now()), live, meta }
}

/// A refusal of the state machine as the contract's error, with what is possible instead.
pub(crate) fn accepted(outcome: Result<&'static [Effect], Refusal>, id: SessionId) -> Result<(), ApiError> {
    let Err(refusal) = outcome else { return Ok(()) };
    let short = id.short();
    let hint = match refusal.state {
        Status::Draft => format!("start it, or end it with `beads-console session end {short}`"),
        Status::Active => format!("pause it first with `beads-console session pause {short}`"),
        Status::Paused => format!("go on with `beads-console session resume {short}`"),
        Status::Closed => "a closed session is read-only; start a new one on its bead".to_owned(),
    };
    Err(ApiError::new(ErrorCode::SessionState, format!("session {short}: {refusal}")).hint(hint))
}
