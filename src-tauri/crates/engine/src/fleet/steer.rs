//! What a person does with one agent: starting it, pausing it, retiring it, and what becomes of its work when it
//! gets nowhere.

use super::{
    begin::{self, How, Opening},
    fleet_error, hand,
    look::{self, Look},
    overview::agent_now,
    state, tend, tries,
};
use crate::{engine::Engine, session};
use bc_core::{
    bead::BeadStatus,
    fleet::{AgentIdentity, AgentStatus, Hand, HookStatus},
    ids::{BeadId, FleetAgentId},
    session::{Meta, Status},
};
use bc_wire::{ApiError, ErrorCode, fleet::*};

/// Opens the session for what hangs on an agent's hook, or lets the one that is there go on.
pub(crate) fn start(engine: &Engine, params: &FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
    engine.writable()?;
    engine.fleet.go_on();
    let opening = {
        let _turn = engine.fleet.turn();
        let look = tend::settled(engine)?;
        let agent = known(&look, &params.id)?;
        let Some(bead) = look.held(&agent.id).cloned() else {
            return Err(idle(&agent.id));
        };
        if let Some(why) = look.in_use().against(&look.limits()) {
            return Err(ApiError::new(ErrorCode::HookState, format!("{} cannot start: {why}", agent.id))
                .hint("see what is in use with `beads-console fleet overview`"));
        }
        let how = match look.session(agent) {
            Some(meta) if meta.status == Status::Active => {
                let text = format!("{} works already, in session {}", agent.id, meta.id.short());
                return Err(ApiError::new(ErrorCode::SessionState, text));
            }
            Some(meta) if meta.status == Status::Paused => resumes(&look, &bead, meta),
            _ => How::New,
        };
        opening(engine, agent, bead, how)?
    };
    opened(engine, &params.id, opening)
}

/// Pauses an agent's session; its work stays on its hook.
pub(crate) fn stop(engine: &Engine, params: &FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
    engine.writable()?;
    let look = look::look(engine)?;
    let agent = known(&look, &params.id)?;
    let Some(meta) = look.session(agent).filter(|meta| meta.status == Status::Active) else {
        let text = format!("{} has no session that runs", agent.id);
        return Err(ApiError::new(ErrorCode::SessionState, text));
    };
    session::pause(engine, meta.id)?;
    steered(engine, &params.id, Vec::new())
}

/// Takes an agent out of use. Its work, if it has some, is free for another one.
pub(crate) fn retire(engine: &Engine, params: &FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
    engine.writable()?;
    let _turn = engine.fleet.turn();
    let look = tend::settled(engine)?;
    let agent = known(&look, &params.id)?;
    not_starting(engine, &look, agent)?;
    let meta = look.session(agent);
    if meta.is_some_and(|meta| meta.status == Status::Active) {
        let text = format!("{} works: its session runs", agent.id);
        return Err(ApiError::new(ErrorCode::SessionState, text)
            .hint("pause it, or hand its work on, and retire it then"));
    }
    if look.hook(&agent.id) != HookStatus::Empty {
        tend::release(engine, &look, agent, meta, None)?;
    }
    state(engine).update_agent_status(&agent.id, AgentStatus::Terminated).map_err(fleet_error)?;
    steered(engine, &params.id, Vec::new())
}

/// What becomes of the work of an agent that gets nowhere.
pub(crate) fn recover(engine: &Engine, params: &FleetRecoverParams) -> Result<FleetAgentSteered, ApiError> {
    let named = FleetAgentRef { id: params.agent.clone() };
    if params.action == FleetRecovery::Resume {
        return start(engine, &named);
    }
    engine.writable()?;
    let (bead, openings) = {
        let _turn = engine.fleet.turn();
        let look = tend::settled(engine)?;
        let agent = known(&look, &params.agent)?;
        let Some(bead) = look.held(&agent.id).cloned() else {
            return Err(idle(&agent.id));
        };
        not_starting(engine, &look, agent)?;
        // The look is older than what may have happened meanwhile: the session's record is read anew.
        let meta = look.session(agent).cloned();
        if params.action == FleetRecovery::Release {
            let held = Some("it was taken from its agent".to_owned());
            tend::release(engine, &look, agent, meta.as_ref(), held)?;
            (bead, Vec::new())
        } else {
            tend::hand_on(engine, &look, agent, meta.as_ref(), None)?;
            let openings = to_another(engine, &params.agent, &bead)?;
            (bead, openings)
        }
    };
    let told = hand::told(begin::open_all(engine, openings), Vec::new(), None, Vec::new());
    let mut warnings = told.warnings;
    warnings.extend(told.refused.iter().map(|refused| format!("{}: {}", refused.agent, refused.why)));
    let handed = params.action == FleetRecovery::HandOn;
    if handed && told.given.is_empty() && told.refused.is_empty() {
        warnings.push(format!("nobody is free to go on with {bead}: it is ready again"));
    }
    steered(engine, &params.agent, warnings)
}

