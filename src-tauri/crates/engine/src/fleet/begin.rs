//! Opening the sessions of agents: a new one for work that was just handed out, or the one that was.
//!
//! The hook is written before the session is opened, and what the session says of its agent with it: killed in
//! between, whoever looks next finds the one or both, and goes on from there.

use super::{
    fleet_error, look,
    memory::{Starting, held},
    settings, state, work,
};
use crate::{
    engine::Engine,
    session::{self, Drafted, ForFleet},
};
use bc_core::{
    fleet::{DispatchRecord, FleetSettings},
    ids::{BeadId, FleetAgentId, SessionId},
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

/// How many sessions are opened at a time.
const AT_A_TIME: usize = 6;

/// How many are drafted at a time: the first alone, then some in as much time as its worktree takes to be made, then the others
/// in as much as theirs take.
const FIRST_PARTS: [usize; 2] = [1, 3];
const PART: usize = 8;

/// How often the index is brought up while sessions are opened.
const INDEXED: Duration = Duration::from_millis(500);

/// A session to be opened.
pub(super) struct Opening<'a> {
    pub(super) agent: FleetAgentId,
    pub(super) bead: BeadId,
    pub(super) how: How,
    /// Held until it is open.
    pub(super) _starting: Starting<'a>,
}

/// How.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// A new one.
    New,
    /// This one goes on; `reclaim`: the bead is taken again for it.
    Resume { session: SessionId, reclaim: bool },
}

/// What became of one.
pub(super) struct Opened {
    pub(super) agent: FleetAgentId,
    pub(super) bead: BeadId,
    pub(super) outcome: Result<SessionId, ApiError>,
    pub(super) warnings: Vec<String>,
}

/// How far an opening is.
enum Step {
    /// Its session is drafted, and its bead claimed where that could be done for several.
    Drafted(Result<Box<Drafted>, ApiError>),
    /// Nothing is done yet.
    Whole,
}

/// Opens all of them, some at a time, and writes down what came of it. Nobody waits for the drafts of all.
pub(super) fn open_all(engine: &Engine, openings: Vec<Opening<'_>>) -> Vec<Opened> {
    let threads = openings.len().min(AT_A_TIME);
    // Not all are drafted long before there is somebody to open them: of a draft that dies a branch may stay.
    let (to, drafted) = sync_channel(AT_A_TIME);
    // Nothing goes through it: it ends when all of them are opened.
    let (opening, all_opened) = sync_channel::<Infallible>(0);
    let drafted = Mutex::new(drafted);
    let opened = Mutex::new(Vec::new());
    let any_drafted = thread::scope(|scope| {
        for _ in 0..threads {
            let (opening, drafted, opened) = (opening.clone(), &drafted, &opened);
            scope.spawn(move || {
                let _opening = opening;
                loop {
                    let next = held(drafted).recv();
                    let Ok((n, (opening, step))) = next else { break };
                    let outcome = open(engine, opening, step);
                    held(opened).push((n, outcome));
                }
            });
        }
        drop(opening);
        let any_drafted = draft_all(engine, openings, to);
        // One that begins for long keeps those that run out of the index no longer than a moment.
        while any_drafted && all_opened.recv_timeout(INDEXED) == Err(RecvTimeoutError::Timeout) {
            let _ = engine.sync_index_late();
        }
        any_drafted
    });
    let mut opened = opened.into_inner().unwrap_or_else(PoisonError::into_inner);
    opened.sort_by_key(|(n, _)| *n);
    let mut opened: Vec<Opened> = opened.into_iter().map(|(_, opened)| opened).collect();
    if any_drafted
        && let Err(error) = engine.sync_index()
        && let Some(last) = opened.last_mut()
    {
        last.warnings.push(format!("the index of sessions was not brought up to date: {error}"));
    }
    opened
}

/// Drafts all and hands each on, numbered: first a few, so that those are on their way when the others are drafted.
/// Whether there is a draft.
fn draft_all<'a>(
    engine: &Engine,
    openings: Vec<Opening<'a>>,
    to: SyncSender<(usize, (Opening<'a>, Step))>,
) -> bool {
    let (mut any, mut numbered) = (false, openings.into_iter().enumerate());
    for most in FIRST_PARTS.into_iter().chain(iter::repeat(PART)) {
        let part: Vec<_> = numbered.by_ref().take(most).collect();
        if part.is_empty() {
            break;
        }
        let steps = drafted(engine, part.iter().map(|(_, opening)| opening));
        any |= steps.iter().any(|step| matches!(step, Step::Drafted(Ok(_))));
        for ((n, opening), step) in part.into_iter().zip(steps) {
            // Whoever opens them is there until this end is dropped.
            let _ = to.send((n, (opening, step)));
        }
    }
    any
}

/// Drafts what begins anew on a tracker's bead.
fn drafted<'a>(engine: &Engine, openings: impl Iterator<Item = &'a Opening<'a>> + Clone) -> Vec<Step> {
    let settings = settings(&engine.project);
    let is_new = |opening: &Opening<'_>| {
        opening.how == How::New && matches!(work::own_work(engine, &opening.bead), Ok(None))
    };
    let new: Vec<bool> = openings.clone().map(is_new).collect();
    let wanted = openings.zip(&new).filter(|(_, new)| **new).map(|(opening, _)| {
        let fleet = ForFleet { agent: Some(opening.agent.clone()), ..ForFleet::default() };
        (start(&settings, &opening.bead), fleet)
    });
    let mut drafted = session::draft_all(engine, wanted.collect()).into_iter();
    let mut step = |new: bool| match new.then(|| drafted.next()).flatten() {
        Some(drafted) => Step::Drafted(drafted.map(Box::new)),
        None => Step::Whole,
    };
    new.into_iter().map(&mut step).collect()
}

