//! Looking after agents that have work: what is done comes off its hook, a session that died goes on once, and
//! what did not help is handed on. What becomes of whom is decided in [`bc_core::fleet::next`].
//!
//! It runs when something changed that may matter, never by a clock, but for what falls due: an agent that
//! turns silent, a start that is tried again.

use super::{
    begin::{self, How, Opening},
    fleet_error, hand,
    look::{self, Look},
    progress, queue, state, tries, truth,
};
use crate::{engine::Engine, session};
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

/// Looks after everybody, and hands out what is ready where that is wanted. When to look again though nothing
/// changes; `None` where nothing falls due.
pub(crate) fn tend(engine: &Engine) -> Result<Option<Timestamp>, ApiError> {
    if !state(engine).dir().is_dir() {
        return Ok(None);
    }
    engine.writable()?;
    let openings = {
        let _turn = engine.fleet.turn();
        let look = settled(engine)?;
        progress::write(engine, &look)?;
        let mut openings = resumed(engine, &look);
        if look.settings.auto_dispatch {
            openings.extend(hand::out(engine, &look, openings.len())?.openings);
        }
        openings
    };
    let opened = !openings.is_empty();
    begin::open_all(engine, openings);
    let look = look::look(engine)?;
    match opened && engine.fleet.stopped().is_none() {
        // What changed while they were opened was seen by nobody.
        true => Ok(Some(look.now)),
        false => Ok(due(engine, &look)),
    }
}

/// The fleet with everything done that needs no session to be opened. The caller has the turn.
pub(super) fn settled(engine: &Engine) -> Result<Look, ApiError> {
    let mut look = look::look(engine)?;
    if let Some(error) = &look.blind {
        return Err(error.clone());
    }
    let mut changed = false;
    for agent in &look.agents {
        // What cannot be done for one is told of and tried again with the next change.
        match settle(engine, &look, agent) {
            Ok(did) => changed |= did,
            Err(error) => look.warnings.push(format!("{}: {error}", agent.id)),
        }
    }
    if !changed {
        return Ok(look);
    }
    let warnings = look.warnings;
    let mut look = look::look(engine)?;
    look.warnings.splice(0..0, warnings);
    Ok(look)
}

/// What becomes of an agent, and the session that it is about.
pub(super) fn case_of(engine: &Engine, look: &Look, agent: &AgentIdentity) -> (Next, Option<SessionView>) {
    if agent.status == AgentStatus::Terminated || look.starting.contains(&agent.id) {
        return (Next::Nothing, None);
    }
    let meta = look.session(agent).cloned();
    let session = meta.map(|meta| session::view_of(engine, meta));
    let bead = look.held(&agent.id);
    let case = Case {
        hook: look.hook(&agent.id),
        recorded: session
            .as_ref()
            .map_or(agent.session_id.is_some(), |s| agent.session_id == Some(s.meta.id)),
        session: session.as_ref().map_or(SessionCase::None, |session| session_case(engine, session)),
        bead: bead.map_or(BeadCase::Unknown, |bead| look.case(bead)),
        paused: look.record.paused,
        auto: look.settings.auto_dispatch,
    };
    let tries = bead.and_then(|bead| look.record.beads.get(bead)).cloned().unwrap_or_default();
    (next(case, &tries), session)
}

fn session_case(engine: &Engine, session: &SessionView) -> SessionCase {
    match (session.meta.status, &session.live) {
        (Status::Active, Some(live)) => {
            let quiet = live.permissions.is_empty() && live.held.is_empty();
            SessionCase::Live { at_prompt: quiet && live.activity == Activity::Idle }
        }
        // Its host is just coming or going; recovery makes it a paused one if it died.
        (Status::Active, None) => SessionCase::Live { at_prompt: false },
        (Status::Paused, _) => match died(engine, &session.meta) {
            true => SessionCase::Died,
            false => SessionCase::Paused,
        },
        (Status::Closed, _) => SessionCase::Closed,
        (Status::Draft, _) => SessionCase::None,
    }
}

/// Whether a paused session ended without anybody wanting it.
fn died(engine: &Engine, meta: &Meta) -> bool {
    match meta.pause_reason {
        Some(PauseReason::Interrupted) => true,
        Some(PauseReason::Exited) => {
            let note = bc_host::read_exit_note(&engine.store.session(meta.id));
            note.is_some_and(|note| note.exit.code != Some(0))
        }
        Some(PauseReason::User | PauseReason::Inactivity | PauseReason::Superseded) | None => false,
    }
}

