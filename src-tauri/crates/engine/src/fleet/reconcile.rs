//! Reconciles agents with their work: the hook of finished work is cleared, a dead session is resumed once, and work
//! that fails again is reassigned (`agent_steps`). With automatic dispatch, ready work is dispatched.
//!
//! A reconciliation runs after relevant changes, and at the time that the previous reconciliation returned:
//! for example, when an agent has been silent for too long, or when a start is retried. The fleet does not
//! poll.

use super::{
    agent_status,
    agent_steps::{next_step, reconciled},
    attempts, dispatch,
    open_sessions::{self, OpenMode, Opening},
    progress,
    snapshot::{self, FleetSnapshot},
};
use crate::{
    context::{Context, Decision},
    fleet_state::state,
};
use bc_core::{Timestamp, fleet::Next};
use bc_wire::{ApiError, fleet::FleetAgentState};

/// Reconciles all agents, and dispatches ready work if automatic dispatch is on. Returns when to run again even
/// without a change; `None` if only a change can require it.
pub(crate) fn reconcile(ctx: &Context) -> Result<Option<Timestamp>, ApiError> {
    if !state(ctx).dir().is_dir() {
        return Ok(None);
    }
    ctx.writable()?;
    let openings = {
        let decision = ctx.fleet.decision_lock();
        let snapshot = reconciled(ctx, &decision)?;
        progress::write(ctx, &snapshot)?;
        let mut openings = resumable(ctx, &decision, &snapshot);
        if snapshot.settings.auto_dispatch {
            openings.extend(dispatch::dispatch_ready(ctx, &decision, &snapshot, openings.len())?.openings);
        }
        openings
    };
    let opened = !openings.is_empty();
    open_sessions::open_all(ctx, openings);
    let snapshot = snapshot::take(ctx)?;
    match opened && ctx.fleet.suspension().is_none() {
        // Changes while sessions were being opened went unnoticed, so run again immediately.
        true => Ok(Some(snapshot.now)),
        false => Ok(next_due(ctx, &snapshot)),
    }
}

/// The sessions to open: sessions that died, and sessions for assigned work that was never started.
fn resumable<'a>(ctx: &'a Context, decision: &Decision, snapshot: &FleetSnapshot) -> Vec<Opening<'a>> {
    let (mut in_use, mut room) = (snapshot.in_use(), snapshot.places.clone());
    let mut openings = Vec::new();
    for agent in &snapshot.agents {
        let (next, session) = next_step(ctx, snapshot, agent);
        let Some(bead) = snapshot.assigned_bead(&agent.id) else { continue };
        let mode = match (next, session) {
            (Next::Start, _) => match room.take(snapshot.labels(bead)) {
                Some(place) => OpenMode::New { place },
                None => continue,
            },
            (Next::Resume, Some(session)) => {
                let place = session.meta.place.as_deref();
                if place.is_some_and(|place| snapshot.record.avoids(place, snapshot.now)) {
                    continue;
                }
                OpenMode::resume(snapshot, bead, &session.meta)
            }
            _ => continue,
        };
        if in_use.against(&snapshot.limits()).is_some() || snapshot.suspended.is_some() {
            break;
        }
        let Some(opening) = Opening::begin(ctx, decision, snapshot, agent, bead, mode) else { continue };
        if !matches!(opening.mode, OpenMode::New { .. }) {
            // Count the resume before it happens, so that a session that crashes this program is not resumed
            // forever.
            attempts::note(&state(ctx), bead, |tries| tries.resumed += 1);
        }
        in_use = in_use.and_one();
        openings.push(opening);
    }
    openings
}

/// When the next reconciliation is due without a change: when an agent becomes silent, a start is retried, or
/// the day of an exceeded cost limit ends.
fn next_due(ctx: &Context, snapshot: &FleetSnapshot) -> Option<Timestamp> {
    let quiet = chrono::Duration::minutes(i64::from(snapshot.settings.stalled_minutes));
    // Skip agents that are starting: they are not silent, and their hosts should not be queried.
    let begun = snapshot.agents.iter().filter(|agent| !snapshot.starting.contains(&agent.id));
    let silent = begun.filter_map(|agent| {
        let observed = agent_status::observe(ctx, snapshot, agent);
        let speaks = matches!(observed.state.state, FleetAgentState::Working | FleetAgentState::AtPrompt);
        speaks.then(|| observed.last_heard().map(|heard| heard + quiet)).flatten()
    });
    let silent = silent.filter(|_| !quiet.is_zero()).min();
    let auto = snapshot.settings.auto_dispatch;
    let again = ctx.fleet.suspension().filter(|_| auto).map(|stopped| stopped.until);
    let avoided = snapshot.record.avoided_places.values();
    let place = avoided.copied().filter(|until| *until > snapshot.now).min();
    let in_use = snapshot.in_use();
    let spent = snapshot.settings.cost_per_day_usd.is_some_and(|most| in_use.cost_today_usd >= most);
    let midnight = (snapshot.now.date_naive() + chrono::Days::new(1)).and_hms_opt(0, 0, 0);
    let tomorrow = midnight.and_then(|at| at.and_local_timezone(*snapshot.now.offset()).single());
    let tomorrow = tomorrow.filter(|_| auto && spent);
    [silent, again, place, tomorrow].into_iter().flatten().min()
}
