//! The review of a bead's work: submit it, approve it, or request changes.

use super::commands::{closed, consent, named_actor, show};
use crate::{
    context::{Context, errors::tracker_error},
    merge_queue, recovery, session,
};
use bc_beads::{Close, TrackerError};
use bc_core::{
    bead::{BeadDetail, BeadStatus, LinkDirection},
    ids::BeadId,
    recovery::CHANGES_REQUESTED,
    session::{Meta, Status},
};
use bc_wire::{ApiError, ErrorCode, bead::*, session::SessionSendParams};

/// The default reason for closing an approved bead.
const APPROVED: &str = "Approved";

pub(crate) fn submit(ctx: &Context, params: BeadSubmitParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let (custom, actor) = (consent(params.add_status), named_actor(ctx, params.actor)?);
    let sessions = of_bead(ctx, &params.id)?;
    if !params.without_commit {
        session::require_commit(ctx, &params.id, &sessions)?;
    }
    if params.log && sessions.is_empty() {
        let text = format!("{} has no session, and so no execution log", params.id);
        return Err(ApiError::new(ErrorCode::Usage, text));
    }
    ctx.tracker()?.submit(&params.id, custom, &actor).map_err(tracker_error)?;
    if let (true, Some(latest)) = (params.log, sessions.last()) {
        session::save_execution_log(ctx, &params.id, latest, &actor)?;
    }
    recovery::bead_changed(ctx, &params.id);
    show(ctx, &params.id)
}

pub(crate) fn approve(ctx: &Context, params: BeadCloseParams) -> Result<BeadClosed, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let found = in_review(ctx, &params.id)?;
    let reason = params.reason.filter(|reason| !reason.trim().is_empty());
    let close = Close { reason: reason.unwrap_or_else(|| APPROVED.to_owned()), force: false };
    let tracker = ctx.tracker()?;
    match tracker.close(&params.id, &close, &actor) {
        // A reviewer may close a bead that another actor has claimed. But `force` also overrides the rule
        // about open children, so do not use it if the bead has open children.
        Err(TrackerError::ClaimedByOther { .. }) if !has_open_children(&found) => {
            tracker.close(&params.id, &Close { force: true, ..close }, &actor)
        }
        closed => closed,
    }
    .map_err(tracker_error)?;
    closed(ctx, &params.id)
}

/// Requests changes: adds them to the bead as a comment, cancels or skips its merge requests, and sets it
/// back to in progress, or to open if it has no assignee. A live session gets the text as a prompt; if none
/// can be reached, the next session's recovery block contains it.
pub(crate) fn reject(ctx: &Context, params: BeadRejectParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let text = params.text.trim();
    if text.is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "the requested changes are empty"));
    }
    let found = in_review(ctx, &params.id)?;
    let tracker = ctx.tracker()?;
    // Add the comment first, so that the status never changes without the reason.
    let comment = format!("{CHANGES_REQUESTED} {text}");
    tracker.add_comment(&params.id, &comment, &actor).map_err(tracker_error)?;
    // Work that needs changes must not be merged.
    merge_queue::hold_back(ctx, &params.id, None)?;
    let status = match &found.bead.assignee {
        Some(_) => BeadStatus::InProgress,
        None => BeadStatus::Open,
    };
    tracker.set_status(&params.id, &status, &actor).map_err(tracker_error)?;
    let live = of_bead(ctx, &params.id)?.into_iter().rev().find(|meta| meta.status == Status::Active);
    if let Some(live) = live {
        let text = format!("The reviewer of your work on {} requests changes:\n\n{text}", params.id);
        // If the session is ending or cannot be reached, the next session finds the comment.
        if let Err(error) = session::send_unless_it_ends(ctx, &SessionSendParams { id: live.id, text }) {
            tracing::warn!(code = error.code.as_str(), "requested changes were not sent to the live session");
        }
    }
    recovery::bead_changed(ctx, &params.id);
    show(ctx, &params.id)
}

fn in_review(ctx: &Context, id: &BeadId) -> Result<BeadDetail, ApiError> {
    let found = ctx.bead(id)?;
    match found.bead.status {
        BeadStatus::InReview => Ok(found),
        status => {
            let text = format!("{id} is not in review: its status is {}", status.as_str());
            Err(ApiError::new(ErrorCode::BeadState, text)
                .hint(format!("submit it first: `beads-console bead submit {id}`")))
        }
    }
}

fn has_open_children(found: &BeadDetail) -> bool {
    found.links.iter().any(|link| {
        link.kind == "parent-child"
            && link.direction == LinkDirection::DependedOnBy
            && !matches!(link.status, Some(BeadStatus::Closed | BeadStatus::Tombstone))
    })
}

/// The bead's sessions, oldest first.
fn of_bead(ctx: &Context, id: &BeadId) -> Result<Vec<Meta>, ApiError> {
    Ok(ctx.metas()?.into_iter().filter(|meta| meta.bead_id.as_ref() == Some(id)).collect())
}
