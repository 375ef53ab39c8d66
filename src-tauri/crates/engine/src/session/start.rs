//! Starts a session: writes the draft, claims the bead, creates the branch and folder, makes the session
//! active, and starts claude. A crash during the start leaves a draft or session that is recovered later. A
//! refused start is undone.

use super::{
    agent, claim, context_pack,
    drafting::{Drafted, ForFleet, draft},
    launch::{self, Conversation, IndexUpdate, WaitFor},
    origin,
    plan::opening,
    readiness,
    stop::pause_others,
    undo::Undo,
    view, workspace,
};
use crate::{
    context::{Context, SessionGuard, Sessions, errors::store_error, now},
    places, recovery, worktrees,
};
use bc_core::{
    fleet::WorkItem,
    ids::{ConversationId, FleetAgentId, SessionId},
    prompt,
    session::{ClaudeSession, Event},
};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, session::*};
use uuid::Uuid;

pub(crate) fn start(ctx: &Context, params: SessionStartParams) -> Result<SessionStarted, ApiError> {
    start_for(ctx, params, ForFleet::default())
}

/// Waits for claude after a start that did not wait.
pub(crate) fn started(ctx: &Context, id: SessionId) -> Result<SessionStarted, ApiError> {
    let warnings = readiness::started(ctx, id)?;
    Ok(SessionStarted { session: view::show(ctx, id)?, warnings })
}

/// Starts a session, for the user or for a fleet agent.
pub(crate) fn start_for(
    ctx: &Context,
    params: SessionStartParams,
    fleet: ForFleet,
) -> Result<SessionStarted, ApiError> {
    ctx.writable()?;
    if params.context == ContextChoice::Automatic {
        context_pack::check(ctx, &params.pack)?;
    }
    let params = with_folder_choice(params)?;
    let place = params.place.as_deref();
    place.map_or(Ok(()), places::require_accepting)?;
    let agent = agent::agent(ctx, params.simulated, &params.agent, params.runner.as_deref(), place)?;
    let sessions = ctx.session_lock();
    let bead = params.bead_id.as_ref().map(|id| ctx.bead(id)).transpose()?;
    let unfinished = workspace::unfinished(ctx, |_| true)?;
    let drafted = draft(ctx, &sessions, agent, (params, fleet), bead, &unfinished)?;
    // From this point, the locked draft reserves the bead, the branch and the worktree. Only a start in the
    // main tree keeps the session lock.
    let sessions = (!drafted.meta.worktree).then_some(sessions);
    let (id, warnings) = finish_start(ctx, drafted, sessions, IndexUpdate::AtOnce)?;
    Ok(SessionStarted { session: view::show(ctx, id)?, warnings })
}

/// Starts a session on one of the fleet's own work items, which no tracker has. By default, its branch is named after
/// the item, and its prompt is the item's text.
pub(crate) fn start_own_work(
    ctx: &Context,
    item: &WorkItem,
    agent: Option<FleetAgentId>,
    params: SessionStartParams,
) -> Result<SessionStarted, ApiError> {
    let params = SessionStartParams {
        bead_id: None,
        title: Some(item.title.clone()),
        objective: Some(item.title.clone()),
        branch: params.branch.or_else(|| Some(format!("work/{}", item.bead_id))),
        prompt: params.prompt.or_else(|| Some(prompt::own_work(item))),
        ..params
    };
    start_for(ctx, params, ForFleet { agent, own_work: Some(item.bead_id.clone()), continues: false })
}

/// Gives a session at a place its own worktree on this machine, which follows the commits at the place.
fn with_folder_choice(params: SessionStartParams) -> Result<SessionStartParams, ApiError> {
    match (&params.place, params.folder) {
        (Some(_), FolderChoice::Repository) => {
            Err(ApiError::new(ErrorCode::Usage, "a session at a place needs a separate worktree"))
        }
        (Some(_), _) => Ok(SessionStartParams { folder: FolderChoice::Worktree, ..params }),
        (None, _) => Ok(params),
    }
}

