//! `fleet …`: agents, work, hooks, convoys and the merge queue.

use super::{Context, fleet_control};
use crate::{
    args::*,
    failure::Failure,
    output::{fleet as show, fleet_overview, runner},
};
use bc_core::{
    fleet::{AgentRole, AgentStatus, Priority, WorkStatus},
    ids::FleetAgentId,
};
use bc_wire::{fleet::*, project::Nothing};

pub(super) fn run(command: FleetCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    match command {
        FleetCommand::Overview => {
            let overview = context.api.fleet_overview(Nothing {})?;
            context.print_warned(&overview, &overview.warnings, fleet_overview::overview)
        }
        FleetCommand::Dispatch(args) => fleet_control::dispatch(args, context),
        FleetCommand::Recover(args) => fleet_control::recover(args, context),
        FleetCommand::Pause => fleet_control::pause(context),
        FleetCommand::Resume { sessions } => fleet_control::resume(sessions, context),
        FleetCommand::Broadcast(args) => fleet_control::broadcast(args, context),
        FleetCommand::Agent { command } => agent(command, context),
        FleetCommand::Work { command } => work(command, context),
        FleetCommand::Hook { command } => hook(command, context),
        FleetCommand::Convoy { command } => convoy(command, context),
        FleetCommand::Runner { name } => {
            let probe = context.api.fleet_runner_probe(RunnerProbeParams { name })?;
            context.print(&probe, runner::probe)
        }
        FleetCommand::Queue { command } => super::fleet_queue::run(command, context),
        FleetCommand::Review(args) => super::fleet_queue::review(args, context),
        FleetCommand::Approve(args) => super::fleet_queue::approve(args, context),
        FleetCommand::RequestChanges(args) => super::fleet_queue::request_changes(args, context),
        FleetCommand::Settings(args) => super::fleet_settings::run(&args, context),
    }
}

fn named(id: FleetAgentId) -> FleetAgentRef {
    FleetAgentRef { id }
}

fn agent(command: FleetAgentCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    let shown = match command {
        FleetAgentCommand::List { role, rig } => {
            let agents = context.api.fleet_agents(FleetAgentsParams { role, rig })?;
            return context.print_warned(&agents, &agents.warnings, show::agents);
        }
        FleetAgentCommand::Create { role, name, rig } => {
            let role = match role {
                RoleArg::Polecat => AgentRole::Polecat,
                RoleArg::Crew => AgentRole::Crew,
            };
            context.api.fleet_agent_create(FleetAgentCreateParams { role, rig, name })?
        }
        FleetAgentCommand::Rename { agent, name } => {
            context.api.fleet_agent_rename(FleetAgentRenameParams { id: agent, name })?
        }
        FleetAgentCommand::Show { agent } => context.api.fleet_agent(named(agent))?,
        FleetAgentCommand::Start { agent } => {
            return fleet_control::steered(&context.api.fleet_agent_start(named(agent))?, context);
        }
        FleetAgentCommand::Stop { agent } => {
            return fleet_control::steered(&context.api.fleet_agent_stop(named(agent))?, context);
        }
        FleetAgentCommand::Retire { agent } => {
            return fleet_control::steered(&context.api.fleet_agent_retire(named(agent))?, context);
        }
        FleetAgentCommand::Status { agent, status } => {
            let status = match status {
                StatusArg::Idle => AgentStatus::Idle,
                StatusArg::Active => AgentStatus::Active,
                StatusArg::Stalled => AgentStatus::Stalled,
                StatusArg::Terminated => AgentStatus::Terminated,
            };
            context.api.fleet_agent_status(FleetAgentStatusParams { id: agent, status })?
        }
    };
    context.print_warned(&shown, &shown.warnings, show::agent)
}

fn work(command: FleetWorkCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    let shown = match command {
        FleetWorkCommand::List => {
            let work = context.api.fleet_work_list(Nothing {})?;
            return context.print_warned(&work, &work.warnings, show::work_items);
        }
        FleetWorkCommand::Create { title, description, priority } => {
            let priority = match priority {
                PriorityArg::P1 => Priority::P1,
                PriorityArg::P2 => Priority::P2,
                PriorityArg::P3 => Priority::P3,
            };
            context.api.fleet_work_create(FleetWorkCreateParams { title, description, priority })?
        }
        FleetWorkCommand::Show { bead } => context.api.fleet_work(FleetWorkRef { bead })?,
        FleetWorkCommand::Status { bead, status } => {
            let status = match status {
                WorkStatusArg::Open => WorkStatus::Open,
                WorkStatusArg::Hooked => WorkStatus::Hooked,
                WorkStatusArg::InProgress => WorkStatus::InProgress,
                WorkStatusArg::Done => WorkStatus::Done,
                WorkStatusArg::Merged => WorkStatus::Merged,
            };
            context.api.fleet_work_status(FleetWorkStatusParams { bead, status })?
        }
    };
    context.print_warned(&shown, &shown.warnings, show::work)
}

fn hook(command: FleetHookCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    let shown = match command {
        FleetHookCommand::Set { agent, bead } => {
            context.api.fleet_hook_set(FleetHookParams { agent, bead })?
        }
        FleetHookCommand::Show { agent } => context.api.fleet_hook(named(agent))?,
        FleetHookCommand::Activate { agent } => context.api.fleet_hook_activate(named(agent))?,
        FleetHookCommand::Complete { agent } => context.api.fleet_hook_complete(named(agent))?,
        FleetHookCommand::Clear { agent } => context.api.fleet_hook_clear(named(agent))?,
    };
    context.print_warned(&shown, &shown.warnings, show::hook)
}

fn convoy(command: FleetConvoyCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    let shown = match command {
        FleetConvoyCommand::List => {
            let convoys = context.api.fleet_convoys(Nothing {})?;
            return context.print_warned(&convoys, &convoys.warnings, show::convoys);
        }
        FleetConvoyCommand::Create { name, beads } => {
            context.api.fleet_convoy_create(FleetConvoyCreateParams { name, beads })?
        }
        FleetConvoyCommand::Show { convoy } => context.api.fleet_convoy(FleetConvoyRef { id: convoy })?,
        FleetConvoyCommand::Add { convoy, beads } => {
            context.api.fleet_convoy_add(FleetConvoyBeadsParams { id: convoy, beads })?
        }
        FleetConvoyCommand::Remove { convoy, beads } => {
            context.api.fleet_convoy_remove(FleetConvoyBeadsParams { id: convoy, beads })?
        }
        FleetConvoyCommand::Rename { convoy, name } => {
            context.api.fleet_convoy_rename(FleetConvoyRenameParams { id: convoy, name })?
        }
        FleetConvoyCommand::Close { convoy, reopen } => {
            context.api.fleet_convoy_close(FleetConvoyCloseParams { id: convoy, reopen })?
        }
        FleetConvoyCommand::Progress { convoy } => {
            context.api.fleet_convoy_progress(FleetConvoyRef { id: convoy })?
        }
    };
    context.print_warned(&shown, &shown.warnings, show::convoy)
}
