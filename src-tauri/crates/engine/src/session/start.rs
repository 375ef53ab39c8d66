//! Starts a session: draft, claim, branch, active, claude. A crash in between leaves a draft or a session that is
//! recovered later; a refused start leaves nothing.

use super::{
    context,
    drafting::{Drafted, ForFleet, draft},
    launch::{self, Conversation, Indexed, Waits},
    plan::opening,
    single_active, view, workspace,
};
use crate::{
    engine::{Engine, now},
    errors::{store_error, tracker_error},
    recovery, worktrees,
};
use bc_beads::Actor;
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    ids::{ConversationId, SessionId},
    prompt,
    session::{ClaudeSession, Event, Meta},
};
use bc_store::SessionLock;
use bc_wire::{ApiError, session::*};
use std::sync::MutexGuard;
use uuid::Uuid;

pub(crate) fn start(engine: &Engine, params: SessionStartParams) -> Result<SessionStarted, ApiError> {
    start_for(engine, params, ForFleet::default())
}

/// The result of a start that did not wait for claude.
pub(crate) fn started(engine: &Engine, id: SessionId) -> Result<SessionStarted, ApiError> {
    let warnings = launch::started(engine, id)?;
    Ok(SessionStarted { session: view::show(engine, id)?, warnings })
}

/// Starts a session for the fleet.
pub(crate) fn start_for(
    engine: &Engine,
    params: SessionStartParams,
    fleet: ForFleet,
) -> Result<SessionStarted, ApiError> {
    engine.writable()?;
    let agent = launch::agent(engine, params.simulated, &params.agent, params.runner.as_deref())?;
    let turn = engine.session_lock();
    let bead = match &params.bead_id {
        Some(id) => Some(engine.tracker()?.show(id).map_err(tracker_error)?),
        None => None,
    };
    let drafted = draft(engine, agent, (params, fleet), bead, &workspace::unfinished(engine)?)?;
    // From here on, the locked draft reserves the bead, the branch and the worktree. Only a session in the main
    // tree keeps the session lock.
    let turn = match drafted.meta.worktree {
        true => {
            drop(turn);
            None
        }
        false => Some(turn),
    };
    let (id, warnings) = go_on(engine, drafted, turn, Indexed::AtOnce)?;
    Ok(SessionStarted { session: view::show(engine, id)?, warnings })
}

