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
    session::{self, ForFleet},
};
use bc_core::{
    fleet::FleetSettings,
    ids::{BeadId, FleetAgentId, SessionId},
};
use bc_wire::{
    ApiError, ErrorCode,
    session::{ContextChoice, FolderChoice, SessionResumeParams, SessionStartParams, SessionStarted},
};
use std::{
    sync::{Mutex, PoisonError},
    thread,
};

/// How many sessions are opened at a time.
const AT_A_TIME: usize = 6;

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

/// Opens all of them, some at a time, and writes down what came of it.
pub(super) fn open_all(engine: &Engine, openings: Vec<Opening<'_>>) -> Vec<Opened> {
    let threads = openings.len().min(AT_A_TIME);
    let rest = Mutex::new(openings.into_iter().enumerate());
    let opened = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = held(&rest).next();
                    let Some((n, opening)) = next else { break };
                    let outcome = open(engine, opening);
                    held(&opened).push((n, outcome));
                }
            });
        }
    });
    let mut opened = opened.into_inner().unwrap_or_else(PoisonError::into_inner);
    opened.sort_by_key(|(n, _)| *n);
    opened.into_iter().map(|(_, opened)| opened).collect()
}

fn open(engine: &Engine, opening: Opening<'_>) -> Opened {
    let Opening { agent, bead, how, _starting } = opening;
    let started = match how {
        How::New => new(engine, &agent, &bead),
        How::Resume { session, reclaim } => session::resume(engine, resume(session, reclaim)),
    };
    let (outcome, warnings) = match started {
        Ok(started) => {
            let id = started.session.meta.id;
            (attach(engine, &agent, id).map(|()| id), started.warnings)
        }
        Err(error) => (Err(error), Vec::new()),
    };
    match &outcome {
        Ok(_) => engine.fleet.go_on(),
        Err(error) => failed(engine, &agent, &bead, how, error),
    }
    Opened { agent, bead, outcome, warnings }
}

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
