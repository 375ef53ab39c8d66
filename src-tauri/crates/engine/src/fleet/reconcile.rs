//! Reconciles agents with their work: finished work comes off its hook, a dead session is resumed once, and work
//! that still fails is reassigned. [`bc_core::fleet::next`] decides.
//!
//! It runs after relevant changes, and when something falls due: an agent has been silent for too long, or a
//! start is retried. It never polls.

use super::{
    agent_status, attempts, dispatch,
    open_sessions::{self, OpenMode, Opening},
    progress,
    snapshot::{self, FleetSnapshot},
};
use crate::{
    context::Context,
    fleet_state::{fleet_error, state},
    merge_queue, session,
};
use bc_beads::Actor;
use bc_core::{
    Timestamp,
    fleet::{AgentIdentity, AgentStatus, BeadCase, Case, HookStatus, MergeStatus, Next, SessionCase, next},
    ids::BeadId,
    session::{Meta, PauseReason, Status},
};
use bc_wire::{
    ApiError, ErrorCode,
    fleet::{FleetAgentState, FleetQueueAddParams},
    session::{Activity, SessionEndParams, SessionView},
};

/// Reconciles all agents, and dispatches ready work if automatic dispatch is on. Returns when to run again even
/// without a change; `None` if nothing falls due.
pub(crate) fn reconcile(ctx: &Context) -> Result<Option<Timestamp>, ApiError> {
    if !state(ctx).dir().is_dir() {
        return Ok(None);
    }
    ctx.writable()?;
    let openings = {
        let _decision = ctx.fleet.decision_lock();
        let snapshot = reconciled(ctx)?;
        progress::write(ctx, &snapshot)?;
        let mut openings = resumable(ctx, &snapshot);
        if snapshot.settings.auto_dispatch {
            openings.extend(dispatch::dispatch_ready(ctx, &snapshot, openings.len())?.openings);
        }
        openings
    };
    let opened = !openings.is_empty();
    open_sessions::open_all(ctx, openings);
    let snapshot = snapshot::take(ctx)?;
    match opened && ctx.fleet.suspension().is_none() {
        // Changes during the openings were not observed: run again.
        true => Ok(Some(snapshot.now)),
        false => Ok(next_due(ctx, &snapshot)),
    }
}

/// The fleet's snapshot after all actions that open no session. The caller holds the decision lock.
pub(super) fn reconciled(ctx: &Context) -> Result<FleetSnapshot, ApiError> {
    // First: work that another program completed must not be dispatched again, whatever happens to its hook.
    state(ctx).record_completed().map_err(fleet_error)?;
    let mut snapshot = snapshot::take(ctx)?;
    if let Some(error) = &snapshot.tracker_failure {
        return Err(error.clone());
    }
    let mut changed = false;
    for agent in &snapshot.agents {
        // A failure for one agent is reported and retried with the next change.
        match reconcile_agent(ctx, &snapshot, agent) {
            Ok(did) => changed |= did,
            Err(error) => snapshot.warnings.push(format!("{}: {error}", agent.id)),
        }
    }
    if !changed {
        return Ok(snapshot);
    }
    let warnings = snapshot.warnings;
    let mut snapshot = snapshot::take(ctx)?;
    snapshot.warnings.splice(0..0, warnings);
    Ok(snapshot)
}

/// The next step for an agent, and its session.
pub(super) fn next_step(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
) -> (Next, Option<SessionView>) {
    if agent.status == AgentStatus::Terminated || snapshot.starting.contains(&agent.id) {
        return (Next::Nothing, None);
    }
    let meta = snapshot.session(agent).cloned();
    let session = meta.map(|meta| session::view_of(ctx, meta));
    let bead = snapshot.assigned_bead(&agent.id);
    let case = Case {
        hook: snapshot.hook(&agent.id),
        recorded: session
            .as_ref()
            .map_or(snapshot.has_own_session(agent), |s| agent.own_session() == Some(s.meta.id)),
        session: session.as_ref().map_or(SessionCase::None, |session| session_case(ctx, session)),
        bead: bead.map_or(BeadCase::Unknown, |bead| snapshot.bead_case(bead)),
        paused: snapshot.record.paused,
        auto: snapshot.settings.auto_dispatch,
    };
    let tries = bead.and_then(|bead| snapshot.record.beads.get(bead)).cloned().unwrap_or_default();
    (next(case, &tries), session)
}