/// Continues a drafted start until claude runs. `sessions` is `None` if the session works in its own worktree, which
/// does not need the session lock for the whole start.
pub(super) fn finish_start<'a>(
    ctx: &'a Context,
    drafted: Drafted,
    sessions: Option<SessionGuard<'a>>,
    index_update: IndexUpdate,
) -> Result<(SessionId, Vec<String>), ApiError> {
    let Drafted { mut meta, lock, agent, actor, bead, workspace, params, claimed, origin } = drafted;
    let id = meta.id;
    #[expect(clippy::needless_late_init, reason = "it must outlive the guard, whose steps borrow it")]
    let prepared;
    let mut undo = Undo::of(ctx, sessions, lock);
    if let Some(bead) = &bead {
        if claimed.is_none() {
            claim::claim(ctx, bead, &actor)?;
        }
        undo.push(|| claim::undo_claim(ctx, bead, &actor));
    }
    prepared = {
        let worktrees = ctx.worktree_lock();
        workspace.prepare(&worktrees)?
    };
    meta.base_commit = prepared.base_commit.clone();
    if meta.worktree {
        undo.push(|| prepared.discard_unused(&ctx.worktree_lock()));
        match meta.place {
            // The setup can take minutes.
            None => worktrees::set_up(ctx, &prepared.cwd)?,
            // The setup runs at the place, where the agent works.
            Some(_) => worktrees::check_permission(ctx, &prepared.cwd)?,
        }
    }
    let mut warnings = match &origin {
        // For a session at a place, the place writes the files.
        Some(origin) if meta.place.is_none() => origin::write_files(ctx, &prepared.cwd, origin)?,
        _ => Vec::new(),
    };
    let (sessions, lock) = undo.commit();
    let facts = recovery::StartFacts {
        stores: claimed.or_else(|| bead.as_ref().map(|bead| recovery::claimed(ctx, bead))),
        untouched: prepared.untouched && origin.is_none(),
    };
    warnings.extend(prepared.notes);
    if params.context == ContextChoice::Automatic {
        match context_pack::gather(ctx, &lock, &meta, bead.as_ref(), &params.pack) {
            Ok(notes) => warnings.extend(notes),
            Err(error) => warnings.push(format!("the session started without its context: {error}")),
        }
    }

    let objective = params.objective.filter(|text| !text.trim().is_empty());
    let prompt = match params.prompt {
        Some(text) => text,
        None => match &bead {
            Some(bead) => opening(ctx, bead, objective.as_deref()),
            None => objective.unwrap_or_default(),
        },
    };
    meta.name_after(&prompt);
    let conversation = ConversationId(Uuid::new_v4());
    let transcript = agent::transcript_at(ctx, &meta, conversation);
    let continues = match (&origin, &transcript) {
        (Some(origin), Some(path)) => origin::write_conversation(origin, path, conversation, &mut warnings),
        _ => false,
    };
    meta.claude_sessions.push(ClaudeSession {
        id: conversation,
        // Record the path now, in case the host dies before it records the same path.
        transcript_path: transcript.and_then(|path| path.to_str().map(str::to_owned)),
        started_at: now(),
        prompted: continues,
        extra: Default::default(),
    });
    let sessions = sessions.unwrap_or_else(|| ctx.session_lock());
    warnings.extend(pause_others(ctx, &sessions, id));
    view::accepted(meta.transition(Event::Start, now()), id)?;
    lock.save_meta(&meta).map_err(store_error)?;
    lock.save_opening(&prompt).map_err(store_error)?;
    let prompt = prompt::safe_argument(&prompt);
    let conversation = Conversation { id: conversation, prompt, resumes: continues };
    let wait_for = if params.at_once { WaitFor::Host } else { WaitFor::Claude };
    let launching = launch::LaunchSession { sessions, lock, meta, facts, index_update, wait_for };
    warnings.extend(launch::launch(ctx, launching, agent, conversation, params.size, false)?);
    Ok((id, warnings))
}

/// Removes a refused start's draft.
pub(super) fn discard(ctx: &Context, _: &Sessions, lock: SessionLock) {
    // A draft that cannot be removed is closed automatically later.
    let _ = ctx.store.discard(lock);
}
