//! What a person does with all agents at once: pausing everything, letting it go on, telling them something.

use super::{
    begin::{self, How, Opening},
    fleet_error,
    look::{self, DISPATCH, Look},
    state, steer, tend,
};
use crate::{engine::Engine, session};
use bc_core::{
    bead::BeadStatus,
    fleet::{AgentIdentity, DispatchRecord},
    ids::FleetAgentId,
    session::{Meta, Status},
};
use bc_wire::{
    ApiError, ErrorCode,
    fleet::*,
    session::{Sent, SessionSendParams},
};
use std::{collections::BTreeSet, thread};

/// Pauses every session of an agent; nothing is handed out, and nobody resumed, until it goes on.
pub(crate) fn pause_all(engine: &Engine) -> Result<FleetPaused, ApiError> {
    engine.writable()?;
    let _turn = engine.fleet.turn();
    // First: whoever looks after the fleet must not resume what is just being paused.
    remember(engine, |record| record.paused = true)?;
    let look = look::look(engine)?;
    let live = live(&look);
    let outcomes: Vec<(FleetAgentId, Result<(), ApiError>)> = thread::scope(|scope| {
        let pause = |agent: FleetAgentId, meta: &Meta| {
            let id = meta.id;
            scope.spawn(move || (agent, session::pause(engine, id).map(drop)))
        };
        let threads: Vec<_> = live.iter().map(|(agent, meta)| pause(agent.id.clone(), meta)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let (mut agents, mut warnings) = (Vec::new(), Vec::new());
    for (agent, outcome) in outcomes {
        match outcome {
            Ok(()) => agents.push(agent),
            Err(error) => warnings.push(format!("{agent}: {error}")),
        }
    }
    remember(engine, |record| record.paused_agents.extend(agents.iter().cloned()))?;
    Ok(FleetPaused { paused: true, agents, warnings })
}

/// Takes a pause of everything back.
pub(crate) fn go_on(engine: &Engine, params: &FleetGoOnParams) -> Result<FleetPaused, ApiError> {
    engine.writable()?;
    engine.fleet.go_on();
    let (openings, mut warnings) = {
        let _turn = engine.fleet.turn();
        let mut paused = BTreeSet::new();
        remember(engine, |record| {
            record.paused = false;
            // It may be asked twice, and begins anew then.
            paused.extend(std::mem::take(&mut record.paused_agents));
        })?;
        let look = tend::settled(engine)?;
        match params.resume {
            true => resumed(engine, &look, &paused),
            false => (Vec::new(), Vec::new()),
        }
    };
    let mut agents = Vec::new();
    for opened in begin::open_all(engine, openings) {
        match opened.outcome {
            Ok(_) => agents.push(opened.agent),
            Err(error) => warnings.push(format!("{}: {error}", opened.agent)),
        }
    }
    Ok(FleetPaused { paused: false, agents, warnings })
}

fn resumed<'a>(
    engine: &'a Engine,
    look: &Look,
    paused: &BTreeSet<FleetAgentId>,
) -> (Vec<Opening<'a>>, Vec<String>) {
    let (mut openings, mut warnings) = (Vec::new(), Vec::new());
    let mut in_use = look.in_use();
    for agent in look.agents.iter().filter(|agent| paused.contains(&agent.id)) {
        let meta = look.session(agent).filter(|meta| meta.status == Status::Paused);
        let (Some(meta), Some(bead)) = (meta, look.held(&agent.id)) else { continue };
        if let Some(why) = in_use.against(&look.limits()) {
            warnings.push(format!("{} stays paused: {why}", agent.id));
            continue;
        }
        let Some(starting) = engine.fleet.start(&agent.id) else { continue };
        in_use = in_use.and_one();
        let reclaim = look.bead(bead).is_some_and(|bead| bead.status == BeadStatus::Open);
        let how = How::Resume { session: meta.id, reclaim };
        openings.push(Opening { agent: agent.id.clone(), bead: bead.clone(), how, _starting: starting });
    }
    (openings, warnings)
}

/// Tells several agents something, each as far as its session takes it now.
pub(crate) fn broadcast(
    engine: &Engine,
    params: &FleetBroadcastParams,
) -> Result<FleetBroadcasted, ApiError> {
    engine.writable()?;
    if params.text.trim().is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "there is nothing to tell"));
    }
    let look = look::without_tracker(engine)?;
    let live = live(&look);
    for agent in &params.agents {
        steer::known(&look, agent)?;
    }
    let mut seen = BTreeSet::new();
    let named: Vec<FleetAgentId> = match params.agents.is_empty() {
        true => live.iter().map(|(agent, _)| agent.id.clone()).collect(),
        false => params.agents.iter().filter(|agent| seen.insert((*agent).clone())).cloned().collect(),
    };
    let session = |agent: &FleetAgentId| live.iter().find(|(known, _)| known.id == *agent).map(|(_, m)| m.id);
    let told = thread::scope(|scope| {
        let tell = |agent: FleetAgentId| {
            let id = session(&agent);
            scope.spawn(move || told_one(engine, agent, id, &params.text))
        };
        let threads: Vec<_> = named.into_iter().map(tell).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    Ok(FleetBroadcasted { told })
}

fn told_one(
    engine: &Engine,
    agent: FleetAgentId,
    session: Option<bc_core::ids::SessionId>,
    text: &str,
) -> FleetTold {
    let Some(id) = session else {
        let reason = Some("it has no session that runs".to_owned());
        return FleetTold { agent, delivery: None, reason };
    };
    match session::send(engine, &SessionSendParams { id, text: text.to_owned() }) {
        Ok(Sent { delivery, reason }) => FleetTold { agent, delivery: Some(delivery), reason },
        Err(error) => FleetTold { agent, delivery: None, reason: Some(error.message) },
    }
}

/// The agents whose session runs.
fn live(look: &Look) -> Vec<(&AgentIdentity, &Meta)> {
    let session = |agent| {
        let meta: &Meta = look.session(agent)?;
        (meta.status == Status::Active).then_some((agent, meta))
    };
    look.agents.iter().filter_map(session).collect()
}

fn remember(engine: &Engine, mut change: impl FnMut(&mut DispatchRecord)) -> Result<(), ApiError> {
    state(engine).keep(DISPATCH, |record| change(record)).map(drop).map_err(fleet_error)
}
