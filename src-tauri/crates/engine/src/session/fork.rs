//! Forks a session: starts a new one from a checkpoint, on a new branch and in a new worktree with the
//! checkpoint's files. It continues the conversation before one of the checkpoint's prompts, if possible.
//!
//! The branch starts at the commit that was checked out at the checkpoint; changes that were uncommitted at
//! that time are uncommitted again. The new session has no bead, because the original session keeps it.

use super::{
    agent, checkpoints,
    drafting::{ForFleet, draft},
    launch::IndexUpdate,
    origin::{Origin, OriginConversation, RecordedOrigin},
    place_files::FilesAtPlace,
    start, view, workspace,
};
use crate::context::{Context, errors::git_error};
use bc_claude::transcript::PromptMark;
use bc_core::{ids::BranchName, session::Meta};
use bc_git::{Checkpoint, CheckpointTurn, Repo};
use bc_wire::{ApiError, ErrorCode, session::*};

pub(crate) fn fork(ctx: &Context, params: SessionForkParams) -> Result<SessionStarted, ApiError> {
    ctx.writable()?;
    let from = checkpoints::open_session(ctx, ctx.meta(params.id)?)?;
    if let Some(files) = FilesAtPlace::of(ctx, &from.meta)?
        && let Err(error) = files.fetch()
    {
        // A fetched checkpoint may be older, but is better than none while the place cannot be reached.
        tracing::warn!(%error, "the newest checkpoints could not be fetched");
        if from.repo.checkpoint(params.id, params.checkpoint).map_err(git_error)?.is_none() {
            return Err(error);
        }
    }
    let checkpoint = checkpoints::find_checkpoint(&from.repo, params.id, params.checkpoint)?;
    let turn = turn_of(&checkpoint, params.turn)?.cloned();
    let Some(head) = checkpoint.head.clone() else {
        return Err(ApiError::new(
            ErrorCode::NoCommits,
            "the checkpoint was created before the first commit",
        )
        .hint("restore the checkpoint instead, or choose a later one"));
    };
    let meta = from.meta;
    let agent =
        agent::agent(ctx, meta.simulated, &meta.agent_id, meta.runner.as_deref(), meta.place.as_deref())?;
    let branch = match params.branch.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => new_branch(&from.repo, name)?,
        None => free_branch(&from.repo, &meta)?,
    };
    let start_params = SessionStartParams {
        title: Some(title(&meta)),
        objective: meta.objective.clone(),
        branch: Some(branch.to_string()),
        agent: meta.agent_id.clone(),
        mode: meta.mode,
        model: meta.model.clone(),
        prompt: Some(params.prompt.unwrap_or_default()),
        folder: FolderChoice::Worktree,
        context: ContextChoice::None,
        simulated: meta.simulated,
        size: params.size,
        runner: meta.runner.clone(),
        place: meta.place.clone(),
        ..SessionStartParams::default()
    };
    let conversation = turn.as_ref().and_then(|turn| conversation_of(ctx, &meta, turn));
    let sessions = ctx.session_lock();
    let unfinished = workspace::unfinished(ctx, |_| true)?;
    let mut drafted = draft(ctx, &sessions, agent, (start_params, ForFleet::default()), None, &unfinished)?;
    let base_branch = meta.base_branch.clone().or_else(|| meta.branch.clone());
    drafted.workspace.start_at(head.as_str(), base_branch.clone());
    drafted.meta.base_branch = base_branch;
    let turn = turn.map(|turn| turn.turn);
    RecordedOrigin { session: meta.id, checkpoint: checkpoint.number, turn }.record_in(&mut drafted.meta);
    drafted.origin = Some(Origin { checkpoint, conversation });
    drop(sessions);
    let (id, warnings) = start::finish_start(ctx, drafted, None, IndexUpdate::AtOnce)?;
    Ok(SessionStarted { session: view::show(ctx, id)?, warnings })
}

/// The prompt at which the conversation is cut: the requested prompt, else the checkpoint's first prompt.
fn turn_of(checkpoint: &Checkpoint, wanted: Option<u32>) -> Result<Option<&CheckpointTurn>, ApiError> {
    let turns = &checkpoint.record.turns;
    let Some(wanted) = wanted else { return Ok(turns.first()) };
    let found = turns.iter().find(|turn| turn.turn == wanted);
    found.map(Some).ok_or_else(|| {
        let text = format!("checkpoint {} is not of prompt {wanted}", checkpoint.number);
        ApiError::new(ErrorCode::CheckpointNotFound, text)
    })
}

fn title(meta: &Meta) -> String {
    let title = meta.title.as_deref().filter(|title| !title.trim().is_empty());
    title.map_or_else(|| format!("Fork of {}", meta.id.short()), |title| format!("{title} (fork)"))
}

/// A name for the new branch: the session's branch name with the first free number, from 2.
fn free_branch(repo: &Repo, meta: &Meta) -> Result<BranchName, ApiError> {
    let base = match &meta.branch {
        Some(branch) => branch.to_string(),
        None => format!("session/{}", meta.id.short()),
    };
    let mut number = 2;
    loop {
        let name = repo.check_branch_name(&format!("{base}-{number}")).map_err(git_error)?;
        if !repo.branch_exists(&name).map_err(git_error)? {
            return Ok(name);
        }
        number += 1;
    }
}

fn new_branch(repo: &Repo, name: &str) -> Result<BranchName, ApiError> {
    let name = repo.check_branch_name(name).map_err(git_error)?;
    match repo.branch_exists(&name).map_err(git_error)? {
        false => repo.check_new_branch(&name).map(|()| name).map_err(git_error),
        true => Err(ApiError::new(ErrorCode::BranchExists, format!("the branch {name} exists"))
            .hint("a fork needs a new branch: choose another name")),
    }
}

fn conversation_of(ctx: &Context, meta: &Meta, turn: &CheckpointTurn) -> Option<OriginConversation> {
    let wanted = turn.place.conversation;
    let conversation = match wanted {
        Some(id) => meta.claude_sessions.iter().find(|known| known.id == id),
        None => meta.claude_sessions.last(),
    };
    let transcript = agent::transcript_of(ctx, meta, conversation?)?;
    let before = PromptMark { id: turn.place.prompt.clone(), at: turn.at, words: turn.words.clone() };
    Some(OriginConversation { transcript, before })
}
