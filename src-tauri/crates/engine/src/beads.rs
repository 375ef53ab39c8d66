//! The commands on beads, with the project's tracker.

use crate::{engine::Engine, errors::tracker_error, recovery, session};
use bc_beads::{Actor, Close, CustomStatus, ListFilter, NewBead, Tracker};
use bc_core::ids::BeadId;
use bc_wire::{ApiError, ErrorCode, bead::*};

pub(crate) fn list(engine: &Engine, params: BeadListParams) -> Result<BeadList, ApiError> {
    list_of(engine.tracker()?, params)
}

/// Lists the beads of a tracker without an engine.
pub(crate) fn list_of(tracker: &dyn Tracker, params: BeadListParams) -> Result<BeadList, ApiError> {
    let listing = tracker.list(&filter(params)).map_err(tracker_error)?;
    let warnings = listing.warnings.iter().map(ToString::to_string).collect();
    Ok(BeadList { beads: listing.beads, warnings, note: tracker.describe().notice })
}

fn filter(params: BeadListParams) -> ListFilter {
    let shown = if params.all { ListFilter::all_but_memories() } else { ListFilter::board() };
    ListFilter { statuses: params.status, ..shown }
}

pub(crate) fn ready(engine: &Engine) -> Result<BeadList, ApiError> {
    let tracker = engine.tracker()?;
    let beads = tracker.ready().map_err(tracker_error)?;
    Ok(BeadList { beads, warnings: Vec::new(), note: tracker.describe().notice })
}

pub(crate) fn blocked(engine: &Engine) -> Result<BeadList, ApiError> {
    let tracker = engine.tracker()?;
    let beads = tracker.blocked().map_err(tracker_error)?;
    Ok(BeadList { beads, warnings: Vec::new(), note: tracker.describe().notice })
}

pub(crate) fn show(engine: &Engine, id: &BeadId) -> Result<BeadShown, ApiError> {
    let bead = engine.tracker()?.show(id).map_err(tracker_error)?;
    Ok(BeadShown { bead, sessions: session::of_bead(engine, id)? })
}

pub(crate) fn create(engine: &Engine, params: BeadCreateParams) -> Result<BeadShown, ApiError> {
    engine.writable()?;
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
    new.labels = params.labels;
    new.parent = params.parent;
    new.blocked_by = params.blocked_by;
    if let Some(issue_type) = params.issue_type {
        new.issue_type = issue_type;
    }
    if let Some(priority) = params.priority {
        new.priority = priority;
    }
    let actor = named_actor(engine, params.actor)?;
    let bead = engine.tracker()?.create(&new, &actor).map_err(tracker_error)?;
    Ok(BeadShown { bead, sessions: Vec::new() })
}

pub(crate) fn claim(engine: &Engine, params: BeadClaimParams) -> Result<BeadShown, ApiError> {
    engine.writable()?;
    let actor = named_actor(engine, params.actor)?;
    engine.tracker()?.claim(&params.id, &actor).map_err(tracker_error)?;
    show(engine, &params.id)
}

pub(crate) fn comment(engine: &Engine, params: BeadCommentParams) -> Result<BeadShown, ApiError> {
    engine.writable()?;
    let actor = named_actor(engine, params.actor)?;
    engine.tracker()?.add_comment(&params.id, &params.text, &actor).map_err(tracker_error)?;
    recovery::bead_changed(engine, &params.id);
    show(engine, &params.id)
}

fn named_actor(engine: &Engine, name: Option<String>) -> Result<Actor, ApiError> {
    match name {
        Some(name) => name.parse::<Actor>().map_err(|e| ApiError::new(ErrorCode::Usage, e.to_string())),
        None => Ok(engine.user_actor()),
    }
}

pub(crate) fn submit(engine: &Engine, params: BeadSubmitParams) -> Result<BeadShown, ApiError> {
    engine.writable()?;
    let (custom, actor) = (consent(params.add_status), named_actor(engine, params.actor)?);
    engine.tracker()?.submit(&params.id, custom, &actor).map_err(tracker_error)?;
    recovery::bead_changed(engine, &params.id);
    show(engine, &params.id)
}

pub(crate) fn close(engine: &Engine, params: BeadCloseParams) -> Result<BeadShown, ApiError> {
    engine.writable()?;
    let close = Close { reason: params.reason.unwrap_or_default(), force: false };
    let actor = named_actor(engine, params.actor)?;
    engine.tracker()?.close(&params.id, &close, &actor).map_err(tracker_error)?;
    recovery::bead_changed(engine, &params.id);
    show(engine, &params.id)
}

/// Whether a custom status may be added to the tracker.
pub(crate) fn consent(given: bool) -> CustomStatus {
    if given { CustomStatus::Add } else { CustomStatus::Ask }
}