/// Does for one agent what needs no session to be opened; whether anything was done.
fn settle(engine: &Engine, look: &Look, agent: &AgentIdentity) -> Result<bool, ApiError> {
    let (next, session) = case_of(engine, look, agent);
    let meta = session.as_ref().map(|session| &session.meta);
    match next {
        Next::Nothing => return not_active(engine, look, agent),
        Next::Start | Next::Resume => return Ok(false),
        Next::Attach => {
            if let Some(meta) = meta {
                begin::attach(engine, &agent.id, meta.id)?;
            }
        }
        Next::Finish => finish(engine, look, agent, meta)?,
        Next::End => {
            if let Some(meta) = meta {
                end(engine, meta)?;
            }
            finish(engine, look, agent, meta)?;
        }
        Next::HandOn { held } => hand_on(engine, look, agent, meta, held)?,
        Next::Release { held } => release(engine, look, agent, meta, held)?,
        Next::Clear => {
            clear(engine, agent)?;
        }
    }
    Ok(true)
}

/// An agent whose session is over is written down as idle.
fn not_active(engine: &Engine, look: &Look, agent: &AgentIdentity) -> Result<bool, ApiError> {
    let over = agent.status == AgentStatus::Active && look.hook(&agent.id) == HookStatus::Empty;
    // One whose session we do not know is another program's.
    let ours = agent.session_id.is_some_and(|id| look.metas.iter().any(|meta| meta.id == id));
    if !over || !ours || look.session(agent).is_some() {
        return Ok(false);
    }
    state(engine).set_agent_session(&agent.id, None).map_err(fleet_error)?;
    Ok(true)
}

/// The work is done: it comes off the hook, and the branch goes into the queue where nobody looks at it first.
fn finish(engine: &Engine, look: &Look, agent: &AgentIdentity, meta: Option<&Meta>) -> Result<(), ApiError> {
    let state = state(engine);
    // A hook that is completed does not say any more with what.
    let last = || look.metas.iter().find(|meta| agent.session_id == Some(meta.id)).map(|meta| &**meta);
    let meta = match look.hook(&agent.id) {
        HookStatus::Completed => meta.or_else(last),
        HookStatus::Pending | HookStatus::Active | HookStatus::Empty => meta,
    };
    let held = look.held(&agent.id).cloned().or_else(|| meta.and_then(|meta| meta.bead_id.clone()));
    if let Some(bead) = &held {
        tries::forget(&state, bead);
        // First: killed right after this, it is found in the queue.
        queued(engine, look, bead)?;
    }
    match look.hook(&agent.id) {
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
        end(engine, meta)?;
    }
    clear(engine, agent)
}

/// The bead's branch goes into the queue, where nobody looks at it first and it is not there.
fn queued(engine: &Engine, look: &Look, bead: &BeadId) -> Result<(), ApiError> {
    // One that was stopped and sent back tries again.
    let waits = |status| matches!(status, MergeStatus::Pending | MergeStatus::Merging);
    let waiting = look.requests.iter().any(|request| request.bead_id == *bead && waits(request.status));
    if look.settings.merge_review || waiting {
        return Ok(());
    }
    let params = FleetQueueAddParams { bead: bead.clone(), source: None, target: None };
    match queue::add(engine, &params) {
        // What is in the way for now is tried again.
        Err(error) if passes(error.code) => Err(error),
        Err(error) if error.code == ErrorCode::GitFailed && queue::has_branch(engine, bead) => Err(error),
        // Work without a commit is nothing to merge; a person sees that in the convoy.
        _ => Ok(()),
    }
}

/// Whether the same may succeed later though nobody decides anything.
fn passes(code: ErrorCode) -> bool {
    use ErrorCode as E;
    matches!(code, E::DiskFull | E::Io | E::TrackerTimeout | E::TrackerFailed | E::GitMissing)
}

fn clear(engine: &Engine, agent: &AgentIdentity) -> Result<(), ApiError> {
    let state = state(engine);
    state.clear_hook(&agent.id).map_err(fleet_error)?;
    state.set_agent_session(&agent.id, None).map_err(fleet_error)?;
    Ok(())
}

/// Closes a session; the bead stays as it is.
pub(super) fn end(engine: &Engine, meta: &Meta) -> Result<(), ApiError> {
    let params = SessionEndParams { id: meta.id, review: false, add_status: false, log: None };
    session::end(engine, &params).map(drop)
}