/// Continues after the draft until claude runs. Without the session lock, the session works in its own worktree.
pub(super) fn go_on<'a>(
    engine: &'a Engine,
    drafted: Drafted,
    turn: Option<MutexGuard<'a, ()>>,
    indexed: Indexed,
) -> Result<(SessionId, Vec<String>), ApiError> {
    let Drafted { mut meta, lock, agent, actor, bead, workspace, params, claimed } = drafted;
    let (id, is_claimed) = (meta.id, claimed.is_some());
    let again = |turn: Option<MutexGuard<'a, ()>>| turn.unwrap_or_else(|| engine.session_lock());
    if let Some(bead) = bead.as_ref().filter(|_| !is_claimed)
        && let Err(error) = claim(engine, bead, &actor)
    {
        let _sessions = again(turn);
        discard(engine, lock);
        return Err(error);
    }
    let undone = |lock: SessionLock| {
        if let Some(bead) = &bead {
            give_back(engine, bead, &actor);
        }
        discard(engine, lock);
    };
    let made = {
        let _worktrees = engine.worktree_lock();
        workspace.make(engine)
    };
    let workspace = match made {
        Ok(workspace) => workspace,
        Err(error) => {
            let _sessions = again(turn);
            undone(lock);
            return Err(error);
        }
    };
    meta.base_commit = workspace.base_commit.clone();
    // The setup may take minutes.
    if meta.worktree
        && let Err(error) = worktrees::set_up(engine, &workspace.cwd)
    {
        let _sessions = again(turn);
        {
            let _worktrees = engine.worktree_lock();
            workspace.unmake();
        }
        undone(lock);
        return Err(error);
    }
    let begins = recovery::Begins {
        stores: claimed.or_else(|| bead.as_ref().map(|bead| recovery::claimed(engine, bead))),
        untouched: workspace.untouched,
    };
    let mut warnings = workspace.notes;
    if params.context == ContextChoice::Automatic
        && let Err(error) = context::gather(engine, &lock, &meta, bead.as_ref())
    {
        warnings.push(format!("the session started without its context: {error}"));
    }

    let objective = params.objective.filter(|text| !text.trim().is_empty());
    let prompt = match params.prompt {
        Some(text) => text,
        None => match &bead {
            Some(bead) => opening(engine, bead, objective.as_deref()),
            None => objective.unwrap_or_default(),
        },
    };
    meta.name_after(&prompt);
    let conversation = ConversationId(Uuid::new_v4());
    let transcript = launch::transcript_at(engine, &meta, conversation);
    meta.claude_sessions.push(ClaudeSession {
        id: conversation,
        // For the recovery of the session: a host would record the same path.
        transcript_path: transcript.and_then(|path| path.to_str().map(str::to_owned)),
        started_at: now(),
        prompted: false,
        extra: Default::default(),
    });
    let turn = again(turn);
    warnings.extend(single_active::pause_others(engine, id));
    view::accepted(meta.transition(Event::Start, now()), id)?;
    lock.save_meta(&meta).map_err(store_error)?;
    let conversation = Conversation::New { id: conversation, prompt: prompt::safe_argument(&prompt) };
    let waits = if params.at_once { Waits::ForHost } else { Waits::ForClaude };
    let begun = launch::Begun { turn, lock, meta, begins, indexed, waits };
    warnings.extend(launch::launch(engine, begun, agent, conversation, params.size, false)?);
    Ok((id, warnings))
}

/// Claims the bead for this session; takes it over from an ended session of the same user.
fn claim(engine: &Engine, bead: &BeadDetail, actor: &Actor) -> Result<(), ApiError> {
    let _claims = engine.claim_lock();
    let tracker = engine.tracker()?;
    let held = bead.bead.assignee.as_deref().and_then(|by| by.parse::<Actor>().ok());
    if bead.bead.status == BeadStatus::InProgress
        && let Some(before) = held.filter(|by| by != actor)
    {
        tracker.set_status(&bead.bead.id, &BeadStatus::Open, &before).map_err(tracker_error)?;
    }
    tracker.claim(&bead.bead.id, actor).map_err(tracker_error)?;
    Ok(())
}

/// Restores a bead's previous assignee. A failure shows in the tracker.
fn give_back(engine: &Engine, before: &BeadDetail, actor: &Actor) {
    let Ok(tracker) = engine.tracker() else { return };
    let id = &before.bead.id;
    let holder = before.bead.assignee.as_deref();
    let _ = tracker.unclaim(id, actor, holder);
    if before.bead.status == BeadStatus::InProgress {
        let by = holder.and_then(|by| by.parse::<Actor>().ok()).unwrap_or_else(|| actor.clone());
        let _ = tracker.set_status(id, &BeadStatus::InProgress, &by);
    }
}

/// Releases the bead of a draft that a crash left behind, if it was never worked on. A failure does not affect the
/// draft's end.
pub(super) fn give_back_of(engine: &Engine, draft: &Meta) {
    let actor = draft.actor.as_deref().and_then(|name| name.parse::<Actor>().ok());
    let (Some(bead), Some(actor), Ok(tracker)) = (&draft.bead_id, actor, engine.tracker()) else { return };
    let held = tracker.show(bead).is_ok_and(|found| {
        found.bead.status == BeadStatus::InProgress && found.bead.assignee.as_deref() == Some(actor.as_str())
    });
    if held {
        let _ = tracker.unclaim(bead, &actor, None);
    }
}

/// Removes a draft that was never used.
pub(super) fn discard(engine: &Engine, lock: SessionLock) {
    // A leftover draft is closed automatically later.
    let _ = engine.store.discard(lock);
}
