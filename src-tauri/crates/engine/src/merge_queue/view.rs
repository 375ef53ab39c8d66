//! The merge queue, in the form that the contract shows.

use super::branches::latest_on;
use crate::{
    context::{Context, errors::store_error},
    fleet_state::{fleet_error, state},
};
use bc_core::{
    fleet::{EntryState, MergeQueue, MergeRequest, MergeStatus, QueueEntry, WorkItem},
    session::Meta,
};
use bc_fleet::State;
use bc_wire::{ApiError, fleet::*};
use std::sync::Arc;

pub(crate) fn queue_state(ctx: &Context) -> Result<FleetQueueState, ApiError> {
    let state = state(ctx);
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let known = Known::of(ctx, &state)?;
    let request = |entry: &QueueEntry| requests.iter().find(|request| request.id == entry.id);
    let rows = queue.entries.iter().filter_map(|entry| Some(row(&known, &queue, entry, request(entry)?)));
    let mut rows: Vec<FleetQueueRow> = rows.collect();
    // Merged requests come last, the most recently merged one first.
    rows.sort_by_key(|row| match row.status {
        MergeStatus::Merged => (true, row.since.map(std::cmp::Reverse)),
        _ => (false, None),
    });
    let running = queue.current.is_some() && state.is_merging().map_err(fleet_error)?;
    Ok(FleetQueueState {
        rows,
        paused: queue.paused,
        blocked: queue.blocked().map(|entry| entry.id.clone()),
        merging: queue.current.map(|current| current.id),
        running,
        warnings: state.take_warnings(),
    })
}

/// The data that all rows need, read once.
pub(super) struct Known {
    metas: Vec<Arc<Meta>>,
    work: Vec<WorkItem>,
}

impl Known {
    pub(super) fn of(ctx: &Context, state: &State) -> Result<Known, ApiError> {
        let metas = ctx.fleet.sessions(&ctx.store).map_err(store_error)?;
        Ok(Known { metas, work: state.work_items().map_err(fleet_error)? })
    }
}

pub(super) fn row(
    known: &Known,
    queue: &MergeQueue,
    entry: &QueueEntry,
    request: &MergeRequest,
) -> FleetQueueRow {
    let bead = &request.bead_id;
    let work = known.work.iter().find(|work| work.bead_id == *bead);
    let session = latest_on(&known.metas, bead, Some(&request.source_branch));
    let title = work.map(|work| work.title.clone());
    let title = title.or_else(|| session.and_then(|meta| meta.title.clone()));
    let current = queue.current.as_ref().filter(|current| current.id == request.id);
    let mut row = FleetQueueRow {
        id: request.id.clone(),
        bead: bead.clone(),
        title: title.unwrap_or_else(|| bead.to_string()),
        source: request.source_branch.clone(),
        target: request.target_branch.clone(),
        status: queue.status(entry),
        stage: current.map(|current| current.step.stage()),
        queued_at: Some(entry.queued_at),
        since: current.map(|current| current.since),
        skipped: false,
        trouble: None,
        commit: None,
        note: None,
        session: session.map(|meta| meta.id),
        agent: work.and_then(|work| work.assignee.clone()),
    };
    match entry.state.clone() {
        EntryState::Blocked { trouble } => row.trouble = Some(trouble),
        EntryState::Skipped { trouble } => (row.skipped, row.trouble) = (true, trouble),
        EntryState::Merged { commit, at, note } => {
            (row.commit, row.since, row.note) = (commit, Some(at), note);
        }
        EntryState::Waiting {} => {}
    }
    row
}
