//! Dispatches work: assigns beads that the user chose, or ready beads to free agents.
//!
//! A decision ([`bc_core::fleet::assign`]) is written to the hooks before any session is opened, so that the next
//! decision sees it. If a session then cannot be opened, its bead is taken off the hook again.

use super::{
    agent_steps,
    open_sessions::{self, OpenMode, Opened, Opening},
    place_room::NO_ROOM,
    snapshot::FleetSnapshot,
    work,
};
use crate::{
    context::{Context, Decision},
    fleet_state,
    session::{startable, unattended},
};
use bc_core::{
    fleet::assign,
    ids::{BeadId, FleetAgentId},
};
use bc_wire::{ApiError, fleet::*};

/// The sessions to open, the refused assignments, and the reason why nothing else is assigned.
pub(super) struct Dispatch<'a> {
    pub(super) openings: Vec<Opening<'a>>,
    pub(super) refused: Vec<FleetRefused>,
    pub(super) why_no_more: String,
}

/// Assigns ready beads to free agents. `more` is the number of additional sessions that the caller is about
/// to open.
pub(super) fn dispatch_ready<'a>(
    ctx: &'a Context,
    decision: &Decision,
    snapshot: &FleetSnapshot,
    more: usize,
) -> Result<Dispatch<'a>, ApiError> {
    let (limits, mut in_use) = (snapshot.limits(), snapshot.in_use());
    for _ in 0..more {
        in_use = in_use.and_one();
    }
    if let Some(stopped) = &snapshot.suspended {
        return Ok(Dispatch { openings: Vec::new(), refused: Vec::new(), why_no_more: stopped.clone() });
    }
    let mut room = snapshot.places.clone();
    let (placeable, full): (Vec<_>, Vec<_>) = snapshot
        .candidates()
        .into_iter()
        .partition(|candidate| room.has_room(snapshot.labels(&candidate.bead)));
    let handout = assign(&snapshot.dispatch_agents(), &placeable, &limits, &in_use);
    // The beads of this dispatch can fill a place; the next dispatch assigns the rest.
    let mut is_full = !full.is_empty();
    let mut placed = Vec::new();
    for (agent, bead) in handout.given {
        match room.take(snapshot.labels(&bead)) {
            Some(place) => placed.push((agent, bead, place)),
            None => is_full = true,
        }
    }
    let why_no_more = if is_full { NO_ROOM.to_owned() } else { handout.then.to_string() };
    let mut dispatch = Dispatch { openings: Vec::new(), refused: Vec::new(), why_no_more };
    apply(ctx, decision, placed, &mut dispatch);
    Ok(dispatch)
}

/// Writes the assignments to the hooks and adds the openings to `dispatch`.
fn apply<'a>(
    ctx: &'a Context,
    decision: &Decision,
    given: impl IntoIterator<Item = (FleetAgentId, BeadId, Option<String>)>,
    dispatch: &mut Dispatch<'a>,
) {
    let (mut hooks, mut starting) = (Vec::new(), Vec::new());
    for (agent, bead, place) in given {
        match ctx.fleet.begin_start(decision, &agent, place.as_deref()) {
            Some(started) => {
                hooks.push(FleetHookParams { agent, bead });
                starting.push((started, place));
            }
            None => {
                let why = "its session is being opened".to_owned();
                dispatch.refused.push(FleetRefused { agent, bead, why });
            }
        }
    }
    // A failure of all assignments is reported for each pair, because earlier calls may already have written
    // other hooks.
    let refused = |error: ApiError| hooks.iter().map(|_| Err(error.clone())).collect();
    let outcomes = work::assign_all(ctx, &hooks).unwrap_or_else(refused);
    for ((FleetHookParams { agent, bead }, (starting, place)), outcome) in
        hooks.into_iter().zip(starting).zip(outcomes)
    {
        match outcome {
            Ok(()) => {
                let mode = OpenMode::New { place };
                dispatch.openings.push(Opening { agent, bead, mode, _starting: starting });
            }
            Err(error) => dispatch.refused.push(FleetRefused { agent, bead, why: error.message }),
        }
    }
}

