//! The setting that only one session is active: those that are get paused when another one starts.

use super::stop;
use crate::{engine::Engine, project_settings};
use bc_core::{
    ids::SessionId,
    session::{Event, PauseReason, Status},
};

/// Pauses every other active session where that is wanted; returns what could not be paused.
/// Call it when nothing can refuse the start any more.
pub(crate) fn pause_others(engine: &Engine, id: SessionId) -> Vec<String> {
    if !project_settings::in_force(&engine.project).single_active {
        return Vec::new();
    }
    let others = engine.metas().unwrap_or_default();
    let active = others.into_iter().filter(|meta| meta.status == Status::Active && meta.id != id);
    let paused =
        active.map(|meta| (meta.id, stop::change(engine, meta.id, Event::Pause(PauseReason::Superseded))));
    paused
        .filter_map(|(id, outcome)| {
            Some(format!("session {} was not paused: {}", id.short(), outcome.err()?))
        })
        .collect()
}
