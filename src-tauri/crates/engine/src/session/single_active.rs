//! The setting for a single active session: starting one pauses the others.

use super::stop;
use crate::{engine::Engine, project_settings};
use bc_core::{
    ids::SessionId,
    session::{Event, PauseReason, Status},
};

/// Pauses all other active sessions if the setting is on; returns the failures as warnings. Call it when nothing
/// can prevent the start any more.
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
