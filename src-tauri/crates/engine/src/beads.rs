//! The commands on beads, over whichever tracker the project has.

use crate::{engine::Engine, errors::tracker_error, recovery, session};
use bc_beads::{Actor, Close, CustomStatus, ListFilter, NewBead, Tracker};
use bc_core::{bead::BeadStatus, ids::BeadId};
use bc_wire::{ApiError, ErrorCode, bead::*};

pub(crate) fn list(engine: &Engine, params: BeadListParams) -> Result<BeadList, ApiError> {
    list_of(engine.tracker()?, params)
}

/// The same of a tracker that no engine has yet.
pub(crate) fn list_of(tracker: &dyn Tracker, params: BeadListParams) -> Result<BeadList, ApiError> {
    let listing = tracker.list(&of_board(params.status)).map_err(tracker_error)?;
    let warnings = listing.warnings.iter().map(ToString::to_string).collect();
    Ok(BeadList { beads: listing.beads, warnings })
}

/// What a board shows, of these states; of all where there are none.
pub(crate) fn of_board(statuses: Vec<BeadStatus>) -> ListFilter {
    ListFilter { statuses, ..ListFilter::board() }
}

pub(crate) fn ready(engine: &Engine) -> Result<BeadList, ApiError> {
    let beads = engine.tracker()?.ready().map_err(tracker_error)?;
    Ok(BeadList { beads, warnings: Vec::new() })
}

pub(crate) fn blocked(engine: &Engine) -> Result<BeadList, ApiError> {
    let beads = engine.tracker()?.blocked().map_err(tracker_error)?;
    Ok(BeadList { beads, warnings: Vec::new() })
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
        return Err(ApiError::new(
            ErrorCode::Usage,
            format!("there is no priority {high}; 0 to 4 there are"),
        ));
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
    let bead = engine.tracker()?.create(&new, &engine.user_actor()).map_err(tracker_error)?;
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
    let custom = consent(params.add_status);
    engine.tracker()?.submit(&params.id, custom, &engine.user_actor()).map_err(tracker_error)?;
    recovery::bead_changed(engine, &params.id);
    show(engine, &params.id)
}

pub(crate) fn close(engine: &Engine, params: BeadCloseParams) -> Result<BeadShown, ApiError> {
    engine.writable()?;
    let close = Close { reason: params.reason.unwrap_or_default(), force: false };
    engine.tracker()?.close(&params.id, &close, &engine.user_actor()).map_err(tracker_error)?;
    recovery::bead_changed(engine, &params.id);
    show(engine, &params.id)
}

/// Whether the tracker's own list of states may grow.
pub(crate) fn consent(given: bool) -> CustomStatus {
    if given { CustomStatus::Add } else { CustomStatus::Ask }
}
