//! A session's claim on its bead, which is made at the start and undone if the start fails.

use crate::context::{Context, errors::tracker_error, recorded_actor};
use bc_beads::Actor;
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    session::Meta,
};
use bc_wire::ApiError;

/// Claims the bead for this session. If another actor holds the bead, takes it over: the user or one of the
/// user's ended sessions, or any holder if the session continues existing work (`ForFleet::continues`).
pub(super) fn claim(ctx: &Context, bead: &BeadDetail, actor: &Actor) -> Result<(), ApiError> {
    let holder = bead.bead.assignee.as_deref().and_then(|by| by.parse::<Actor>().ok());
    let is_held = bead.bead.status == BeadStatus::InProgress;
    let earlier = holder.filter(|by| is_held && by != actor);
    ctx.claims()?.claim(&bead.bead.id, earlier.as_ref(), actor).map_err(tracker_error)
}

/// Restores a bead's previous assignee and status. A failure is not reported, because the tracker shows the
/// bead's actual state.
pub(super) fn undo_claim(ctx: &Context, before: &BeadDetail, actor: &Actor) {
    let Ok(tracker) = ctx.tracker() else { return };
    let id = &before.bead.id;
    let holder = before.bead.assignee.as_deref();
    let _ = tracker.unclaim(id, actor, holder);
    if before.bead.status == BeadStatus::InProgress {
        let by = holder.and_then(|by| by.parse::<Actor>().ok()).unwrap_or_else(|| actor.clone());
        let _ = tracker.set_status(id, &BeadStatus::InProgress, &by);
    }
}

/// Releases the claim of a draft that a crash left behind, unless another actor has claimed the bead since. A
/// failure does not prevent closing the draft.
pub(super) fn release_draft(ctx: &Context, draft: &Meta) {
    let (Some(bead), Some(actor), Ok(tracker)) = (&draft.bead_id, recorded_actor(draft), ctx.tracker())
    else {
        return;
    };
    let held = tracker.show(bead).is_ok_and(|found| {
        found.bead.status == BeadStatus::InProgress && found.bead.assignee.as_deref() == Some(actor.as_str())
    });
    if held {
        let _ = tracker.unclaim(bead, &actor, None);
    }
}
