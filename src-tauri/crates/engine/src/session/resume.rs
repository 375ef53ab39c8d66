//! Going on with a paused session: the same conversation, told what is known of the time between.

use super::{
    launch::{self, Conversation},
    view, workspace,
};
use crate::{
    engine::{Engine, now},
    errors::{git_error, store_error},
};
use bc_core::{
    bead::BeadStatus,
    ids::{ConversationId, SessionId},
    prompt::{self, ResumeBead, ResumeFacts, last_message_summary},
    session::{ClaudeSession, Event, Meta},
};
use bc_wire::{ApiError, ErrorCode, session::*};
use std::path::Path;
use uuid::Uuid;

pub(crate) fn resume_preview(engine: &Engine, id: SessionId) -> Result<ResumePreview, ApiError> {
    let meta = engine.store.session(id).meta().map_err(store_error)?;
    view::accepted(meta.clone().transition(Event::Resume, now()), id)?;
    preview(engine, &meta)
}

fn preview(engine: &Engine, meta: &Meta) -> Result<ResumePreview, ApiError> {
    let mut warnings = Vec::new();
    let bead = meta.bead_id.as_ref().map(|id| {
        let found = engine.tracker().and_then(|t| t.show(id).map_err(crate::errors::tracker_error));
        match found {
            Ok(detail) => {
                let status = detail.bead.status;
                if status != BeadStatus::InProgress {
                    warnings.push(format!("{id} is {} now", status.as_str()));
                }
                if let Some(by) = detail.bead.assignee.filter(|by| Some(by) != meta.actor.as_ref()) {
                    warnings.push(format!("{id} is assigned to {by} now"));
                }
                ResumeBead { title: detail.bead.title, status: Some(status) }
            }
            Err(error) => {
                warnings.push(format!("what became of {id} is not known: {error}"));
                ResumeBead { title: id.to_string(), status: None }
            }
        }
    });
    let messages = engine.store.session(meta.id).transcript().map_err(store_error)?.messages;
    let facts = ResumeFacts {
        objective: meta.objective.clone(),
        last_message_summary: Some(last_message_summary(&messages)),
        files_touched: meta.files_touched.clone(),
        paused_at: meta.paused_at,
        external_changes: commits_of_others(engine, meta),
        bead: bead.clone(),
    };
    Ok(ResumePreview { prompt: prompt::resume(&facts), bead_status: bead.and_then(|b| b.status), warnings })
}

/// Commits on the session's branch that the session did not make; `None` where nobody can tell.
fn commits_of_others(engine: &Engine, meta: &Meta) -> Option<Vec<String>> {
    let base = meta.base_commit.as_deref()?;
    let folder = meta.cwd.as_deref().map(Path::new).filter(|p| p.is_dir())?;
    let commits = engine.project.repo().ok()?.at(folder).ok()?.commits_since(Some(base)).ok()?;
    let others = commits.iter().filter(|c| !meta.commits.contains(&c.hash));
    let line = |c: &bc_git::Commit| {
        let short: String = c.hash.chars().take(8).collect();
        format!(
            "commit {short} {} ({})",
            bc_core::text::one_line(&c.subject),
            bc_core::text::one_line(&c.author)
        )
    };
    Some(others.map(line).collect())
}

pub(crate) fn resume(engine: &Engine, params: SessionResumeParams) -> Result<SessionStarted, ApiError> {
    engine.writable()?;
    let id = params.id;
    let dir = engine.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    view::accepted(meta.clone().transition(Event::Resume, now()), id)?;
    let agent = launch::agent(engine, meta.simulated, &meta.agent_id)?;
    let _turn = engine.turn();
    let Some(lock) = dir.try_lock().map_err(store_error)? else {
        return Err(ApiError::new(ErrorCode::SessionState, format!("session {} is in use", id.short()))
            .hint("another program is starting or ending it; look again in a moment"));
    };
    // Under the lock the record is what it is; before it, another program may have resumed it.
    let mut meta = dir.meta().map_err(store_error)?;
    let mut preview = preview(engine, &meta)?;
    let prompt = params.prompt.unwrap_or(preview.prompt);
    let prompt = prompt::safe_argument(&prompt);
    restore_folder(engine, &mut meta)?;

    let last = meta.claude_sessions.last().filter(|c| c.prompted);
    let conversation = match last {
        Some(last) if launch::conversation_exists(engine, &meta, last) => {
            Conversation::Old { id: last.id, prompt }
        }
        found => {
            let lost = found.is_some();
            if lost {
                preview.warnings.push(
                    "claude no longer has this conversation, so a new one begins; what was said is kept here"
                        .to_owned(),
                );
            }
            // Without any prompt yet there is no conversation: the same id is still free.
            let id = match meta.claude_sessions.last() {
                Some(unused) if !lost => unused.id,
                _ => ConversationId(Uuid::new_v4()),
            };
            if meta.claude_sessions.last().is_none_or(|c| c.id != id) {
                meta.claude_sessions.push(ClaudeSession {
                    id,
                    transcript_path: None,
                    started_at: now(),
                    prompted: false,
                    extra: Default::default(),
                });
            }
            Conversation::New { id, prompt }
        }
    };
    view::accepted(meta.transition(Event::Resume, now()), id)?;
    lock.save_meta(&meta).map_err(store_error)?;
    engine.sync_index()?;
    let mut started = launch::launch(engine, agent, lock, meta, conversation, params.size)?;
    started.warnings.splice(0..0, preview.warnings);
    Ok(started)
}

/// Makes the session's folder what it was: its worktree there, its branch checked out.
fn restore_folder(engine: &Engine, meta: &mut Meta) -> Result<(), ApiError> {
    let choice = if meta.worktree { FolderChoice::Worktree } else { FolderChoice::Auto };
    if let Some(cwd) = meta.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_dir()) {
        let here = engine.project.repo()?.at(cwd).and_then(|r| r.head()).map_err(git_error)?;
        if here.branch == meta.branch {
            return Ok(());
        }
        if meta.worktree {
            let found = here.branch.map_or("no branch".to_owned(), |b| b.to_string());
            let wanted = meta.branch.as_ref().map_or("no branch".to_owned(), |b| b.to_string());
            return Err(ApiError::new(
                ErrorCode::BranchInUse,
                format!("{} has {found} checked out, the session worked on {wanted}", cwd.display()),
            )
            .hint(format!("check {wanted} out there, then resume")));
        }
    }
    let Some(branch) = meta.branch.clone() else { return Ok(()) };
    let workspace = workspace::decide(engine, choice, Some(&branch), Some(meta.id))?.make()?;
    meta.cwd = Some(workspace.cwd.display().to_string());
    meta.worktree = workspace.worktree;
    Ok(())
}
