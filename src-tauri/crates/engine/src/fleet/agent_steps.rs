//! Performs the agents' next steps that do not open a session, such as clearing the hook of finished work
//! and reassigning or releasing failing work. [`bc_core::fleet::next`] chooses the step.

use super::{
    attempts, open_sessions,
    snapshot::{self, FleetSnapshot},
};
use crate::{
    context::{Context, Decision, recorded_actor},
    fleet_state::{fleet_error, state},
    merge_queue, session,
};
use bc_core::{
    fleet::{AgentIdentity, AgentStatus, BeadCase, Case, HookStatus, MergeStatus, Next, SessionCase, next},
    ids::BeadId,
    session::{Meta, PauseReason, Status},
};
use bc_wire::{
    ApiError, ErrorCode,
    fleet::FleetQueueAddParams,
    session::{Activity, SessionView},
};

/// Performs all next steps that do not open a session, and returns a snapshot of the fleet after these steps.
pub(super) fn reconciled(ctx: &Context, decision: &Decision) -> Result<FleetSnapshot, ApiError> {
    // Do this first, so that work that another program completed is not dispatched again after its hook is cleared.
    state(ctx).record_completed().map_err(fleet_error)?;
    let mut snapshot = snapshot::with_tracker(ctx)?;
    let mut changed = false;
    for agent in &snapshot.agents {
        // A failure for one agent becomes a warning; the next reconciliation tries again.
        match reconcile_agent(ctx, decision, &snapshot, agent) {
            Ok(did) => changed |= did,
            Err(error) => snapshot.warnings.push(format!("{}: {error}", agent.id)),
        }
    }
    if !changed {
        return Ok(snapshot);
    }
    let warnings = snapshot.warnings;
    let mut snapshot = snapshot::with_tracker(ctx)?;
    snapshot.warnings.splice(0..0, warnings);
    Ok(snapshot)
}

pub(super) fn next_step(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
) -> (Next, Option<SessionView>) {
    if agent.status == AgentStatus::Terminated || snapshot.starting.contains(&agent.id) {
        return (Next::Nothing, None);
    }
    let session = snapshot.session(agent).map(|meta| session::view_of(ctx, meta.clone()));
    let meta = session.as_ref().map(|session| &session.meta);
    let bead = snapshot.assigned_bead(&agent.id);
    let case = Case {
        hook: snapshot.hook(&agent.id),
        recorded: meta.map_or(snapshot.has_own_session(agent), |meta| agent.own_session() == Some(meta.id)),
        session: session.as_ref().map_or(SessionCase::None, |session| session_case(ctx, session)),
        bead: bead.map_or(BeadCase::Unknown, |bead| snapshot.bead_case(bead)),
        paused: snapshot.record.paused,
        auto: snapshot.settings.auto_dispatch,
        draining: meta
            .and_then(|meta| meta.place.as_deref())
            .is_some_and(|place| snapshot.places.is_draining(place)),
    };
    let tries = bead.and_then(|bead| snapshot.record.beads.get(bead)).cloned().unwrap_or_default();
    (next(case, &tries), session)
}

fn session_case(ctx: &Context, session: &SessionView) -> SessionCase {
    match (session.meta.status, &session.live) {
        (Status::Active, Some(live)) => {
            let quiet = live.permissions.is_empty() && live.held.is_empty();
            SessionCase::Live { at_prompt: quiet && live.activity == Activity::Idle }
        }
        // The host is starting, exiting or dead. A session with a dead host is paused elsewhere (`dead_hosts`).
        (Status::Active, None) => SessionCase::Live { at_prompt: false },
        (Status::Paused, _) => match died(ctx, &session.meta) {
            true => SessionCase::Died,
            false => SessionCase::Paused,
        },
        (Status::Closed, _) => SessionCase::Closed,
        (Status::Draft, _) => SessionCase::None,
    }
}

/// Whether a paused session ended unintentionally: its host died, or claude exited with an error.
fn died(ctx: &Context, meta: &Meta) -> bool {
    match meta.pause_reason {
        Some(PauseReason::Interrupted) => true,
        Some(PauseReason::Exited) => {
            let note = bc_host::read_exit_note(&ctx.store.session(meta.id));
            note.is_some_and(|note| note.exit.code != Some(0))
        }
        Some(PauseReason::User | PauseReason::Inactivity | PauseReason::Superseded) | None => false,
    }
}

/// Performs the agent's next step, unless the step opens a session. Returns whether anything changed.
fn reconcile_agent(
    ctx: &Context,
    decision: &Decision,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
) -> Result<bool, ApiError> {
    let (next, session) = next_step(ctx, snapshot, agent);
    let meta = session.as_ref().map(|session| &session.meta);
    match next {
        Next::Nothing => return mark_idle(ctx, snapshot, agent),
        Next::Start | Next::Resume => return Ok(false),
        Next::Attach => {
            if let Some(meta) = meta {
                open_sessions::attach(ctx, &agent.id, meta.id)?;
            }
        }
        Next::Finish => finish(ctx, snapshot, agent, meta)?,
        Next::End => {
            if let Some(meta) = meta {
                session::close(ctx, meta.id)?;
            }
            finish(ctx, snapshot, agent, meta)?;
        }
        Next::Reassign { held } => reassign(ctx, decision, snapshot, agent, meta, held)?,
        Next::Release { held } => release(ctx, decision, snapshot, agent, meta, held)?,
        Next::Clear => clear_hook(ctx, agent)?,
    }
    Ok(true)
}