fn session_case(ctx: &Context, session: &SessionView) -> SessionCase {
    match (session.meta.status, &session.live) {
        (Status::Active, Some(live)) => {
            let quiet = live.permissions.is_empty() && live.held.is_empty();
            SessionCase::Live { at_prompt: quiet && live.activity == Activity::Idle }
        }
        // Its host is starting or ending; if the host died, recovery pauses the session.
        (Status::Active, None) => SessionCase::Live { at_prompt: false },
        (Status::Paused, _) => match died(ctx, &session.meta) {
            true => SessionCase::Died,
            false => SessionCase::Paused,
        },
        (Status::Closed, _) => SessionCase::Closed,
        (Status::Draft, _) => SessionCase::None,
    }
}

/// Whether a paused session ended unintentionally.
fn died(ctx: &Context, meta: &Meta) -> bool {
    match meta.pause_reason {
        Some(PauseReason::Interrupted) => true,
        Some(PauseReason::Exited) => {
            let note = bc_host::read_exit_note(&ctx.store.session(meta.id));
            note.is_some_and(|note| note.exit.code != Some(0))
        }
        Some(PauseReason::User | PauseReason::Inactivity | PauseReason::Superseded) | None => false,
    }
}

/// Takes the agent's next step if it opens no session; returns whether anything changed.
fn reconcile_agent(ctx: &Context, snapshot: &FleetSnapshot, agent: &AgentIdentity) -> Result<bool, ApiError> {
    let (next, session) = next_step(ctx, snapshot, agent);
    let meta = session.as_ref().map(|session| &session.meta);
    match next {
        Next::Nothing => return mark_idle(ctx, snapshot, agent),
        Next::Start | Next::Resume => return Ok(false),
        Next::Attach => {
            if let Some(meta) = meta {
                open_sessions::attach(ctx, &agent.id, meta.id)?;
            }
        }
        Next::Finish => finish(ctx, snapshot, agent, meta)?,
        Next::End => {
            if let Some(meta) = meta {
                end_session(ctx, meta)?;
            }
            finish(ctx, snapshot, agent, meta)?;
        }
        Next::HandOn { held } => hand_on(ctx, snapshot, agent, meta, held)?,
        Next::Release { held } => release(ctx, snapshot, agent, meta, held)?,
        Next::Clear => {
            clear_hook(ctx, agent)?;
        }
    }
    Ok(true)
}

/// Marks an agent as idle whose session is over.
fn mark_idle(ctx: &Context, snapshot: &FleetSnapshot, agent: &AgentIdentity) -> Result<bool, ApiError> {
    let over = agent.status == AgentStatus::Active && snapshot.hook(&agent.id) == HookStatus::Empty;
    // An unknown session belongs to another program.
    if !over || !snapshot.has_own_session(agent) || snapshot.session(agent).is_some() {
        return Ok(false);
    }
    state(ctx).set_agent_session(&agent.id, None).map_err(fleet_error)?;
    Ok(true)
}

