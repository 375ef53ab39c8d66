//! `fleet dispatch`, `recover`, `pause`, `resume` and `broadcast`.

use super::Context;
use crate::{args::*, failure::Failure, output::fleet_overview};
use bc_wire::{fleet::*, project::Nothing};

pub(super) fn dispatch(args: DispatchArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let pairs = args.pairs.into_iter().map(|pair| pair.0).collect();
    let done = context.api.fleet_dispatch(FleetDispatchParams { pairs, all: args.all })?;
    context.print_warned(&done, &done.warnings, fleet_overview::dispatched)
}

pub(super) fn recover(args: RecoverArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let action = match args.action {
        RecoveryArg::Resume => FleetRecovery::Resume,
        RecoveryArg::Reassign => FleetRecovery::Reassign,
        RecoveryArg::Release => FleetRecovery::Release,
    };
    let done = context.api.fleet_recover(FleetRecoverParams { agent: args.agent, action })?;
    steered(&done, context)
}

pub(super) fn pause(context: &mut Context<'_>) -> Result<(), Failure> {
    let done = context.api.fleet_pause_all(Nothing {})?;
    context.print_warned(&done, &done.warnings, fleet_overview::paused)
}

pub(super) fn resume(sessions: bool, context: &mut Context<'_>) -> Result<(), Failure> {
    let done = context.api.fleet_go_on(FleetGoOnParams { resume: sessions })?;
    context.print_warned(&done, &done.warnings, fleet_overview::paused)
}

pub(super) fn broadcast(args: BroadcastArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let done = context.api.fleet_broadcast(FleetBroadcastParams { agents: args.to, text: args.text })?;
    context.print(&done, fleet_overview::broadcasted)
}

pub(super) fn steered(done: &FleetAgentSteered, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print_warned(done, &done.warnings, fleet_overview::steered)
}
