//! The queue as clients see it.

use super::add::session_on;
use crate::{
    engine::Engine,
    fleet::{fleet_error, state},
};
use bc_core::fleet::{EntryState, MergeQueue, MergeRequest, MergeStatus, QueueEntry};
use bc_fleet::State;
use bc_wire::{ApiError, fleet::*};

pub(crate) fn state_shown(engine: &Engine) -> Result<FleetQueueState, ApiError> {
    let state = state(engine);
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let mut rows = Vec::new();
    for entry in &queue.entries {
        if let Some(request) = requests.iter().find(|request| request.id == entry.id) {
            rows.push(row(engine, &state, &queue, Some(entry), request)?);
        }
    }
    // What is merged comes last, the latest first.
    rows.sort_by_key(|row| match row.status {
        MergeStatus::Merged => (true, row.since.map(std::cmp::Reverse)),
        _ => (false, None),
    });
    let running = queue.current.is_some() && state.merging_lock().map_err(fleet_error)?.is_none();
    Ok(FleetQueueState {
        rows,
        paused: queue.paused,
        blocked: queue.blocked().map(|entry| entry.id.clone()),
        merging: queue.current.map(|current| current.id),
        running,
        warnings: state.take_warnings(),
    })
}

/// A request with all that is known of it.
pub(crate) fn row(
    engine: &Engine,
    state: &State,
    queue: &MergeQueue,
    entry: Option<&QueueEntry>,
    request: &MergeRequest,
) -> Result<FleetQueueRow, ApiError> {
    let bead = &request.bead_id;
    let work = state.work_item(bead).map_err(fleet_error)?;
    let session = session_on(engine, bead, Some(&request.source_branch))?;
    let title = work.as_ref().map(|work| work.title.clone());
    let title = title.or_else(|| session.as_ref().and_then(|meta| meta.title.clone()));
    let current = queue.current.as_ref().filter(|current| current.id == request.id);
    let mut row = FleetQueueRow {
        id: request.id.clone(),
        bead: bead.clone(),
        title: title.unwrap_or_else(|| bead.to_string()),
        source: request.source_branch.clone(),
        target: request.target_branch.clone(),
        status: entry.map_or(request.status, |entry| queue.status(entry)),
        stage: current.map(|current| current.step.stage()),
        queued_at: entry.map(|entry| entry.queued_at),
        since: current.map(|current| current.since),
        skipped: false,
        trouble: None,
        commit: None,
        note: None,
        session: session.map(|meta| meta.id),
        agent: work.and_then(|work| work.assignee),
    };
    match entry.map(|entry| entry.state.clone()) {
        Some(EntryState::Blocked { trouble }) => row.trouble = Some(trouble),
        Some(EntryState::Skipped { trouble }) => (row.skipped, row.trouble) = (true, trouble),
        Some(EntryState::Merged { commit, at, note }) => {
            (row.commit, row.since, row.note) = (commit, Some(at), note);
        }
        Some(EntryState::Waiting {}) | None => {}
    }
    Ok(row)
}
