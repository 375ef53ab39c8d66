//! The setting `single_active`: starting or resuming a session pauses all other active sessions.

use super::stop;
use crate::{
    context::{Context, Sessions},
    settings,
};
use bc_core::{
    ids::SessionId,
    session::{Event, PauseReason, Status},
};

/// Pauses all other active sessions if the setting is on; returns the failures as warnings. Call it as late as
/// possible, so that a refused start pauses nothing.
pub(crate) fn pause_others(ctx: &Context, sessions: &Sessions, id: SessionId) -> Vec<String> {
    if !settings::in_force(&ctx.project).single_active {
        return Vec::new();
    }
    let others = ctx.metas().unwrap_or_default();
    let active = others.into_iter().filter(|meta| meta.status == Status::Active && meta.id != id);
    let paused = active.map(|meta| {
        (meta.id, stop::change(ctx, Some(sessions), meta.id, Event::Pause(PauseReason::Superseded)))
    });
    paused
        .filter_map(|(id, outcome)| {
            Some(format!("session {} was not paused: {}", id.short(), outcome.err()?))
        })
        .collect()
}
