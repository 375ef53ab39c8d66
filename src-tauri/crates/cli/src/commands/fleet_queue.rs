//! `fleet queue …`, and the review of finished work.

use super::Context;
use crate::{args::*, failure::Failure, io::Io, output::fleet_queue as show};
use bc_core::ids::MergeRequestId;
use bc_engine::Merged;
use bc_wire::{ApiError, ErrorCode, api::Api, fleet::*, project::Nothing};

pub(super) fn run(command: FleetQueueCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    let api = context.api;
    let named = |id| FleetMergeRef { id };
    let state = match command {
        FleetQueueCommand::List => api.fleet_queue_state(Nothing {})?,
        FleetQueueCommand::Add(FleetQueueAddArgs { bead, source, target }) => {
            api.fleet_queue_add(FleetQueueAddParams { bead, source, target })?
        }
        // Not reached from the command line: `main` merges in its own process and calls [`merged`].
        FleetQueueCommand::Run => api.fleet_queue_run(Nothing {})?,
        FleetQueueCommand::Pause => api.fleet_queue_pause(Nothing {})?,
        FleetQueueCommand::Resume => api.fleet_queue_go_on(Nothing {})?,
        FleetQueueCommand::Retry { request, follow } => {
            api.fleet_queue_retry(FleetQueueRetryParams { id: request, follow })?
        }
        FleetQueueCommand::Skip { request } => api.fleet_queue_skip(named(request))?,
        FleetQueueCommand::Cancel { request } => api.fleet_queue_cancel(named(request))?,
        FleetQueueCommand::Move { request, before } => {
            api.fleet_queue_move(FleetQueueMoveParams { id: request, before })?
        }
        FleetQueueCommand::SendBack { request } => {
            let sent = api.fleet_queue_send_back(named(request))?;
            return context.print(&sent, show::sent_back);
        }
        FleetQueueCommand::Output { request } => return output(request, context),
    };
    context.print_warned(&state, &state.warnings, show::state)
}

pub(super) fn review(args: FleetReviewArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let FleetReviewArgs { bead, target, diff, ignore_space } = args;
    let review = context.api.fleet_review(FleetReviewParams { bead, target, ignore_space })?;
    context.print(&review, |review, style| show::review(review, diff, style))
}

pub(super) fn approve(args: FleetApproveArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let FleetApproveArgs { bead, tip } = args;
    let state = context.api.fleet_approve(FleetApproveParams { bead, tip })?;
    context.print_warned(&state, &state.warnings, show::state)
}

pub(super) fn request_changes(
    args: FleetRequestChangesArgs,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let FleetRequestChangesArgs { bead, text } = args;
    let sent = context.api.fleet_request_changes(FleetRequestChangesParams { bead, text })?;
    context.print(&sent, show::sent_back)
}

/// Prints the result of merging in this process. Fails if the queue is blocked or another process is merging.
pub(crate) fn merged(merged: Merged, api: &dyn Api, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    if merged == Merged::Elsewhere {
        return Err(ApiError::new(ErrorCode::QueueState, "another process is already merging")
            .hint("`beads-console fleet queue list` shows its progress")
            .into());
    }
    let state = api.fleet_queue_state(Nothing {})?;
    let blocked = state.blocked.as_ref().and_then(|id| state.rows.iter().find(|row| row.id == *id));
    if let Some(row) = blocked {
        let text = row.trouble.as_ref().map_or("", |trouble| trouble.text.as_str());
        return Err(ApiError::new(
            ErrorCode::QueueState,
            format!("the queue is blocked by {}: {text}", row.id),
        )
        .hint(row.trouble.as_ref().and_then(|trouble| trouble.hint.clone()).unwrap_or_default())
        .into());
    }
    let mut context = Context { api, io, json };
    context.print_warned(&state, &state.warnings, show::state)
}

/// Prints the output of a merge in pieces; with JSON, as one object.
fn output(id: MergeRequestId, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut whole = FleetQueueOutput { text: String::new(), next: 0, more: true, live: false };
    while whole.more {
        let part =
            context.api.fleet_queue_output(FleetQueueOutputParams { id: id.clone(), from: whole.next })?;
        if context.json {
            whole.text.push_str(&part.text);
        } else {
            context.io.out().write_all(part.text.as_bytes())?;
        }
        // A running merge may not have completed its next line yet: print the available output and stop.
        whole.more = part.more && part.next > whole.next;
        (whole.next, whole.live) = (part.next, part.live);
    }
    if context.json { context.print(&whole, |_, _| String::new()) } else { Ok(()) }
}
