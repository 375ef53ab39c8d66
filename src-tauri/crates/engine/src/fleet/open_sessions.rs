//! Opens agents' sessions: starts new sessions for assigned work, and resumes existing sessions.
//!
//! The hook is written before the session is opened, and the session's record names its agent. After a crash during
//! an opening, the next reconciliation finds the hook or the record and continues.

use super::snapshot::{self, FleetSnapshot};
use crate::{
    context::{Context, Decision, fleet_runtime::StartGuard, lock, now},
    fleet_state::{self, fleet_error, state},
    session::{self, Drafted, ForFleet, FoundAgents},
    settings,
};
use bc_core::{
    bead::BeadStatus,
    fleet::{AgentIdentity, DispatchRecord, FleetSettings},
    ids::{BeadId, FleetAgentId, SessionId},
    session::Meta,
};
use bc_wire::{
    ApiError, ErrorCode,
    session::{ContextChoice, FolderChoice, SessionResumeParams, SessionStartParams, SessionStarted},
};
use std::{
    convert::Infallible,
    iter,
    sync::{
        Mutex, PoisonError,
        mpsc::{RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

const PARALLEL_OPENINGS: usize = 6;

/// The sizes of the first batches of drafts: a single draft, then as many as can be drafted while the first worktree
/// is created.
const FIRST_BATCHES: [usize; 2] = [1, 3];
/// The size of all later batches of drafts.
const BATCH: usize = 8;

/// How long a place is avoided after a session could not be opened at the place.
const AVOIDED_FOR: chrono::Duration = chrono::Duration::seconds(60);

/// How often the index is updated while sessions are opened.
const INDEX_INTERVAL: Duration = Duration::from_millis(500);

pub(super) struct Opening<'a> {
    pub(super) agent: FleetAgentId,
    pub(super) bead: BeadId,
    pub(super) mode: OpenMode,
    /// Marks the agent as starting until it is dropped.
    pub(super) _starting: StartGuard<'a>,
}

impl<'a> Opening<'a> {
    /// Marks the agent as starting; `None` if its session is already being opened.
    pub(super) fn begin(
        ctx: &'a Context,
        decision: &Decision,
        snapshot: &FleetSnapshot,
        agent: &AgentIdentity,
        bead: &BeadId,
        mode: OpenMode,
    ) -> Option<Opening<'a>> {
        let place = match &mode {
            OpenMode::New { place } => place.as_deref(),
            OpenMode::Resume { .. } => snapshot.session(agent).and_then(|meta| meta.place.as_deref()),
        };
        let starting = ctx.fleet.begin_start(decision, &agent.id, place)?;
        Some(Opening { agent: agent.id.clone(), bead: bead.clone(), mode, _starting: starting })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OpenMode {
    New {
        /// The place; `None` for this machine.
        place: Option<String>,
    },
    /// Resume an existing session, and claim its bead again if `reclaim` is set.
    Resume { session: SessionId, reclaim: bool },
}

impl OpenMode {
    /// Resumes this session on the bead. An open bead is claimed again.
    pub(super) fn resume(snapshot: &FleetSnapshot, bead: &BeadId, meta: &Meta) -> OpenMode {
        let reclaim = snapshot.bead(bead).is_some_and(|bead| bead.status == BeadStatus::Open);
        OpenMode::Resume { session: meta.id, reclaim }
    }
}

pub(super) struct Opened {
    pub(super) agent: FleetAgentId,
    pub(super) bead: BeadId,
    pub(super) outcome: Result<SessionId, ApiError>,
    pub(super) warnings: Vec<String>,
}

/// The result of drafting one opening in a batch.
enum DraftState {
    /// The session was drafted or refused. Its bead is claimed if the tracker could claim in a batch.
    Drafted(Result<Box<Drafted>, ApiError>),
    /// The session was not drafted: it is resumed, or it must be drafted separately.
    NotDrafted,
}

/// Opens all sessions, several in parallel, and returns the results in the same order. The first sessions are opened
/// while later ones are drafted.
pub(super) fn open_all(ctx: &Context, openings: Vec<Opening<'_>>) -> Vec<Opened> {
    let threads = openings.len().min(PARALLEL_OPENINGS);
    // Limit the number of waiting drafts, because each draft can leave a branch behind after a crash.
    let (to, drafted) = sync_channel(PARALLEL_OPENINGS);
    // This channel carries no messages; it disconnects when all sessions are open.
    let (opening, all_opened) = sync_channel::<Infallible>(0);
    let drafted = Mutex::new(drafted);
    let opened = Mutex::new(Vec::new());
    let any_drafted = thread::scope(|scope| {
        for _ in 0..threads {
            let (opening, drafted, opened) = (opening.clone(), &drafted, &opened);
            scope.spawn(move || {
                let _opening = opening;
                loop {
                    let next = lock(drafted).recv();
                    let Ok((n, (opening, step))) = next else { break };
                    let outcome = open_one(ctx, opening, step);
                    lock(opened).push((n, outcome));
                }
            });
        }
        drop(opening);
        let any_drafted = draft_all(ctx, openings, to);
        // Keep the index current while sessions are opened, which can take a long time.
        while any_drafted && all_opened.recv_timeout(INDEX_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            let _ = ctx.sync_index_if_behind();
        }
        any_drafted
    });
    let mut opened = opened.into_inner().unwrap_or_else(PoisonError::into_inner);
    opened.sort_by_key(|(n, _)| *n);
    let mut opened: Vec<Opened> = opened.into_iter().map(|(_, opened)| opened).collect();
    if any_drafted
        && let Err(error) = ctx.sync_index()
        && let Some(last) = opened.last_mut()
    {
        last.warnings.push(format!("the index of sessions was not updated: {error}"));
    }
    opened
}

/// Drafts the new sessions in batches, and sends each opening with its number to the opening threads. Small
/// batches come first, so that opening starts early. Returns whether any draft was created.
fn draft_all<'a>(
    ctx: &Context,
    openings: Vec<Opening<'a>>,
    to: SyncSender<(usize, (Opening<'a>, DraftState))>,
) -> bool {
    let (mut any, mut found) = (false, FoundAgents::default());
    let mut numbered = openings.into_iter().enumerate();
    for most in FIRST_BATCHES.into_iter().chain(iter::repeat(BATCH)) {
        let part: Vec<_> = numbered.by_ref().take(most).collect();
        if part.is_empty() {
            break;
        }
        let steps = draft_batch(ctx, part.iter().map(|(_, opening)| opening), &mut found);
        any |= steps.iter().any(|step| matches!(step, DraftState::Drafted(Ok(_))));
        for ((n, opening), step) in part.into_iter().zip(steps) {
            // The receivers exist until this sender is dropped.
            let _ = to.send((n, (opening, step)));
        }
    }
    any
}

/// Drafts the new sessions on the tracker's beads. The other openings are [`DraftState::NotDrafted`].
fn draft_batch<'a>(
    ctx: &Context,
    openings: impl Iterator<Item = &'a Opening<'a>> + Clone,
    found: &mut FoundAgents,
) -> Vec<DraftState> {
    let settings = settings::fleet(&ctx.project);
    let is_new = |opening: &Opening<'_>| {
        matches!(opening.mode, OpenMode::New { .. })
            && matches!(fleet_state::own_work(ctx, &opening.bead), Ok(None))
    };
    let new: Vec<bool> = openings.clone().map(is_new).collect();
    let wanted = openings.zip(&new).filter(|(_, new)| **new).map(|(opening, _)| {
        let fleet = ForFleet { agent: Some(opening.agent.clone()), ..ForFleet::default() };
        let place = match &opening.mode {
            OpenMode::New { place } => place.clone(),
            OpenMode::Resume { .. } => None,
        };
        (start_params(&settings, &opening.bead, place), fleet)
    });
    let mut drafted = session::draft_all(ctx, wanted.collect(), found).into_iter();
    let step = |new: bool| match new.then(|| drafted.next()).flatten() {
        Some(drafted) => DraftState::Drafted(drafted.map(Box::new)),
        None => DraftState::NotDrafted,
    };
    new.into_iter().map(step).collect()
}

fn open_one(ctx: &Context, opening: Opening<'_>, step: DraftState) -> Opened {
    let Opening { agent, bead, mode, _starting } = opening;
    let started = match (mode.clone(), step) {
        (_, DraftState::Drafted(drafted)) => {
            drafted.and_then(|drafted| session::start_drafted(ctx, *drafted))
        }
        (OpenMode::New { place }, DraftState::NotDrafted) => {
            start_undrafted(ctx, &agent, &bead, place).map(with_warnings)
        }
        (OpenMode::Resume { session, reclaim }, DraftState::NotDrafted) => refuse_avoided(ctx, session)
            .and_then(|()| session::resume(ctx, resume_params(session, reclaim)))
            .map(with_warnings),
    };
    let (outcome, warnings) = match started {
        Ok((id, mut warnings)) => {
            let attached = attach(ctx, &agent, id).map(|()| id);
            if let Err(error) = pause_if_fleet_paused(ctx, &agent, id) {
                warnings.push(format!(
                    "all agents are paused, but {agent} has just started and could not be paused: {error}"
                ));
            }
            (attached, warnings)
        }
        Err(error) => (Err(error), Vec::new()),
    };
    match &outcome {
        Ok(_) => ctx.fleet.lift_suspension(),
        Err(error) => record_failure(ctx, &agent, &bead, &mode, error),
    }
    Opened { agent, bead, outcome, warnings }
}

/// Stops avoiding the places where a session could not be opened.
pub(super) fn try_all_places(ctx: &Context) {
    // If this write fails, each place is avoided until its time has passed.
    let _ = state(ctx).keep(snapshot::DISPATCH, |record: &mut DispatchRecord| record.avoided_places.clear());
}

/// Fails if dispatch currently avoids the session's place, because another attempt could also wait until its
/// time limit.
fn refuse_avoided(ctx: &Context, session: SessionId) -> Result<(), ApiError> {
    let record: DispatchRecord = state(ctx).kept(snapshot::DISPATCH).map_err(fleet_error)?;
    match place_of(ctx, session).filter(|place| record.avoids(place, now())) {
        Some(place) => {
            let text =
                format!("the place {place} could not be used a moment ago; the session is resumed later");
            Err(ApiError::new(ErrorCode::MachineUnreachable, text))
        }
        None => Ok(()),
    }
}

fn place_of(ctx: &Context, session: SessionId) -> Option<String> {
    ctx.store.session(session).meta().ok()?.place
}

/// Pauses the session if the fleet was paused while the session was being opened, because that pause missed it.
fn pause_if_fleet_paused(ctx: &Context, agent: &FleetAgentId, id: SessionId) -> Result<(), ApiError> {
    let state = state(ctx);
    let paused = |record: &DispatchRecord| record.paused && !record.paused_agents.contains(agent);
    if !paused(&state.kept(snapshot::DISPATCH).map_err(fleet_error)?) {
        return Ok(());
    }
    session::pause(ctx, id)?;
    let remember = |record: &mut DispatchRecord| record.paused_agents.extend([agent.clone()]);
    state.keep(snapshot::DISPATCH, remember).map(drop).map_err(fleet_error)
}

fn with_warnings(started: SessionStarted) -> (SessionId, Vec<String>) {
    (started.session.meta.id, started.warnings)
}

/// Starts a session without a batched draft: on one of the fleet's work items, or if the work items could not
/// be read.
fn start_undrafted(
    ctx: &Context,
    agent: &FleetAgentId,
    bead: &BeadId,
    place: Option<String>,
) -> Result<SessionStarted, ApiError> {
    let params = start_params(&settings::fleet(&ctx.project), bead, place);
    match fleet_state::own_work(ctx, bead)? {
        Some(item) => session::start_own_work(ctx, &item, Some(agent.clone()), params),
        None => {
            let fleet = ForFleet { agent: Some(agent.clone()), ..ForFleet::default() };
            session::start_for(ctx, params, fleet)
        }
    }
}

fn start_params(settings: &FleetSettings, bead: &BeadId, place: Option<String>) -> SessionStartParams {
    SessionStartParams {
        bead_id: Some(bead.clone()),
        agent: settings.agent.clone(),
        mode: settings.mode,
        model: settings.model.clone(),
        folder: FolderChoice::Worktree,
        context: ContextChoice::Automatic,
        simulated: settings.simulated,
        runner: Some(settings.runner.clone()),
        place,
        ..SessionStartParams::default()
    }
}

fn resume_params(id: SessionId, reclaim: bool) -> SessionResumeParams {
    SessionResumeParams { id, prompt: None, size: None, anyway: true, reclaim, place: None }
}

/// Records that the agent works on its assignment in this session.
pub(super) fn attach(ctx: &Context, agent: &FleetAgentId, session: SessionId) -> Result<(), ApiError> {
    state(ctx).begin_work(agent, session).map_err(fleet_error)
}

/// Handles a failed opening. If no session exists, the hook is cleared. If the failure would affect every
/// agent, dispatch is suspended, or the place that caused it is avoided for a while. If the bead itself is
/// the cause, the bead is held back.
pub(super) fn record_failure(
    ctx: &Context,
    agent: &FleetAgentId,
    bead: &BeadId,
    mode: &OpenMode,
    error: &ApiError,
) {
    // Work that cannot start at a place can start elsewhere, or later.
    let place = match mode {
        OpenMode::New { place } => place.clone(),
        OpenMode::Resume { session, .. } => place_of(ctx, *session),
    };
    let place = place.filter(|_| is_of_place(error.code));
    if let Some(place) = &place {
        let now = now();
        let avoid = |record: &mut DispatchRecord| record.avoid(place, now, now + AVOIDED_FOR);
        // If this write fails, the place is retried immediately.
        let _ = state(ctx).keep(snapshot::DISPATCH, avoid);
        if matches!(mode, OpenMode::Resume { .. }) && error.code == ErrorCode::MachineUnreachable {
            // A lost place is not the work's failure, and may come back with the agent's changes.
            super::attempts::note(&state(ctx), bead, |tries| tries.resumed = tries.resumed.saturating_sub(1));
        }
    }
    let stops = place.is_none() && stops_dispatch(error.code);
    if stops {
        ctx.fleet.suspend(format!("The last session could not be opened: {error}"));
    }
    let Ok(snapshot) = snapshot::take(ctx) else { return };
    let identity = snapshot.agents.iter().find(|known| known.id == *agent);
    let meta = identity.and_then(|agent| snapshot.session(agent));
    let has_session = meta.is_some_and(|meta| meta.bead_id.as_ref() == Some(bead));
    // The next reconciliation handles a failed resume, and a new session that ended immediately.
    if !matches!(mode, OpenMode::New { .. }) || has_session {
        return;
    }
    let state = state(ctx);
    // If this write fails, the next reconciliation starts the work again.
    let _ = state.clear_hook(agent);
    // If the bead changed in the tracker and is no longer ready, it is not held back: when it is ready again, it is
    // dispatched.
    let outdated = error.code == ErrorCode::BeadState && !snapshot.bead(bead).is_some_and(|bead| bead.ready);
    if !stops
        && place.is_none()
        && !outdated
        && !matches!(error.code, ErrorCode::BeadClaimed | ErrorCode::SessionState)
    {
        let why = format!("its session could not be opened: {}", error.message);
        super::attempts::note(&state, bead, |tries| tries.held = Some(why.clone()));
    }
}

/// Whether the place caused the error of a failed opening.
fn is_of_place(code: ErrorCode) -> bool {
    use ErrorCode as E;
    matches!(
        code,
        E::MachineUnreachable
            | E::HostUnreachable
            | E::SetupFailed
            | E::HostKeyChanged
            | E::OtherVersion
            | E::ProgramMissing
            | E::PlaceNotFound
            | E::ClaudeMissing
            | E::ClaudeTooOld
            | E::ClaudeNotLoggedIn
    )
}

fn stops_dispatch(code: ErrorCode) -> bool {
    use ErrorCode as E;
    matches!(
        code,
        E::ClaudeMissing
            | E::ClaudeTooOld
            | E::ClaudeNotLoggedIn
            | E::NotARepository
            | E::ConfirmationNeeded
            | E::SetupFailed
            | E::NoCommits
            | E::GitMissing
            | E::TrackerMissing
            | E::TrackerWrongProgram
            | E::TrackerReadOnly
            | E::TrackerTimeout
            | E::TrackerFailed
            | E::HooksDisabled
            | E::HostUnreachable
            | E::AgentNotFound
            | E::DiskFull
            | E::ReadOnly
            | E::Io
    )
}