pub(crate) fn dispatch(ctx: &Context, params: &FleetDispatchParams) -> Result<FleetDispatched, ApiError> {
    ctx.writable()?;
    // The user requested this dispatch, so the cause of an earlier failure may have been fixed.
    ctx.fleet.lift_suspension();
    let (dispatch, warnings) = {
        let decision = ctx.fleet.decision_lock();
        let snapshot = agent_steps::reconciled(ctx, &decision)?;
        let mut dispatch = dispatch_pairs(ctx, &decision, &snapshot, &params.pairs)?;
        if params.all {
            // A new snapshot counts the chosen pairs as starting.
            let more = match dispatch.openings.is_empty() {
                true => dispatch_ready(ctx, &decision, &snapshot, 0)?,
                false => dispatch_ready(ctx, &decision, &super::snapshot::take(ctx)?, 0)?,
            };
            dispatch.openings.extend(more.openings);
            dispatch.refused.extend(more.refused);
            dispatch.why_no_more = more.why_no_more;
        }
        (dispatch, snapshot.warnings)
    };
    Ok(report(
        open_sessions::open_all(ctx, dispatch.openings),
        dispatch.refused,
        Some(dispatch.why_no_more),
        warnings,
    ))
}

/// Assigns the pairs that the user chose. The limits apply. A held-back bead is assigned, and is no longer
/// held back.
fn dispatch_pairs<'a>(
    ctx: &'a Context,
    decision: &Decision,
    snapshot: &FleetSnapshot,
    pairs: &[FleetHookParams],
) -> Result<Dispatch<'a>, ApiError> {
    let (limits, mut in_use) = (snapshot.limits(), snapshot.in_use());
    let mut room = snapshot.places.clone();
    let mut dispatch = Dispatch { openings: Vec::new(), refused: Vec::new(), why_no_more: String::new() };
    for FleetHookParams { agent, bead } in pairs.iter().cloned() {
        if let Some(why) = in_use.against(&limits) {
            dispatch.refused.push(FleetRefused { agent, bead, why: why.to_string() });
            continue;
        }
        let workable = || match fleet_state::own_work(ctx, &bead)? {
            Some(_) => unattended(ctx, &bead),
            None => startable(ctx, &ctx.bead(&bead)?),
        };
        if let Err(error) = workable() {
            dispatch.refused.push(FleetRefused { agent, bead, why: error.message });
            continue;
        }
        let Some(place) = room.take(snapshot.labels(&bead)) else {
            dispatch.refused.push(FleetRefused { agent, bead, why: NO_ROOM.to_owned() });
            continue;
        };
        let before = dispatch.openings.len();
        apply(ctx, decision, [(agent, bead.clone(), place)], &mut dispatch);
        if dispatch.openings.len() > before {
            in_use = in_use.and_one();
            super::attempts::note(&fleet_state::state(ctx), &bead, |tries| tries.held = None);
        }
    }
    Ok(dispatch)
}

/// Combines the opened sessions and the refused assignments into the answer for clients.
pub(super) fn report(
    opened: Vec<Opened>,
    mut refused: Vec<FleetRefused>,
    why_no_more: Option<String>,
    mut warnings: Vec<String>,
) -> FleetDispatched {
    let mut given = Vec::new();
    for Opened { agent, bead, outcome, warnings: own } in opened {
        warnings.extend(own.into_iter().map(|text| format!("{agent}: {text}")));
        match outcome {
            Ok(session_id) => given.push(FleetGiven { agent, bead, session_id }),
            Err(error) => refused.push(FleetRefused { agent, bead, why: error.message }),
        }
    }
    let why_not = why_no_more.filter(|why| !why.is_empty());
    FleetDispatched { given, refused, why_not, warnings }
}