/// The work is free for somebody else, who goes on with its branch.
pub(super) fn hand_on(
    engine: &Engine,
    look: &Look,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
    held: Option<String>,
) -> Result<(), ApiError> {
    let bead = look.held(&agent.id).cloned();
    if let Some(bead) = &bead {
        // First: killed right after this, it is handed on all the same and not resumed again.
        tries::note(&state(engine), bead, |tries| {
            tries.handed_on += 1;
            (tries.resumed, tries.last, tries.held) = (0, Some(agent.id.clone()), held.clone());
        });
    }
    free(engine, look, agent, meta)?;
    if let Some(bead) = &bead {
        state(engine).work_handed_on(&agent.id, bead).map_err(fleet_error)?;
    }
    Ok(())
}

/// The work is free, and handed to nobody unasked where there is a reason.
pub(super) fn release(
    engine: &Engine,
    look: &Look,
    agent: &AgentIdentity,
    meta: Option<&Meta>,
    held: Option<String>,
) -> Result<(), ApiError> {
    if let Some(bead) = look.held(&agent.id) {
        tries::note(&state(engine), bead, |tries| {
            tries.resumed = 0;
            tries.held = held.clone();
        });
    }
    free(engine, look, agent, meta)
}

/// The session is closed, the claim given back, the hook cleared.
fn free(engine: &Engine, look: &Look, agent: &AgentIdentity, meta: Option<&Meta>) -> Result<(), ApiError> {
    if let Some(meta) = meta {
        if matches!(meta.status, Status::Active | Status::Paused) {
            end(engine, meta)?;
        }
        give_back(engine, look.held(&agent.id), meta);
    }
    clear(engine, agent)
}

/// The session's claim on its bead. One that somebody else has by now is left alone by the tracker; that it
/// fails shows in the convoy: the bead is somebody's, and nobody works on it.
fn give_back(engine: &Engine, bead: Option<&BeadId>, meta: &Meta) {
    let actor = meta.actor.as_deref().and_then(|name| name.parse::<Actor>().ok());
    if let (Some(bead), Some(actor), Ok(tracker)) = (bead, actor, engine.tracker()) {
        let _ = tracker.unclaim(bead, &actor, None);
    }
}

/// Sessions that go on because they died, or that were never opened for work that was handed out.
fn resumed<'a>(engine: &'a Engine, look: &Look) -> Vec<Opening<'a>> {
    let mut in_use = look.in_use();
    let mut openings = Vec::new();
    for agent in &look.agents {
        let (next, session) = case_of(engine, look, agent);
        let Some(bead) = look.held(&agent.id) else { continue };
        let how = match (next, session) {
            (Next::Start, _) => How::New,
            (Next::Resume, Some(session)) => {
                let open = look.bead(bead).is_some_and(|bead| bead.status == bc_core::bead::BeadStatus::Open);
                How::Resume { session: session.meta.id, reclaim: open }
            }
            _ => continue,
        };
        if in_use.against(&look.limits()).is_some() || look.stopped.is_some() {
            break;
        }
        let Some(starting) = engine.fleet.start(&agent.id) else { continue };
        if how != How::New {
            // First: a session that takes the program down with it is not resumed for ever.
            tries::note(&state(engine), bead, |tries| tries.resumed += 1);
        }
        in_use = in_use.and_one();
        openings.push(Opening { agent: agent.id.clone(), bead: bead.clone(), how, _starting: starting });
    }
    openings
}

/// When something becomes true though nothing changes: an agent turns silent, a start is tried again, the day
/// whose costs are used up is over.
fn due(engine: &Engine, look: &Look) -> Option<Timestamp> {
    let quiet = chrono::Duration::minutes(i64::from(look.settings.stalled_minutes));
    // One that is starting is not silent; its host has better to do than to answer.
    let begun = look.agents.iter().filter(|agent| !look.starting.contains(&agent.id));
    let silent = begun.filter_map(|agent| {
        let stands = truth::of(engine, look, agent);
        let speaks = matches!(stands.truth.state, FleetAgentState::Working | FleetAgentState::AtPrompt);
        speaks.then(|| stands.heard().map(|heard| heard + quiet)).flatten()
    });
    let silent = silent.filter(|_| !quiet.is_zero()).min();
    let auto = look.settings.auto_dispatch;
    let again = engine.fleet.stopped().filter(|_| auto).map(|stopped| stopped.until);
    let in_use = look.in_use();
    let spent = look.settings.cost_per_day_usd.is_some_and(|most| in_use.cost_today_usd >= most);
    let midnight = (look.now.date_naive() + chrono::Days::new(1)).and_hms_opt(0, 0, 0);
    let tomorrow = midnight.and_then(|at| at.and_local_timezone(*look.now.offset()).single());
    let tomorrow = tomorrow.filter(|_| auto && spent);
    [silent, again, tomorrow].into_iter().flatten().min()
}
