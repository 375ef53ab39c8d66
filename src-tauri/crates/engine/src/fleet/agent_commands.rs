//! The commands for one agent: start, stop, retire, and recover stuck work.

use super::{
    agent_steps, attempts, dispatch,
    open_sessions::{self, OpenMode, Opening},
    overview::agent_now,
    place_room::NO_ROOM,
    snapshot::{self, FleetSnapshot},
};
use crate::{
    context::{Context, Decision},
    fleet_state::{fleet_error, state},
    session,
};
use bc_core::{
    fleet::{AgentIdentity, AgentSlot, AgentStatus, HookStatus},
    ids::{BeadId, FleetAgentId},
    session::Status,
};
use bc_wire::{ApiError, ErrorCode, fleet::*};

/// Starts a session for the agent's assigned work, or resumes its paused session.
pub(crate) fn start(ctx: &Context, params: &FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
    ctx.writable()?;
    ctx.fleet.lift_suspension();
    open_sessions::try_all_places(ctx);
    let opening = {
        let decision = ctx.fleet.decision_lock();
        let snapshot = agent_steps::reconciled(ctx, &decision)?;
        let agent = find_agent(&snapshot, &params.id)?;
        let done = snapshot.hook(&agent.id) == HookStatus::Completed;
        let Some(bead) = snapshot.assigned_bead(&agent.id).filter(|_| !done).cloned() else {
            return Err(no_work(&agent.id));
        };
        if let Some(why) = snapshot.in_use().against(&snapshot.limits()) {
            return Err(ApiError::new(ErrorCode::HookState, format!("{} cannot start: {why}", agent.id))
                .hint("`beads-console fleet overview` shows the usage"));
        }
        let mode = match snapshot.session(agent) {
            Some(meta) if meta.status == Status::Active => {
                let text = format!("{} is already working, in session {}", agent.id, meta.id.short());
                return Err(ApiError::new(ErrorCode::SessionState, text));
            }
            Some(meta) if meta.status == Status::Paused => OpenMode::resume(&snapshot, &bead, meta),
            _ => {
                let no_room = || {
                    ApiError::new(ErrorCode::HookState, format!("{} cannot start: {NO_ROOM}", agent.id))
                        .hint("`beads-console places list` shows the places")
                };
                OpenMode::New {
                    place: snapshot.places.clone().take(snapshot.labels(&bead)).ok_or_else(no_room)?,
                }
            }
        };
        new_opening(ctx, &decision, &snapshot, agent, &bead, mode)?
    };
    open_now(ctx, &params.id, opening)
}

/// Pauses the agent's session; its work stays on its hook.
pub(crate) fn stop(ctx: &Context, params: &FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
    let snapshot = snapshot::take(ctx)?;
    let agent = find_agent(&snapshot, &params.id)?;
    let Some(meta) = snapshot.session(agent).filter(|meta| meta.status == Status::Active) else {
        let text = format!("{} has no active session", agent.id);
        return Err(ApiError::new(ErrorCode::SessionState, text));
    };
    session::pause(ctx, meta.id)?;
    agent_result(ctx, &params.id, Vec::new())
}

/// Retires an agent permanently. Its work, if any, is released to other agents.
pub(crate) fn retire(ctx: &Context, params: &FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
    ctx.writable()?;
    let decision = ctx.fleet.decision_lock();
    let snapshot = agent_steps::reconciled(ctx, &decision)?;
    let agent = find_agent(&snapshot, &params.id)?;
    require_not_starting(ctx, &snapshot, agent)?;
    let meta = snapshot.session(agent);
    if meta.is_some_and(|meta| meta.status == Status::Active) {
        let text = format!("{} is working: its session is active", agent.id);
        return Err(ApiError::new(ErrorCode::SessionState, text).hint("pause it or reassign its work first"));
    }
    if snapshot.hook(&agent.id) != HookStatus::Empty {
        agent_steps::release(ctx, &decision, &snapshot, agent, meta, None)?;
    }
    state(ctx).update_agent_status(&agent.id, AgentStatus::Terminated).map_err(fleet_error)?;
    agent_result(ctx, &params.id, Vec::new())
}

