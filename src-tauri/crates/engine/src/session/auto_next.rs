//! Starts a session on the next bead, as often as the project's setting `auto_next` allows: when a session with a
//! closed bead ends, and when the bead of a paused or ended session is closed.
//!
//! Three rules prevent loops: the setting is decremented before each start, the bead that was just closed is
//! never started again, and a failed start sets the setting to 0.

use super::{start::start, stop};
use crate::{
    context::{Context, next_beads::next_beads},
    settings,
};
use bc_core::{
    bead::BeadStatus,
    ids::BeadId,
    session::{Meta, Status},
};
use bc_wire::{
    ApiError,
    session::*,
    settings::{ProjectSettings, ProjectSettingsChange},
};

/// Ends a session, and starts the next bead if the session's bead is closed and the setting is above 0.
pub(crate) fn end(ctx: &Context, params: &SessionEndParams) -> Result<SessionEnded, ApiError> {
    let was_closed = ctx.meta(params.id)?.status == Status::Closed;
    let mut ended = stop::end(ctx, params)?;
    if !was_closed && ended.session.meta.status == Status::Closed {
        let status = ended.bead_status.as_ref();
        ended.next = after_end(ctx, &ended.session.meta, status, &mut ended.warnings);
    }
    Ok(ended)
}

/// Starts the next bead after a bead was closed. If a session still works on the closed bead, the end of that
/// session starts the next bead. If the bead had no session, nothing is started, because the agent to use is
/// unknown.
pub(crate) fn after_close(ctx: &Context, bead: &BeadId, warnings: &mut Vec<String>) -> Option<NextStarted> {
    if settings::in_force(&ctx.project).auto_next == 0 {
        return None;
    }
    let metas = match ctx.metas() {
        Ok(metas) => metas,
        Err(error) => {
            warnings.push(format!("the next bead was not started: {error}"));
            return None;
        }
    };
    let of_bead = || metas.iter().filter(|meta| meta.bead_id.as_ref() == Some(bead));
    if of_bead().any(|meta| matches!(meta.status, Status::Active | Status::Draft)) {
        return None;
    }
    after_end(ctx, of_bead().next_back()?, Some(&BeadStatus::Closed), warnings)
}

/// Starts a session on the best next bead if the bead of the `ended` session is closed and the setting is above 0.
/// The caller must not hold the session lock.
fn after_end(
    ctx: &Context,
    ended: &Meta,
    status: Option<&BeadStatus>,
    warnings: &mut Vec<String>,
) -> Option<NextStarted> {
    let (Some(bead), Some(BeadStatus::Closed)) = (&ended.bead_id, status) else { return None };
    let left = settings::in_force(&ctx.project).auto_next.checked_sub(1)?;
    match start_next(ctx, ended, bead, left) {
        Ok(next) => next,
        Err(error) => {
            let stopped = set(ctx, 0);
            warnings.push(format!("the next bead was not started, and no further one will be: {error}"));
            warnings.extend(stopped.err().map(|error| format!("auto_next is still {left}: {error}")));
            None
        }
    }
}

/// Lowers the setting to `left` and starts the next bead; `None` if no other bead is ready.
fn start_next(
    ctx: &Context,
    ended: &Meta,
    bead: &BeadId,
    left: u32,
) -> Result<Option<NextStarted>, ApiError> {
    let ranked = next_beads(ctx.tracker()?, Some(bead))?;
    let Some(next) = ranked.into_iter().map(|(bead, _)| bead.id).find(|id| id != bead) else {
        return Ok(None);
    };
    // Lower the setting first, so that a failed start is not repeated.
    set(ctx, left)?;
    let started = start(ctx, params(ended, next.clone()))?;
    Ok(Some(NextStarted { bead: next, session: started.session.meta.id, left }))
}

/// The parameters for a session on another bead, with the ended session's agent, mode, model, kind of folder,
/// runner and place.
fn params(ended: &Meta, bead: BeadId) -> SessionStartParams {
    SessionStartParams {
        bead_id: Some(bead),
        agent: ended.agent_id.clone(),
        mode: ended.mode,
        model: ended.model.clone(),
        folder: if ended.worktree { FolderChoice::Worktree } else { FolderChoice::Auto },
        simulated: ended.simulated,
        runner: ended.runner.clone(),
        place: ended.place.clone(),
        at_once: true,
        ..SessionStartParams::default()
    }
}

fn set(ctx: &Context, left: u32) -> Result<(), ApiError> {
    let set = ProjectSettings { auto_next: Some(left), ..ProjectSettings::default() };
    let change = ProjectSettingsChange { set, unset: Vec::new() };
    settings::change(ctx, &ctx.session_lock(), change).map(drop)
}