fn mark_idle(ctx: &Context, snapshot: &FleetSnapshot, agent: &AgentIdentity) -> Result<bool, ApiError> {
    let has_no_work = agent.status == AgentStatus::Active && snapshot.hook(&agent.id) == HookStatus::Empty;
    // A session that is not in this project's list belongs to another program.
    if !has_no_work || !snapshot.has_own_session(agent) || snapshot.session(agent).is_some() {
        return Ok(false);
    }
    state(ctx).set_agent_session(&agent.id, None).map_err(fleet_error)?;
    Ok(true)
}

/// Completes the work: adds the branch to the merge queue unless a review comes first, ends a paused session, and
/// clears the hook.
fn finish(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
) -> Result<(), ApiError> {
    let state = state(ctx);
    // A completed hook no longer names its work, so take it from the agent's last session.
    let last = || snapshot.metas.iter().find(|meta| agent.own_session() == Some(meta.id)).map(|meta| &**meta);
    let meta = match snapshot.hook(&agent.id) {
        HookStatus::Completed => meta.or_else(last),
        HookStatus::Pending | HookStatus::Active | HookStatus::Empty => meta,
    };
    let held =
        snapshot.assigned_bead(&agent.id).cloned().or_else(|| meta.and_then(|meta| meta.bead_id.clone()));
    if let Some(bead) = &held {
        attempts::forget(&state, bead);
        // Do this before the hook is cleared: after a crash, this step is repeated and finds the request in the
        // queue.
        enqueue_branch(ctx, snapshot, bead)?;
    }
    match snapshot.hook(&agent.id) {
        HookStatus::Pending => {
            state.activate_hook(&agent.id).map_err(fleet_error)?;
            state.complete_hook(&agent.id).map_err(fleet_error)?;
        }
        HookStatus::Active => {
            state.complete_hook(&agent.id).map_err(fleet_error)?;
        }
        HookStatus::Completed | HookStatus::Empty => {}
    }
    if let Some(meta) = meta.filter(|meta| meta.status == Status::Paused) {
        session::close(ctx, meta.id)?;
    }
    clear_hook(ctx, agent)
}

/// Adds the bead's branch to the merge queue, unless a review comes first or the branch is already queued.
fn enqueue_branch(ctx: &Context, snapshot: &FleetSnapshot, bead: &BeadId) -> Result<(), ApiError> {
    // A bead whose earlier request failed is queued again.
    let waits = |status| matches!(status, MergeStatus::Pending | MergeStatus::Merging);
    let waiting = snapshot.requests.iter().any(|request| request.bead_id == *bead && waits(request.status));
    if snapshot.settings.merge_review || waiting {
        return Ok(());
    }
    let params = FleetQueueAddParams { bead: bead.clone(), source: None, target: None };
    match merge_queue::add(ctx, &params) {
        // Returning the error leaves the hook unchanged, so the next reconciliation tries again.
        Err(error) if is_transient(error.code) => Err(error),
        Err(error) if error.code == ErrorCode::GitFailed && merge_queue::has_branch(ctx, bead) => Err(error),
        // The branch was added, or nothing can be merged: the work has no branch or no commit.
        _ => Ok(()),
    }
}

/// Whether a retry can succeed without the user's intervention.
fn is_transient(code: ErrorCode) -> bool {
    use ErrorCode as E;
    matches!(code, E::DiskFull | E::Io | E::TrackerTimeout | E::TrackerFailed | E::GitMissing)
}

fn clear_hook(ctx: &Context, agent: &AgentIdentity) -> Result<(), ApiError> {
    let state = state(ctx);
    state.clear_hook(&agent.id).map_err(fleet_error)?;
    state.set_agent_session(&agent.id, None).map_err(fleet_error)?;
    Ok(())
}

/// Takes the work off the hook for another agent, which continues on the same branch. `held` is the reason to hold
/// the bead back, if any.
pub(super) fn reassign(
    ctx: &Context,
    _: &Decision,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
    held: Option<String>,
) -> Result<(), ApiError> {
    let bead = snapshot.assigned_bead(&agent.id).cloned();
    if let Some(bead) = &bead {
        // Do this first, so that after a crash the work is reassigned and not resumed again.
        attempts::note(&state(ctx), bead, |tries| {
            tries.handed_on += 1;
            (tries.resumed, tries.last, tries.held) = (0, Some(agent.id.clone()), held.clone());
        });
    }
    free_work(ctx, snapshot, agent, meta)?;
    if let Some(bead) = &bead {
        state(ctx).work_handed_on(&agent.id, bead).map_err(fleet_error)?;
    }
    Ok(())
}

/// Takes the work off the hook. `held` is the reason to hold the bead back, if any.
pub(super) fn release(
    ctx: &Context,
    _: &Decision,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
    held: Option<String>,
) -> Result<(), ApiError> {
    if let Some(bead) = snapshot.assigned_bead(&agent.id) {
        attempts::note(&state(ctx), bead, |tries| {
            tries.resumed = 0;
            tries.held = held.clone();
        });
    }
    free_work(ctx, snapshot, agent, meta)
}

/// Closes the session, releases its claim on the bead, and clears the hook.
fn free_work(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
) -> Result<(), ApiError> {
    if let Some(meta) = meta {
        if matches!(meta.status, Status::Active | Status::Paused) {
            session::close(ctx, meta.id)?;
        }
        release_claim(ctx, snapshot.assigned_bead(&agent.id), meta);
    }
    clear_hook(ctx, agent)
}

/// Releases the session's claim on its bead. The tracker refuses this if another actor has claimed the bead.
/// A failure is not reported: the convoy then shows the bead as assigned, without an agent.
fn release_claim(ctx: &Context, bead: Option<&BeadId>, meta: &Meta) {
    if let (Some(bead), Some(actor), Ok(tracker)) = (bead, recorded_actor(meta), ctx.tracker()) {
        let _ = tracker.unclaim(bead, &actor, None);
    }
}