/// Recovers a stuck agent's work: resumes, reassigns or releases it.
pub(crate) fn recover(ctx: &Context, params: &FleetRecoverParams) -> Result<FleetAgentSteered, ApiError> {
    let named = FleetAgentRef { id: params.agent.clone() };
    if params.action == FleetRecovery::Resume {
        return start(ctx, &named);
    }
    ctx.writable()?;
    let (bead, openings) = {
        let decision = ctx.fleet.decision_lock();
        let snapshot = agent_steps::reconciled(ctx, &decision)?;
        let agent = find_agent(&snapshot, &params.agent)?;
        let bead = snapshot.assigned_bead(&agent.id).cloned().ok_or_else(|| no_work(&agent.id))?;
        require_not_starting(ctx, &snapshot, agent)?;
        if snapshot.hook(&agent.id) == HookStatus::Completed {
            // The work is done, so it does not need to be reassigned or held back.
            state(ctx).clear_hook(&agent.id).map_err(fleet_error)?;
            return agent_result(ctx, &params.agent, Vec::new());
        }
        // The session may have changed since the snapshot. Ending the session reads its record again.
        let meta = snapshot.session(agent).cloned();
        let openings = if params.action == FleetRecovery::Release {
            let held = Some("it was released by the user".to_owned());
            agent_steps::release(ctx, &decision, &snapshot, agent, meta.as_ref(), held)?;
            Vec::new()
        } else {
            agent_steps::reassign(ctx, &decision, &snapshot, agent, meta.as_ref(), None)?;
            assign_to_another(ctx, &decision, &params.agent, &bead)?
        };
        (bead, openings)
    };
    let report = dispatch::report(open_sessions::open_all(ctx, openings), Vec::new(), None, Vec::new());
    let mut warnings = report.warnings;
    warnings.extend(report.refused.iter().map(|refused| format!("{}: {}", refused.agent, refused.why)));
    let reassigned = params.action == FleetRecovery::Reassign;
    if reassigned && report.given.is_empty() && report.refused.is_empty() {
        warnings.push(format!("no idle agent is available for {bead}: it is ready again"));
    }
    agent_result(ctx, &params.agent, warnings)
}

/// Assigns the work to a free agent other than `except`, if the limits allow it and a place has room. Returns
/// the session to open, if any.
fn assign_to_another<'a>(
    ctx: &'a Context,
    decision: &Decision,
    except: &FleetAgentId,
    bead: &BeadId,
) -> Result<Vec<Opening<'a>>, ApiError> {
    let snapshot = snapshot::take(ctx)?;
    if snapshot.in_use().against(&snapshot.limits()).is_some() {
        return Ok(Vec::new());
    }
    let slots = snapshot.dispatch_agents();
    let other = slots.iter().find(|slot| slot.takes_any() && slot.agent != *except);
    let Some(AgentSlot { agent, .. }) = other else { return Ok(Vec::new()) };
    let params = FleetHookParams { agent: agent.clone(), bead: bead.clone() };
    let Some(place) = snapshot.places.clone().take(snapshot.labels(bead)) else { return Ok(Vec::new()) };
    super::work::set_hook(ctx, &params)?;
    let other = find_agent(&snapshot, agent)?;
    Ok(vec![new_opening(ctx, decision, &snapshot, other, bead, OpenMode::New { place })?])
}

/// Fails if this or another program is opening the agent's session, because that program would start the work
/// even after the work is taken off the hook. Another program is detected by its lock on the session's draft.
fn require_not_starting(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
) -> Result<(), ApiError> {
    let mut drafts = snapshot
        .metas
        .iter()
        .filter(|meta| meta.status == Status::Draft && meta.fleet_agent.as_ref() == Some(&agent.id));
    let is_held = |id| ctx.store.session(id).try_lock().is_ok_and(|lock| lock.is_none());
    match snapshot.starting.contains(&agent.id) || drafts.any(|draft| is_held(draft.id)) {
        true => Err(being_opened(&agent.id)),
        false => Ok(()),
    }
}

fn being_opened(agent: &FleetAgentId) -> ApiError {
    ApiError::new(ErrorCode::SessionState, format!("the session of {agent} is being opened"))
        .hint("try again once it is open")
}

fn new_opening<'a>(
    ctx: &'a Context,
    decision: &Decision,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    bead: &BeadId,
    mode: OpenMode,
) -> Result<Opening<'a>, ApiError> {
    let opening = Opening::begin(ctx, decision, snapshot, agent, bead, mode);
    opening.ok_or_else(|| being_opened(&agent.id))
}

fn open_now(ctx: &Context, id: &FleetAgentId, opening: Opening<'_>) -> Result<FleetAgentSteered, ApiError> {
    let bead = opening.bead.clone();
    let mut warnings = Vec::new();
    for opened in open_sessions::open_all(ctx, vec![opening]) {
        opened.outcome?;
        warnings = opened.warnings;
    }
    // A manual start clears earlier failures.
    attempts::forget(&state(ctx), &bead);
    agent_result(ctx, id, warnings)
}

fn agent_result(
    ctx: &Context,
    id: &FleetAgentId,
    mut warnings: Vec<String>,
) -> Result<FleetAgentSteered, ApiError> {
    let mut snapshot = snapshot::take(ctx)?;
    warnings.append(&mut snapshot.warnings);
    let agent = agent_now(ctx, &snapshot, find_agent(&snapshot, id)?);
    Ok(FleetAgentSteered { agent, warnings })
}

pub(super) fn find_agent<'a>(
    snapshot: &'a FleetSnapshot,
    id: &FleetAgentId,
) -> Result<&'a AgentIdentity, ApiError> {
    let found = snapshot.agents.iter().find(|agent| agent.id == *id);
    found.ok_or_else(|| fleet_error(bc_fleet::FleetError::NoAgent(id.to_string())))
}

fn no_work(id: &FleetAgentId) -> ApiError {
    ApiError::new(ErrorCode::HookState, format!("{id} has no assigned work"))
        .hint(format!("assign some: `beads-console fleet dispatch {id}=BEAD`"))
}
