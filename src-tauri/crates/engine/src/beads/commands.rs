//! The commands that list, show, create, claim, comment on and close beads.

use super::{dates::moment, query::matching};
use crate::{
    context::{Context, bead_list, errors::tracker_error},
    recovery, session,
};
use bc_beads::{Actor, Close, CustomStatus, NewBead};
use bc_core::ids::BeadId;
use bc_wire::{ApiError, ErrorCode, bead::*};

pub(crate) fn list(ctx: &Context, params: BeadListParams) -> Result<BeadList, ApiError> {
    if params.query.trim().is_empty() {
        return bead_list::of_tracker(ctx.tracker()?, params);
    }
    let (found, problems) = matching(ctx, &params.query)?;
    // A bead can begin to match without being changed, so a list with a query is always complete and never
    // contains only the changes.
    let whole = BeadListParams { since: None, page: None, ..params };
    let mut list = BeadList { content: None, ..bead_list::of_tracker(ctx.tracker()?, whole)? };
    list.beads.retain(|bead| found.contains(&bead.id));
    list.warnings.extend(problems.iter().map(|problem| format!("{}: {}", problem.part, problem.why)));
    Ok(list)
}

pub(crate) fn ready(ctx: &Context) -> Result<BeadList, ApiError> {
    let tracker = ctx.tracker()?;
    let beads = tracker.ready().map_err(tracker_error)?;
    Ok(BeadList { note: tracker.describe().notice, ..BeadList::of(beads) })
}

pub(crate) fn blocked(ctx: &Context) -> Result<BeadList, ApiError> {
    let tracker = ctx.tracker()?;
    let beads = tracker.blocked().map_err(tracker_error)?;
    Ok(BeadList { note: tracker.describe().notice, ..BeadList::of(beads) })
}

pub(crate) fn show(ctx: &Context, id: &BeadId) -> Result<BeadShown, ApiError> {
    Ok(BeadShown { bead: ctx.bead(id)?, sessions: session::of_bead(ctx, id)? })
}

pub(crate) fn create(ctx: &Context, params: BeadCreateParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let title = params.title.trim();
    if title.is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "a bead needs a title"));
    }
    if let Some(high) = params.priority.filter(|&p| p > 4) {
        return Err(ApiError::new(ErrorCode::Usage, format!("invalid priority {high}; use 0 to 4")));
    }
    let mut new = NewBead::titled(title);
    new.description = params.description;
    new.acceptance_criteria = params.acceptance_criteria;
    new.design = params.design;
    new.notes = params.notes;
    new.assignee = text(params.assignee);
    new.due = text(params.due).map(|due| moment("due date", &due)).transpose()?;
    new.defer = text(params.defer).map(|defer| moment("defer date", &defer)).transpose()?;
    new.estimated_minutes = params.estimated_minutes.filter(|&minutes| minutes > 0);
    new.external_ref = text(params.external_ref);
    new.labels = params.labels;
    new.parent = params.parent;
    new.blocked_by = params.blocked_by;
    if let Some(issue_type) = text(params.issue_type) {
        new.issue_type = issue_type;
    }
    if let Some(priority) = params.priority {
        new.priority = priority;
    }
    let actor = named_actor(ctx, params.actor)?;
    let bead = ctx.tracker()?.create(&new, &actor).map_err(tracker_error)?;
    Ok(BeadShown { bead, sessions: Vec::new() })
}

pub(crate) fn claim(ctx: &Context, params: BeadClaimParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    ctx.tracker()?.claim(&params.id, &actor).map_err(tracker_error)?;
    show(ctx, &params.id)
}

pub(crate) fn comment(ctx: &Context, params: BeadCommentParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    ctx.tracker()?.add_comment(&params.id, &params.text, &actor).map_err(tracker_error)?;
    recovery::bead_changed(ctx, &params.id);
    show(ctx, &params.id)
}

/// The text; `None` if it is blank.
fn text(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// The named actor, else the user. A person with access acts only in their own name.
pub(super) fn named_actor(ctx: &Context, name: Option<String>) -> Result<Actor, ApiError> {
    match name.filter(|_| ctx.person().is_none()) {
        Some(name) => name.parse::<Actor>().map_err(|e| ApiError::new(ErrorCode::Usage, e.to_string())),
        None => Ok(ctx.user_actor()),
    }
}

pub(crate) fn close(ctx: &Context, params: BeadCloseParams) -> Result<BeadClosed, ApiError> {
    ctx.writable()?;
    let close = Close { reason: params.reason.unwrap_or_default(), force: false };
    let actor = named_actor(ctx, params.actor)?;
    ctx.tracker()?.close(&params.id, &close, &actor).map_err(tracker_error)?;
    closed(ctx, &params.id)
}

/// Handles a closed bead: notifies its sessions' hosts, and starts the next bead if the setting allows it.
pub(super) fn closed(ctx: &Context, id: &BeadId) -> Result<BeadClosed, ApiError> {
    recovery::bead_changed(ctx, id);
    let mut warnings = Vec::new();
    let next = session::after_close(ctx, id, &mut warnings);
    Ok(BeadClosed { shown: show(ctx, id)?, next, warnings })
}

/// A custom status is added to the tracker's configuration only with the user's consent.
pub(super) fn consent(given: bool) -> CustomStatus {
    if given { CustomStatus::Add } else { CustomStatus::Ask }
}