fn open(engine: &Engine, opening: Opening<'_>, step: Step) -> Opened {
    let Opening { agent, bead, how, _starting } = opening;
    let started = match (how, step) {
        (_, Step::Drafted(drafted)) => drafted.and_then(|drafted| session::start_drafted(engine, *drafted)),
        (How::New, Step::Whole) => new(engine, &agent, &bead).map(with_warnings),
        (How::Resume { session, reclaim }, Step::Whole) => {
            session::resume(engine, resume(session, reclaim)).map(with_warnings)
        }
    };
    let (outcome, warnings) = match started {
        Ok((id, mut warnings)) => {
            let attached = attach(engine, &agent, id).map(|()| id);
            if let Err(error) = pause_if_all_are(engine, &agent, id) {
                warnings
                    .push(format!("everything is paused, but {agent} was just started and works: {error}"));
            }
            (attached, warnings)
        }
        Err(error) => (Err(error), Vec::new()),
    };
    match &outcome {
        Ok(_) => engine.fleet.go_on(),
        Err(error) => failed(engine, &agent, &bead, how, error),
    }
    Opened { agent, bead, outcome, warnings }
}

/// Everything may have been paused while it was opened: then nobody saw that it runs.
fn pause_if_all_are(engine: &Engine, agent: &FleetAgentId, id: SessionId) -> Result<(), ApiError> {
    let state = state(engine);
    let paused = |record: &DispatchRecord| record.paused && !record.paused_agents.contains(agent);
    if !paused(&state.kept(look::DISPATCH).map_err(fleet_error)?) {
        return Ok(());
    }
    session::pause(engine, id)?;
    let remember = |record: &mut DispatchRecord| record.paused_agents.extend([agent.clone()]);
    state.keep(look::DISPATCH, remember).map(drop).map_err(fleet_error)
}

fn with_warnings(started: SessionStarted) -> (SessionId, Vec<String>) {
    (started.session.meta.id, started.warnings)
}

/// By itself: a piece of work of the fleet's own, or what could not be asked of the tracker.
fn new(engine: &Engine, agent: &FleetAgentId, bead: &BeadId) -> Result<SessionStarted, ApiError> {
    let params = start(&settings(&engine.project), bead);
    match work::own_work(engine, bead)? {
        Some(item) => work::start_on_own(engine, &item, Some(agent.clone()), params),
        None => {
            let fleet = ForFleet { agent: Some(agent.clone()), ..ForFleet::default() };
            session::start_for(engine, params, fleet)
        }
    }
}

fn start(settings: &FleetSettings, bead: &BeadId) -> SessionStartParams {
    SessionStartParams {
        bead_id: Some(bead.clone()),
        agent: settings.agent.clone(),
        mode: settings.mode,
        model: settings.model.clone(),
        folder: FolderChoice::Worktree,
        context: ContextChoice::Automatic,
        simulated: settings.simulated,
        runner: Some(settings.runner.clone()),
        ..SessionStartParams::default()
    }
}

fn resume(id: SessionId, reclaim: bool) -> SessionResumeParams {
    SessionResumeParams { id, prompt: None, size: None, anyway: true, reclaim, place: None }
}

/// Writes down that the agent has this session, and that it began its work.
pub(super) fn attach(engine: &Engine, agent: &FleetAgentId, session: SessionId) -> Result<(), ApiError> {
    state(engine).begin_work(agent, session).map_err(fleet_error)
}

/// What a start that failed leaves: nothing on the hook where no session came of it. What would stop every
/// other agent as well stops handing out; what is the bead's own matter holds that back.
pub(super) fn failed(engine: &Engine, agent: &FleetAgentId, bead: &BeadId, how: How, error: &ApiError) {
    let everybody = stops_everybody(error.code);
    if everybody {
        engine.fleet.stop(format!("The last session could not be opened: {error}"));
    }
    let Ok(look) = look::look(engine) else { return };
    let has_session = look
        .agents
        .iter()
        .find(|known| known.id == *agent)
        .and_then(|known| look.session(known))
        .is_some_and(|meta| meta.bead_id.as_ref() == Some(bead));
    // A session that began and ended at once is looked after as one that died.
    if how != How::New || has_session {
        return;
    }
    let state = state(engine);
    // What cannot be written now is looked after again with the next change.
    let _ = state.clear_hook(agent);
    // What the tracker says otherwise by now was only listed too early; once it is ready again, it is handed out.
    let outdated = error.code == ErrorCode::BeadState && !look.bead(bead).is_some_and(|bead| bead.ready);
    if !everybody && !outdated && !matches!(error.code, ErrorCode::BeadClaimed | ErrorCode::SessionState) {
        let why = format!("its session could not be opened: {}", error.message);
        super::tries::note(&state, bead, |tries| tries.held = Some(why.clone()));
    }
}

fn stops_everybody(code: ErrorCode) -> bool {
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
