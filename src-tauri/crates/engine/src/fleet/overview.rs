//! The fleet's overview for clients: agents, ready beads, convoys, and the state of dispatch.

use super::{
    agent_status, progress,
    snapshot::{self, FleetSnapshot},
};
use crate::context::{Context, count};
use bc_core::{
    fleet::{AgentIdentity, Priority, assign},
    ids::{BeadId, FleetAgentId},
    message::{Message, Role},
    session::Status,
    text::{cut, one_line},
};
use bc_wire::{ApiError, fleet::*};
use std::collections::BTreeMap;

/// The maximum number of ready beads in the overview.
const READY: usize = 500;
/// The maximum length of an agent's last line, in characters.
const LINE: usize = 300;

pub(crate) fn overview(ctx: &Context) -> Result<FleetOverview, ApiError> {
    let mut snapshot = snapshot::take(ctx)?;
    let mut agents: Vec<FleetAgentNow> =
        snapshot.agents.iter().map(|agent| agent_now(ctx, &snapshot, agent)).collect();
    agents.sort_by(|a, b| (a.identity.role, &a.identity.id).cmp(&(b.identity.role, &b.identity.id)));
    let candidates = snapshot.candidates();
    let slots = snapshot.dispatch_agents();
    let (limits, in_use) = (snapshot.limits(), snapshot.in_use());
    let handout = assign(&slots, &candidates, &limits, &in_use);
    let next: BTreeMap<BeadId, FleetAgentId> = handout.given.iter().cloned().map(|(a, b)| (b, a)).collect();
    let ready = candidates.iter().take(READY).filter_map(|candidate| {
        let bead = snapshot.bead(&candidate.bead);
        let title = bead.map(|bead| &bead.title);
        let own = || snapshot.fleet_work(&candidate.bead).map(|item| &item.title);
        Some(FleetReady {
            bead: candidate.bead.clone(),
            title: title.or_else(own)?.clone(),
            priority: candidate.priority,
            class: Priority::of_bead(candidate.priority),
            issue_type: bead.map_or_else(|| "task".to_owned(), |bead| bead.issue_type.clone()),
            created_at: candidate.created_at,
            held: snapshot.hold_reason(&candidate.bead),
            agent: next.get(&candidate.bead).cloned(),
        })
    });
    let ready = ready.collect();
    let why_nothing_is_given = || handout.given.is_empty().then(|| handout.then.to_string());
    let why_not = snapshot.suspended.clone().or_else(why_nothing_is_given);
    let idle = snapshot.agents.iter().filter(|agent| snapshot.is_free(agent)).count();
    let dispatch = FleetDispatchNow {
        auto: snapshot.settings.auto_dispatch,
        paused: snapshot.record.paused,
        starting: count(snapshot.starting.len()),
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
        rig: ctx.project.name(),
        convoys: progress::convoys(&snapshot),
        agents,
        ready,
        ready_total: count(candidates.len()),
        dispatch,
        warnings: std::mem::take(&mut snapshot.warnings),
    })
}

pub(super) fn agent_now(ctx: &Context, snapshot: &FleetSnapshot, agent: &AgentIdentity) -> FleetAgentNow {
    let observed = agent_status::observe(ctx, snapshot, agent);
    let bead = snapshot.assigned_bead(&agent.id).cloned();
    let title = bead.as_ref().and_then(|id| {
        let written = snapshot.hooks.get(&agent.id).and_then(|hook| hook.work_item.as_ref());
        snapshot.bead(id).map(|bead| bead.title.clone()).or_else(|| written.map(|item| item.title.clone()))
    });
    let session = observed.session.as_ref();
    // Do not show a closed session: it cannot be resumed and no longer belongs to the agent.
    let shown = session.filter(|session| session.meta.status != Status::Closed);
    FleetAgentNow {
        identity: observed.identity(agent),
        name: snapshot.names.of(agent),
        state: observed.state.state,
        session_state: shown.map(|session| session.state),
        limited_until: shown.and_then(|session| session.live.as_ref()?.failure.as_ref()?.until),
        reason: observed.state.reason.clone(),
        to_do: observed.state.to_do.map(str::to_owned),
        hook: snapshot.hook(&agent.id),
        bead_status: bead.as_ref().and_then(|id| snapshot.bead(id)).map(|bead| bead.status.clone()),
        bead,
        title,
        session_id: shown.map(|session| session.meta.id),
        branch: shown.and_then(|session| session.meta.branch.clone()),
        since: observed.state.since,
        active_ms: shown.map_or(0, |session| session.duration_ms),
        tokens: shown.and_then(|session| session.meta.total_tokens),
        cost_usd: shown.and_then(|session| session.meta.cost_usd),
        last_at: observed.latest.as_ref().map(|message| message.timestamp),
        last_line: observed.latest.as_ref().and_then(last_line),
        runner: snapshot.settings.runner.clone(),
        simulated: session.map_or(snapshot.settings.simulated, |session| session.meta.simulated),
    }
}

/// A message's last tool call, else its last line; a user's line has the prefix `> `.
fn last_line(message: &Message) -> Option<String> {
    if let Some(call) = message.tool_calls.as_ref().and_then(|calls| calls.last()) {
        return Some(cut(&format!("{}: {}", call.tool, call.subject()), LINE));
    }
    let line = message.content.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    let line = cut(&one_line(line), LINE);
    Some(if message.role == Role::User { format!("> {line}") } else { line })
}
