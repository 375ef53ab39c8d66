//! The fleet at a glance.

use super::{
    look::{self, Look},
    progress, truth,
};
use crate::engine::Engine;
use bc_core::{
    fleet::{AgentIdentity, Priority, hand_out},
    ids::{BeadId, FleetAgentId},
    message::{Message, Role},
    session::Status,
    text::{cut, one_line},
};
use bc_wire::{ApiError, fleet::*};
use std::collections::BTreeMap;

/// How many ready beads are told of.
const READY: usize = 500;
/// The longest last line, in characters.
const LINE: usize = 300;

pub(crate) fn overview(engine: &Engine) -> Result<FleetOverview, ApiError> {
    let mut look = look::look(engine)?;
    let mut agents: Vec<FleetAgentNow> =
        look.agents.iter().map(|agent| agent_now(engine, &look, agent)).collect();
    agents.sort_by(|a, b| (a.identity.role, &a.identity.id).cmp(&(b.identity.role, &b.identity.id)));
    let candidates = look.candidates();
    let hands = look.hands();
    let (limits, in_use) = (look.limits(), look.in_use());
    let handout = hand_out(&hands, &candidates, &limits, &in_use);
    let next: BTreeMap<BeadId, FleetAgentId> = handout.given.iter().cloned().map(|(a, b)| (b, a)).collect();
    let ready = candidates.iter().take(READY).filter_map(|candidate| {
        let bead = look.bead(&candidate.bead);
        let title = bead.map(|bead| &bead.title);
        let own = || look.own(&candidate.bead).map(|item| &item.title);
        Some(FleetReady {
            bead: candidate.bead.clone(),
            title: title.or_else(own)?.clone(),
            priority: candidate.priority,
            class: Priority::of_bead(candidate.priority),
            issue_type: bead.map_or_else(|| "task".to_owned(), |bead| bead.issue_type.clone()),
            created_at: candidate.created_at,
            held: look.held_back(&candidate.bead),
            agent: next.get(&candidate.bead).cloned(),
        })
    });
    let ready = ready.collect();
    let nothing = || handout.given.is_empty().then(|| handout.then.to_string());
    let why_not = look.stopped.clone().or_else(nothing);
    let idle = look.agents.iter().filter(|agent| look.is_free(agent)).count();
    let dispatch = FleetDispatchNow {
        auto: look.settings.auto_dispatch,
        paused: look.record.paused,
        starting: count(look.starting.len()),
        working: in_use.working,
        max_agents: limits.max_agents,
        idle: count(idle),
        free_mib: in_use.free_mib,
        min_free_mib: limits.min_free_mib,
        cost_today_usd: in_use.cost_today_usd,
        cost_per_day_usd: limits.cost_per_day_usd,
        why_not,
    };
    Ok(FleetOverview {
        rig: engine.project.name(),
        convoys: progress::convoys(&look),
        agents,
        ready,
        ready_total: count(candidates.len()),
        dispatch,
        warnings: std::mem::take(&mut look.warnings),
    })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// One agent.
pub(super) fn agent_now(engine: &Engine, look: &Look, agent: &AgentIdentity) -> FleetAgentNow {
    let stands = truth::of(engine, look, agent);
    let bead = look.held(&agent.id).cloned();
    let title = bead.as_ref().and_then(|id| {
        let written = look.hooks.get(&agent.id).and_then(|hook| hook.work_item.as_ref());
        look.bead(id).map(|bead| bead.title.clone()).or_else(|| written.map(|item| item.title.clone()))
    });
    let session = stands.session.as_ref();
    // What is closed cannot be resumed, and is nobody's any more.
    let shown = session.filter(|session| session.meta.status != Status::Closed);
    FleetAgentNow {
        identity: stands.identity(agent),
        state: stands.truth.state,
        reason: stands.truth.reason.clone(),
        to_do: stands.truth.to_do.map(str::to_owned),
        hook: look.hook(&agent.id),
        bead_status: bead.as_ref().and_then(|id| look.bead(id)).map(|bead| bead.status.clone()),
        bead,
        title,
        session_id: shown.map(|session| session.meta.id),
        branch: shown.and_then(|session| session.meta.branch.clone()),
        since: stands.truth.since,
        active_ms: shown.map_or(0, |session| session.duration_ms),
        tokens: shown.and_then(|session| session.meta.total_tokens),
        cost_usd: shown.and_then(|session| session.meta.cost_usd),
        last_at: stands.latest.as_ref().map(|message| message.timestamp),
        last_line: stands.latest.as_ref().and_then(last_line),
        runner: look.settings.runner.clone(),
        simulated: session.map_or(look.settings.simulated, |session| session.meta.simulated),
    }
}

/// What a message says last, or does.
fn last_line(message: &Message) -> Option<String> {
    if let Some(call) = message.tool_calls.as_ref().and_then(|calls| calls.last()) {
        return Some(cut(&format!("{}: {}", call.tool, call.subject()), LINE));
    }
    let line = message.content.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    let line = cut(&one_line(line), LINE);
    Some(if message.role == Role::User { format!("> {line}") } else { line })
}
