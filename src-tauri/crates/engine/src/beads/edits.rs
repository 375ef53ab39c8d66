//! The commands that edit beads (fields, dependencies, reopening, deletion), and the tracker's capabilities.

use super::{
    commands::{named_actor, show},
    dates::moment,
};
use crate::{
    context::{Context, errors::tracker_error},
    recovery,
};
use bc_beads::{Deletion, FieldChanges};
use bc_core::ids::BeadId;
use bc_wire::{ApiError, ErrorCode, bead::*};

pub(crate) fn update(ctx: &Context, params: BeadUpdateParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let changes = changes(params.change)?;
    let tracker = ctx.tracker()?;
    let bead = tracker.update(&params.id, &changes, params.expected, &actor).map_err(tracker_error)?;
    recovery::bead_changed(ctx, &params.id);
    shown(ctx, bead)
}

pub(crate) fn reopen(ctx: &Context, params: BeadReopenParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let tracker = ctx.tracker()?;
    tracker.reopen(&params.id, &actor).map_err(tracker_error)?;
    if let Some(reason) = params.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()) {
        tracker.add_comment(&params.id, reason, &actor).map_err(tracker_error)?;
    }
    recovery::bead_changed(ctx, &params.id);
    show(ctx, &params.id)
}

pub(crate) fn delete(ctx: &Context, params: BeadDeleteParams) -> Result<BeadDeleted, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let can_undo = ctx.tracker()?.delete(&params.id, &actor).map_err(tracker_error)?;
    recovery::bead_changed(ctx, &params.id);
    Ok(BeadDeleted { id: params.id, can_undo })
}

pub(crate) fn undelete(ctx: &Context, params: BeadDeleteParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let bead = ctx.tracker()?.undelete(&params.id, &actor).map_err(tracker_error)?;
    recovery::bead_changed(ctx, &params.id);
    shown(ctx, bead)
}

pub(crate) fn dep_add(ctx: &Context, params: BeadDependencyParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let kind = params.kind.as_deref().filter(|kind| !kind.is_empty()).unwrap_or("blocks");
    let added = ctx.tracker()?.add_dependency(&params.id, &params.depends_on, kind, &actor);
    added.map_err(tracker_error)?;
    linked(ctx, &params.id, &params.depends_on)
}

pub(crate) fn dep_remove(ctx: &Context, params: BeadDependencyParams) -> Result<BeadShown, ApiError> {
    ctx.writable()?;
    let actor = named_actor(ctx, params.actor)?;
    let removed = ctx.tracker()?.remove_dependency(&params.id, &params.depends_on, &actor);
    removed.map_err(tracker_error)?;
    linked(ctx, &params.id, &params.depends_on)
}

/// Reports a changed dependency for both of its beads, because both show it.
fn linked(ctx: &Context, id: &BeadId, on: &BeadId) -> Result<BeadShown, ApiError> {
    recovery::bead_changed(ctx, id);
    recovery::bead_changed(ctx, on);
    show(ctx, id)
}

fn shown(ctx: &Context, bead: bc_core::bead::BeadDetail) -> Result<BeadShown, ApiError> {
    let sessions = crate::session::of_bead(ctx, &bead.bead.id)?;
    Ok(BeadShown { bead, sessions })
}

pub(crate) fn capabilities(ctx: &Context) -> Result<BeadCapabilities, ApiError> {
    let tracker = ctx.tracker()?;
    let can = tracker.capabilities().map_err(tracker_error)?;
    let read_only = match ctx.writable() {
        Err(error) => Some(error.message),
        Ok(()) => tracker.describe().notice,
    };
    let submit_needs_consent = read_only.is_none() && tracker.needs_custom_status().map_err(tracker_error)?;
    let unsupported = |(field, why): (&str, String)| UnsupportedField { field: field.to_owned(), why };
    Ok(BeadCapabilities {
        read_only,
        unsupported: can.unsupported.into_iter().map(unsupported).collect(),
        types: can.types,
        statuses: can.statuses,
        dependency_kinds: can.dependency_kinds,
        delete: match can.delete {
            Deletion::No => DeleteSupport::No,
            Deletion::Permanent => DeleteSupport::Permanent,
            Deletion::Undoable => DeleteSupport::Undoable,
        },
        submit_needs_consent,
        audit: can.audit,
    })
}

/// Converts a change and checks its parent and dates. A blank text clears the assignee, parent, date or
/// external reference, and 0 minutes clear the estimate.
fn changes(change: BeadChange) -> Result<FieldChanges, ApiError> {
    let clearable = |text: Option<String>| text.map(|text| Some(text).filter(|text| !text.trim().is_empty()));
    let parse =
        |id: String| id.parse::<BeadId>().map_err(|error| ApiError::new(ErrorCode::Usage, error.to_string()));
    let date = |field, text| {
        clearable(text).map(|text| text.map(|text| moment(field, &text)).transpose()).transpose()
    };
    Ok(FieldChanges {
        title: change.title,
        description: change.description,
        design: change.design,
        acceptance_criteria: change.acceptance_criteria,
        notes: change.notes,
        status: change.status,
        priority: change.priority,
        issue_type: change.issue_type,
        assignee: clearable(change.assignee),
        add_labels: change.add_labels,
        remove_labels: change.remove_labels,
        parent: clearable(change.parent).map(|id| id.map(parse).transpose()).transpose()?,
        due: date("due date", change.due)?,
        defer: date("defer date", change.defer)?,
        estimated_minutes: change.estimated_minutes.map(|minutes| (minutes > 0).then_some(minutes)),
        external_ref: clearable(change.external_ref),
    })
}

#[cfg(test)]
mod tests;
