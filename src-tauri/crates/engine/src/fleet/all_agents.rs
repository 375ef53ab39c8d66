//! The commands for all agents at once: pause, resume, broadcast.

use super::{
    agent_commands, agent_steps,
    open_sessions::{self, OpenMode, Opening},
    snapshot::{self, DISPATCH, FleetSnapshot},
};
use crate::{
    context::{Context, Decision},
    fleet_state::{fleet_error, state},
    session,
};
use bc_core::{
    fleet::{AgentIdentity, DispatchRecord},
    ids::{FleetAgentId, SessionId},
    session::{Meta, Status},
};
use bc_wire::{
    ApiError, ErrorCode,
    fleet::*,
    session::{Sent, SessionSendParams},
};
use std::{collections::BTreeSet, thread};

/// Pauses the fleet and the sessions of all agents. Nothing is dispatched or resumed automatically until
/// [`resume_all`].
pub(crate) fn pause_all(ctx: &Context) -> Result<FleetPaused, ApiError> {
    let _decision = ctx.fleet.decision_lock();
    // Record the pause first, so that reconciliation does not resume a session that is being paused. If that fails
    // because the disk is full, pause the agents anyway, because one of them may be filling it.
    let recorded = ctx.writable().and_then(|()| change_record(ctx, |record| record.paused = true));
    let snapshot = snapshot::take(ctx)?;
    let running = running(&snapshot);
    let outcomes: Vec<(FleetAgentId, Result<(), ApiError>)> = thread::scope(|scope| {
        let pause = |agent: FleetAgentId, meta: &Meta| {
            let id = meta.id;
            scope.spawn(move || (agent, session::pause(ctx, id).map(drop)))
        };
        let threads: Vec<_> = running.iter().map(|(agent, meta)| pause(agent.id.clone(), meta)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let (mut agents, mut warnings) = (Vec::new(), Vec::new());
    for (agent, outcome) in outcomes {
        match outcome {
            Ok(()) => agents.push(agent),
            Err(error) => warnings.push(format!("{agent}: {error}")),
        }
    }
    let recorded = recorded
        .and_then(|()| change_record(ctx, |record| record.paused_agents.extend(agents.iter().cloned())));
    let paused = recorded.is_ok();
    match recorded {
        Err(error) if agents.is_empty() => return Err(error),
        Err(error) => warnings.push(format!("the pause of the fleet is not saved: {error}")),
        Ok(()) => {}
    }
    Ok(FleetPaused { paused, agents, warnings })
}

/// Ends the pause of the fleet, and on request resumes the sessions that it paused.
pub(crate) fn resume_all(ctx: &Context, params: &FleetGoOnParams) -> Result<FleetPaused, ApiError> {
    ctx.writable()?;
    ctx.fleet.lift_suspension();
    open_sessions::try_all_places(ctx);
    let (openings, mut warnings) = {
        let decision = ctx.fleet.decision_lock();
        let mut paused = BTreeSet::new();
        change_record(ctx, |record| {
            record.paused = false;
            // The closure may run more than once; keep the agents of all runs.
            paused.extend(std::mem::take(&mut record.paused_agents));
        })?;
        let snapshot = agent_steps::reconciled(ctx, &decision)?;
        match params.resume {
            true => resumable(ctx, &decision, &snapshot, &paused),
            false => (Vec::new(), Vec::new()),
        }
    };
    let mut agents = Vec::new();
    for opened in open_sessions::open_all(ctx, openings) {
        match opened.outcome {
            Ok(_) => agents.push(opened.agent),
            Err(error) => warnings.push(format!("{}: {error}", opened.agent)),
        }
    }
    Ok(FleetPaused { paused: false, agents, warnings })
}

fn resumable<'a>(
    ctx: &'a Context,
    decision: &Decision,
    snapshot: &FleetSnapshot,
    paused: &BTreeSet<FleetAgentId>,
) -> (Vec<Opening<'a>>, Vec<String>) {
    let (mut openings, mut warnings) = (Vec::new(), Vec::new());
    let mut in_use = snapshot.in_use();
    for agent in snapshot.agents.iter().filter(|agent| paused.contains(&agent.id)) {
        let meta = snapshot.session(agent).filter(|meta| meta.status == Status::Paused);
        let (Some(meta), Some(bead)) = (meta, snapshot.assigned_bead(&agent.id)) else { continue };
        if let Some(why) = in_use.against(&snapshot.limits()) {
            warnings.push(format!("{} stays paused: {why}", agent.id));
            continue;
        }
        let mode = OpenMode::resume(snapshot, bead, meta);
        if let Some(opening) = Opening::begin(ctx, decision, snapshot, agent, bead, mode) {
            in_use = in_use.and_one();
            openings.push(opening);
        }
    }
    (openings, warnings)
}

/// Sends a prompt to the named agents, or to all agents with an active session. Each result shows whether the
/// agent's session accepted it.
pub(crate) fn broadcast(ctx: &Context, params: &FleetBroadcastParams) -> Result<FleetBroadcasted, ApiError> {
    ctx.writable()?;
    if params.text.trim().is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "the text is empty"));
    }
    let snapshot = snapshot::without_tracker(ctx)?;
    let running = running(&snapshot);
    for agent in &params.agents {
        agent_commands::find_agent(&snapshot, agent)?;
    }
    let mut known = BTreeSet::new();
    let named: Vec<FleetAgentId> = match params.agents.is_empty() {
        true => running.iter().map(|(agent, _)| agent.id.clone()).collect(),
        false => params.agents.iter().filter(|agent| known.insert((*agent).clone())).cloned().collect(),
    };
    let session =
        |agent: &FleetAgentId| running.iter().find(|(known, _)| known.id == *agent).map(|(_, m)| m.id);
    let reached = thread::scope(|scope| {
        let tell = |agent: FleetAgentId| {
            let id = session(&agent);
            scope.spawn(move || send_to_one(ctx, agent, id, &params.text))
        };
        let threads: Vec<_> = named.into_iter().map(tell).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    Ok(FleetBroadcasted { told: reached })
}

fn send_to_one(ctx: &Context, agent: FleetAgentId, session: Option<SessionId>, text: &str) -> FleetTold {
    let Some(id) = session else {
        let reason = Some("it has no active session".to_owned());
        return FleetTold { agent, delivery: None, reason };
    };
    match session::send(ctx, &SessionSendParams { id, text: text.to_owned() }) {
        Ok(Sent { delivery, reason }) => FleetTold { agent, delivery: Some(delivery), reason },
        Err(error) => FleetTold { agent, delivery: None, reason: Some(error.message) },
    }
}

fn running(snapshot: &FleetSnapshot) -> Vec<(&AgentIdentity, &Meta)> {
    let session = |agent| {
        let meta: &Meta = snapshot.session(agent)?;
        (meta.status == Status::Active).then_some((agent, meta))
    };
    snapshot.agents.iter().filter_map(session).collect()
}

fn change_record(ctx: &Context, mut change: impl FnMut(&mut DispatchRecord)) -> Result<(), ApiError> {
    state(ctx).keep(DISPATCH, |record| change(record)).map(drop).map_err(fleet_error)
}
