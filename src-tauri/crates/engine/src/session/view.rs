//! Sessions in the contract's form: the record, and live data from the host.

use super::live;
use crate::{
    context::{
        Context,
        errors::{chain, store_error},
        now,
    },
    hosts,
};
use bc_core::{
    ids::{BeadId, SessionId},
    session::{Effect, Meta, Refusal, Status},
};
use bc_wire::{ApiError, ErrorCode, session::*};

pub(crate) fn list(ctx: &Context, params: &SessionListParams) -> Result<SessionList, ApiError> {
    let listing = ctx.store.list().map_err(store_error)?;
    let wanted = |m: &Meta| params.status.is_empty() || params.status.contains(&m.status);
    let sessions = listing.sessions.into_iter().rev().filter(wanted).map(|m| of(ctx, m)).collect();
    Ok(SessionList { sessions, warnings: listing.problems.iter().map(|p| chain(p)).collect() })
}

pub(crate) fn show(ctx: &Context, id: SessionId) -> Result<SessionView, ApiError> {
    Ok(of(ctx, ctx.meta(id)?))
}

/// A bead's sessions, newest first.
pub(crate) fn of_bead(ctx: &Context, bead: &BeadId) -> Result<Vec<SessionView>, ApiError> {
    let all = ctx.metas()?;
    Ok(all.into_iter().rev().filter(|m| m.bead_id.as_ref() == Some(bead)).map(|m| of(ctx, m)).collect())
}

pub(crate) fn of(ctx: &Context, mut meta: Meta) -> SessionView {
    let status = match meta.status {
        Status::Active => hosts::query_status(ctx, meta.id),
        Status::Draft | Status::Paused | Status::Closed => None,
    };
    // The host's current mode is newer than the saved mode.
    meta.mode = status.as_ref().and_then(|status| status.mode).unwrap_or(meta.mode);
    // Use the host's clock, which is not set back when the system's clock is.
    let until = status.as_ref().and_then(|status| status.now).unwrap_or_else(now);
    let live = status.map(live::of);
    SessionView {
        duration_ms: meta.active_ms(until),
        state: SessionState::of(&meta, live.as_ref()),
        live,
        meta,
    }
}

/// Converts a refusal of the state machine to an error with a hint about the next step.
pub(crate) fn accepted(outcome: Result<&'static [Effect], Refusal>, id: SessionId) -> Result<(), ApiError> {
    let Err(refusal) = outcome else { return Ok(()) };
    let short = id.short();
    let hint = match refusal.state {
        Status::Draft => format!("start it, or end it with `beads-console session end {short}`"),
        Status::Active => format!("pause it first with `beads-console session pause {short}`"),
        Status::Paused => format!("resume it with `beads-console session resume {short}`"),
        Status::Closed => "a closed session is read-only; start a new one on its bead".to_owned(),
    };
    Err(ApiError::new(ErrorCode::SessionState, format!("session {short}: {refusal}")).hint(hint))
}
