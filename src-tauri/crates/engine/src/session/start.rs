//! Starting a session: draft, claim, branch, active, claude. A crash anywhere in between leaves a
//! draft or a session that the next start recovers; a refusal leaves nothing.

use super::{
    context,
    drafting::{Drafted, ForFleet, draft},
    launch::{self, Conversation, Indexed},
    plan::opening,
    single, view, workspace,
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

/// The same for the fleet.
pub(crate) fn start_for(
    engine: &Engine,
    params: SessionStartParams,
    fleet: ForFleet,
) -> Result<SessionStarted, ApiError> {
    engine.writable()?;
    let agent = launch::agent(engine, params.simulated, &params.agent, params.runner.as_deref())?;
    let turn = engine.turn();
    let bead = match &params.bead_id {
        Some(id) => Some(engine.tracker()?.show(id).map_err(tracker_error)?),
        None => None,
    };
    let drafted = draft(engine, agent, (params, fleet), bead, &workspace::unfinished(engine)?)?;
    // From here on the draft, which somebody holds, says whose the bead, the branch and a worktree are. Only the main
    // tree is for one at a time.
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

/// What comes after the draft, until claude runs. Without the turn it works in a worktree of its own.
pub(super) fn go_on<'a>(
    engine: &'a Engine,
    drafted: Drafted,
    turn: Option<MutexGuard<'a, ()>>,
    indexed: Indexed,
) -> Result<(SessionId, Vec<String>), ApiError> {
    let Drafted { mut meta, lock, agent, actor, bead, workspace, params, claimed } = drafted;
    let (id, is_claimed) = (meta.id, claimed.is_some());
    let again = |turn: Option<MutexGuard<'a, ()>>| turn.unwrap_or_else(|| engine.turn());
    if let Some(bead) = bead.as_ref().filter(|_| !is_claimed)
        && let Err(error) = claim(engine, bead, &actor)
    {
        let _turn = again(turn);
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
        let _making = engine.making();
        workspace.make(engine)
    };
    let workspace = match made {
        Ok(workspace) => workspace,
        Err(error) => {
            let _turn = again(turn);
            undone(lock);
            return Err(error);
        }
    };
    meta.base_commit = workspace.base_commit.clone();
    // It may take minutes.
    if meta.worktree
        && let Err(error) = worktrees::set_up(engine, &workspace.cwd)
    {
        let _turn = again(turn);
        {
            let _making = engine.making();
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
        warnings.push(format!("the session began without its context: {error}"));
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
        // For whoever has to recover the session: a host would write down the same.
        transcript_path: transcript.and_then(|path| path.to_str().map(str::to_owned)),
        started_at: now(),
        prompted: false,
        extra: Default::default(),
    });
    let turn = again(turn);
    warnings.extend(single::pause_others(engine, id));
    view::accepted(meta.transition(Event::Start, now()), id)?;
    lock.save_meta(&meta).map_err(store_error)?;
    let conversation = Conversation::New { id: conversation, prompt: prompt::safe_argument(&prompt) };
    let begun = launch::Begun { turn, lock, meta, begins, indexed };
    warnings.extend(launch::launch(engine, begun, agent, conversation, params.size, false)?);
    Ok((id, warnings))
}

/// Claims for this session, taking over from a session of the same person that has ended.
fn claim(engine: &Engine, bead: &BeadDetail, actor: &Actor) -> Result<(), ApiError> {
    let _claiming = engine.claiming();
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

/// Puts a bead back as it was: nobody's, or whose it was before. That this fails too is told by the
/// tracker's own record.
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

/// A draft is closed that a crash left behind: the bead that was claimed for it, and on which nothing was
/// ever done, is nobody's again. That this fails is no failure of the end.
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

/// Removes a draft that nothing was ever in.
pub(super) fn discard(engine: &Engine, lock: SessionLock) {
    // A draft that stays is closed by itself later.
    let _ = engine.store.discard(lock);
}
