//! The commands for agents' records: create, rename, list, show, set the status.

use super::{agent_status, snapshot};
use crate::{
    context::Context,
    fleet_state::{fleet_error, state},
};
use bc_core::fleet::AgentIdentity;
use bc_fleet::State;
use bc_wire::{ApiError, fleet::*};

pub(crate) fn create_agent(
    ctx: &Context,
    params: FleetAgentCreateParams,
) -> Result<FleetAgentShown, ApiError> {
    let state = state(ctx);
    let rig = params.rig.unwrap_or_else(|| ctx.project.name());
    if let Some(name) = &params.name {
        state.check_new_name(name).map_err(fleet_error)?;
    }
    let agent = state.create_agent(params.role, &rig).map_err(fleet_error)?;
    if let Some(name) = &params.name {
        state.rename_agent(&agent.id, name).map_err(fleet_error)?;
    }
    shown(ctx, &state, Some(agent))
}

pub(crate) fn rename_agent(
    ctx: &Context,
    params: &FleetAgentRenameParams,
) -> Result<FleetAgentShown, ApiError> {
    let state = state(ctx);
    state.rename_agent(&params.id, &params.name).map_err(fleet_error)?;
    let agent = state.agent(&params.id).map_err(fleet_error)?;
    shown(ctx, &state, agent)
}

pub(crate) fn agent(ctx: &Context, params: &FleetAgentRef) -> Result<FleetAgentShown, ApiError> {
    let state = state(ctx);
    let agent = state.agent(&params.id).map_err(fleet_error)?;
    shown(ctx, &state, agent)
}

pub(crate) fn set_status(
    ctx: &Context,
    params: &FleetAgentStatusParams,
) -> Result<FleetAgentShown, ApiError> {
    let state = state(ctx);
    let agent = state.update_agent_status(&params.id, params.status).map_err(fleet_error)?;
    shown(ctx, &state, Some(agent))
}

pub(crate) fn agents(ctx: &Context, params: &FleetAgentsParams) -> Result<FleetAgents, ApiError> {
    let state = state(ctx);
    let agents = state.agents(params.role, params.rig.as_deref()).map_err(fleet_error)?;
    let mut hooks = state.hooks().map_err(fleet_error)?;
    hooks.retain(|hook| agents.iter().any(|agent| agent.id == hook.agent_id));
    let snapshot = snapshot::without_tracker(ctx)?;
    let names = agents.iter().map(|agent| snapshot.names.of(agent)).collect();
    let agents =
        agents.iter().map(|agent| agent_status::observe(ctx, &snapshot, agent).identity(agent)).collect();
    Ok(FleetAgents { agents, names, hooks, warnings: state.take_warnings() })
}

fn shown(ctx: &Context, state: &State, agent: Option<AgentIdentity>) -> Result<FleetAgentShown, ApiError> {
    let (mut identity, mut name, mut hook) = (None, None, None);
    if let Some(agent) = &agent {
        hook = state.hook(&agent.id).map_err(fleet_error)?;
        let snapshot = snapshot::without_tracker(ctx)?;
        identity = Some(agent_status::observe(ctx, &snapshot, agent).identity(agent));
        name = Some(snapshot.names.of(agent));
    }
    Ok(FleetAgentShown { agent: identity, name, hook, warnings: state.take_warnings() })
}