/// Completes the work: clears the hook, and queues the branch unless a review comes first.
fn finish(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
) -> Result<(), ApiError> {
    let state = state(ctx);
    // A completed hook no longer names its work.
    let last = || snapshot.metas.iter().find(|meta| agent.own_session() == Some(meta.id)).map(|meta| &**meta);
    let meta = match snapshot.hook(&agent.id) {
        HookStatus::Completed => meta.or_else(last),
        HookStatus::Pending | HookStatus::Active | HookStatus::Empty => meta,
    };
    let held =
        snapshot.assigned_bead(&agent.id).cloned().or_else(|| meta.and_then(|meta| meta.bead_id.clone()));
    if let Some(bead) = &held {
        attempts::forget(&state, bead);
        // First: after a crash, the request is found in the queue.
        enqueue_branch(ctx, snapshot, bead)?;
    }
    match snapshot.hook(&agent.id) {
        HookStatus::Pending => {
            state.activate_hook(&agent.id).map_err(fleet_error)?;
            state.complete_hook(&agent.id).map_err(fleet_error)?;
        }
        HookStatus::Active => {
            state.complete_hook(&agent.id).map_err(fleet_error)?;
        }
        HookStatus::Completed | HookStatus::Empty => {}
    }
    if let Some(meta) = meta.filter(|meta| meta.status == Status::Paused) {
        end_session(ctx, meta)?;
    }
    clear_hook(ctx, agent)
}

/// Queues the bead's branch, unless a review comes first or it is already queued.
fn enqueue_branch(ctx: &Context, snapshot: &FleetSnapshot, bead: &BeadId) -> Result<(), ApiError> {
    // A request that was stopped and sent back is queued again.
    let waits = |status| matches!(status, MergeStatus::Pending | MergeStatus::Merging);
    let waiting = snapshot.requests.iter().any(|request| request.bead_id == *bead && waits(request.status));
    if snapshot.settings.merge_review || waiting {
        return Ok(());
    }
    let params = FleetQueueAddParams { bead: bead.clone(), source: None, target: None };
    match merge_queue::add(ctx, &params) {
        // A transient failure is retried.
        Err(error) if is_transient(error.code) => Err(error),
        Err(error) if error.code == ErrorCode::GitFailed && merge_queue::has_branch(ctx, bead) => Err(error),
        // Work without a commit cannot be merged; the convoy shows it.
        _ => Ok(()),
    }
}

/// Whether a retry may succeed without a decision of the user.
fn is_transient(code: ErrorCode) -> bool {
    use ErrorCode as E;
    matches!(code, E::DiskFull | E::Io | E::TrackerTimeout | E::TrackerFailed | E::GitMissing)
}

fn clear_hook(ctx: &Context, agent: &AgentIdentity) -> Result<(), ApiError> {
    let state = state(ctx);
    state.clear_hook(&agent.id).map_err(fleet_error)?;
    state.set_agent_session(&agent.id, None).map_err(fleet_error)?;
    Ok(())
}

/// Closes a session; the bead stays unchanged.
pub(super) fn end_session(ctx: &Context, meta: &Meta) -> Result<(), ApiError> {
    let params = SessionEndParams { id: meta.id, review: false, add_status: false, log: None };
    session::end(ctx, &params).map(drop)
}

/// Frees the work for another agent, which continues on its branch.
pub(super) fn hand_on(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
    held: Option<String>,
) -> Result<(), ApiError> {
    let bead = snapshot.assigned_bead(&agent.id).cloned();
    if let Some(bead) = &bead {
        // First: after a crash, the work is still reassigned and not resumed again.
        attempts::note(&state(ctx), bead, |tries| {
            tries.handed_on += 1;
            (tries.resumed, tries.last, tries.held) = (0, Some(agent.id.clone()), held.clone());
        });
    }
    free_work(ctx, snapshot, agent, meta)?;
    if let Some(bead) = &bead {
        state(ctx).work_handed_on(&agent.id, bead).map_err(fleet_error)?;
    }
    Ok(())
}

/// Frees the work; `held` is the reason why it is not dispatched automatically.
pub(super) fn release(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
    held: Option<String>,
) -> Result<(), ApiError> {
    if let Some(bead) = snapshot.assigned_bead(&agent.id) {
        attempts::note(&state(ctx), bead, |tries| {
            tries.resumed = 0;
            tries.held = held.clone();
        });
    }
    free_work(ctx, snapshot, agent, meta)
}