/// The work for somebody else who is free, as far as the limits allow.
fn to_another<'a>(
    engine: &'a Engine,
    but: &FleetAgentId,
    bead: &BeadId,
) -> Result<Vec<Opening<'a>>, ApiError> {
    let look = look::look(engine)?;
    if look.in_use().against(&look.limits()).is_some() {
        return Ok(Vec::new());
    }
    let hands = look.hands();
    let other = hands.iter().find(|hand| hand.takes_any() && hand.agent != *but);
    let Some(Hand { agent, .. }) = other else { return Ok(Vec::new()) };
    let params = FleetHookParams { agent: agent.clone(), bead: bead.clone() };
    super::work::set_hook(engine, &params)?;
    let other = known(&look, agent)?;
    Ok(vec![opening(engine, other, bead.clone(), How::New)?])
}

fn resumes(look: &Look, bead: &BeadId, meta: &Meta) -> How {
    let open = look.bead(bead).is_some_and(|bead| bead.status == BeadStatus::Open);
    How::Resume { session: meta.id, reclaim: open }
}

/// An error while the agent's session is being opened, here or by another program, which holds its draft: what is taken
/// from it then, it would begin all the same.
fn not_starting(engine: &Engine, look: &Look, agent: &AgentIdentity) -> Result<(), ApiError> {
    let mut drafts = look
        .metas
        .iter()
        .filter(|meta| meta.status == Status::Draft && meta.fleet_agent.as_ref() == Some(&agent.id));
    let is_held = |id| engine.store.session(id).try_lock().is_ok_and(|lock| lock.is_none());
    match look.starting.contains(&agent.id) || drafts.any(|draft| is_held(draft.id)) {
        true => Err(starts(&agent.id)),
        false => Ok(()),
    }
}

fn starts(agent: &FleetAgentId) -> ApiError {
    ApiError::new(ErrorCode::SessionState, format!("the session of {agent} is being opened"))
        .hint("try again when it runs")
}

fn opening<'a>(
    engine: &'a Engine,
    agent: &AgentIdentity,
    bead: BeadId,
    how: How,
) -> Result<Opening<'a>, ApiError> {
    let starting = engine.fleet.start(&agent.id).ok_or_else(|| starts(&agent.id))?;
    Ok(Opening { agent: agent.id.clone(), bead, how, _starting: starting })
}

fn opened(engine: &Engine, id: &FleetAgentId, opening: Opening<'_>) -> Result<FleetAgentSteered, ApiError> {
    let bead = opening.bead.clone();
    let mut warnings = Vec::new();
    for opened in begin::open_all(engine, vec![opening]) {
        opened.outcome?;
        warnings = opened.warnings;
    }
    // A person wants it to go on: what failed before is forgiven.
    tries::forget(&state(engine), &bead);
    steered(engine, id, warnings)
}

fn steered(
    engine: &Engine,
    id: &FleetAgentId,
    mut warnings: Vec<String>,
) -> Result<FleetAgentSteered, ApiError> {
    let mut look = look::look(engine)?;
    warnings.append(&mut look.warnings);
    let agent = agent_now(engine, &look, known(&look, id)?);
    Ok(FleetAgentSteered { agent, warnings })
}

pub(super) fn known<'a>(look: &'a Look, id: &FleetAgentId) -> Result<&'a AgentIdentity, ApiError> {
    let found = look.agents.iter().find(|agent| agent.id == *id);
    found.ok_or_else(|| fleet_error(bc_fleet::FleetError::NoAgent(id.to_string())))
}

fn idle(id: &FleetAgentId) -> ApiError {
    ApiError::new(ErrorCode::HookState, format!("{id} has no work"))
        .hint(format!("give it some: `beads-console fleet dispatch {id}=BEAD`"))
}
