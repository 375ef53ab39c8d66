//! Reports the user's needs in one project, for the command line. Deliberately elsewhere: dispatching work
//! and merging.

use crate::{
    project_key,
    watch::{Fleet, Watch, Watching},
};
use bc_bridge::EventRing;
use bc_engine::{Programs, Project};
use bc_wire::{
    ApiError,
    api::Api,
    event::{Event, EventEnvelope},
    project::Nothing,
    session::Needs,
};
use std::{path::Path, sync::Arc};

/// Calls `on_change` with all of the user's needs, immediately and after each change, until it returns false.
///
/// # Errors
/// Returns an error if the project cannot be opened or watched, or if its engine fails.
pub fn watch_needs(
    start: &Path,
    programs: Programs,
    on_change: &mut dyn FnMut(&Needs) -> bool,
) -> Result<(), ApiError> {
    let project = Project::find(start)?;
    let (key, ring) = (project_key::of(&project.root), EventRing::default());
    let mut feed = ring.follow(None);
    let watching = Watching::begin(&project)?;
    let connection = Arc::new(bc_engine::connect(start, programs)?);
    let _watch = Watch::start(watching, &project.root, key, &connection, ring, Fleet::Shown);
    let mut last = None;
    loop {
        let needs = connection.api().session_needs(Nothing {})?;
        if last.as_ref() != Some(&needs) {
            if !on_change(&needs) {
                return Ok(());
            }
            last = Some(needs);
        }
        loop {
            let Some(json) = feed.recv() else { return Ok(()) };
            let event = serde_json::from_str::<EventEnvelope>(&json).map(|envelope| envelope.event);
            if event.is_ok_and(|event| may_change(&event)) {
                break;
            }
        }
    }
}

/// Whether the needs may differ after this event.
fn may_change(event: &Event) -> bool {
    matches!(
        event,
        Event::BeadsChanged {}
            | Event::SessionChanged { .. }
            | Event::SessionDeleted { .. }
            | Event::FleetChanged {}
            | Event::Resync {}
    )
}