/// Closes the session, releases its claim and clears the hook.
fn free_work(
    ctx: &Context,
    snapshot: &FleetSnapshot,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
) -> Result<(), ApiError> {
    if let Some(meta) = meta {
        if matches!(meta.status, Status::Active | Status::Paused) {
            end_session(ctx, meta)?;
        }
        release_claim(ctx, snapshot.assigned_bead(&agent.id), meta);
    }
    clear_hook(ctx, agent)
}

/// Releases the session's claim on its bead. The tracker ignores it if another actor has claimed the bead. A
/// failure shows in the convoy: the bead is assigned, but no agent works on it.
fn release_claim(ctx: &Context, bead: Option<&BeadId>, meta: &Meta) {
    let actor = meta.actor.as_deref().and_then(|name| name.parse::<Actor>().ok());
    if let (Some(bead), Some(actor), Ok(tracker)) = (bead, actor, ctx.tracker()) {
        let _ = tracker.unclaim(bead, &actor, None);
    }
}

/// Openings for sessions that died, and for assigned work whose session was never opened.
fn resumable<'a>(ctx: &'a Context, snapshot: &FleetSnapshot) -> Vec<Opening<'a>> {
    let mut in_use = snapshot.in_use();
    let mut openings = Vec::new();
    for agent in &snapshot.agents {
        let (next, session) = next_step(ctx, snapshot, agent);
        let Some(bead) = snapshot.assigned_bead(&agent.id) else { continue };
        let mode = match (next, session) {
            (Next::Start, _) => OpenMode::New,
            (Next::Resume, Some(session)) => {
                let open =
                    snapshot.bead(bead).is_some_and(|bead| bead.status == bc_core::bead::BeadStatus::Open);
                OpenMode::Resume { session: session.meta.id, reclaim: open }
            }
            _ => continue,
        };
        if in_use.against(&snapshot.limits()).is_some() || snapshot.suspended.is_some() {
            break;
        }
        let Some(starting) = ctx.fleet.begin_start(&agent.id) else { continue };
        if mode != OpenMode::New {
            // Count first: a session that crashes the program must not be resumed forever.
            attempts::note(&state(ctx), bead, |tries| tries.resumed += 1);
        }
        in_use = in_use.and_one();
        openings.push(Opening { agent: agent.id.clone(), bead: bead.clone(), mode, _starting: starting });
    }
    openings
}

/// When the next time-based event is due: an agent turns silent, a start is retried, or the day of an exceeded cost
/// limit ends.
fn next_due(ctx: &Context, snapshot: &FleetSnapshot) -> Option<Timestamp> {
    let quiet = chrono::Duration::minutes(i64::from(snapshot.settings.stalled_minutes));
    // An agent that is starting is not silent, and its host should not be queried.
    let begun = snapshot.agents.iter().filter(|agent| !snapshot.starting.contains(&agent.id));
    let silent = begun.filter_map(|agent| {
        let observed = agent_status::observe(ctx, snapshot, agent);
        let speaks = matches!(observed.state.state, FleetAgentState::Working | FleetAgentState::AtPrompt);
        speaks.then(|| observed.last_heard().map(|heard| heard + quiet)).flatten()
    });
    let silent = silent.filter(|_| !quiet.is_zero()).min();
    let auto = snapshot.settings.auto_dispatch;
    let again = ctx.fleet.suspension().filter(|_| auto).map(|stopped| stopped.until);
    let in_use = snapshot.in_use();
    let spent = snapshot.settings.cost_per_day_usd.is_some_and(|most| in_use.cost_today_usd >= most);
    let midnight = (snapshot.now.date_naive() + chrono::Days::new(1)).and_hms_opt(0, 0, 0);
    let tomorrow = midnight.and_then(|at| at.and_local_timezone(*snapshot.now.offset()).single());
    let tomorrow = tomorrow.filter(|_| auto && spent);
    [silent, again, tomorrow].into_iter().flatten().min()
}
