//! Agents.

use super::{fleet_error, look, state, truth};
use crate::engine::Engine;
use bc_core::fleet::AgentIdentity;
use bc_fleet::State;
use bc_wire::{ApiError, fleet::*};

pub(crate) fn create_agent(
    engine: &Engine,
    params: FleetAgentCreateParams,
) -> Result<FleetAgentShown, ApiError> {
    let state = state(engine);
    let rig = params.rig.unwrap_or_else(|| engine.project.name());
    let agent = state.create_agent(params.role, &rig).map_err(fleet_error)?;
    shown(engine, &state, Some(agent))
}

pub(crate) fn agent(engine: &Engine, params: &FleetAgentRef) -> Result<FleetAgentShown, ApiError> {
    let state = state(engine);
    let agent = state.agent(&params.id).map_err(fleet_error)?;
    shown(engine, &state, agent)
}

pub(crate) fn set_status(
    engine: &Engine,
    params: &FleetAgentStatusParams,
) -> Result<FleetAgentShown, ApiError> {
    let state = state(engine);
    let agent = state.update_agent_status(&params.id, params.status).map_err(fleet_error)?;
    shown(engine, &state, Some(agent))
}

pub(crate) fn agents(engine: &Engine, params: &FleetAgentsParams) -> Result<FleetAgents, ApiError> {
    let state = state(engine);
    let agents = state.agents(params.role, params.rig.as_deref()).map_err(fleet_error)?;
    let mut hooks = state.hooks().map_err(fleet_error)?;
    hooks.retain(|hook| agents.iter().any(|agent| agent.id == hook.agent_id));
    let look = look::without_tracker(engine)?;
    let agents = agents.iter().map(|agent| truth::of(engine, &look, agent).identity(agent)).collect();
    Ok(FleetAgents { agents, hooks, warnings: state.take_warnings() })
}

fn shown(engine: &Engine, state: &State, agent: Option<AgentIdentity>) -> Result<FleetAgentShown, ApiError> {
    let hook = match &agent {
        Some(agent) => state.hook(&agent.id).map_err(fleet_error)?,
        None => None,
    };
    let agent = match agent {
        Some(agent) => Some(truth::of(engine, &look::without_tracker(engine)?, &agent).identity(&agent)),
        None => None,
    };
    Ok(FleetAgentShown { agent, hook, warnings: state.take_warnings() })
}
