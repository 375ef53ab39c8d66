//! Resumes a paused session: restores its folder (`folder`) and conversation (`conversation`), checks its bead
//! (`bead`), lists the changes made outside the session (`changes`), and reports them to claude in the
//! prompt.

mod bead;
mod changes;
mod conversation;
mod folder;

use super::{launch, stop::pause_others, view, workspace};
use crate::{
    context::{Context, errors::store_error, now},
    hosts, recovery,
    session::agent,
};
use bc_core::{
    bead::BeadStatus,
    ids::SessionId,
    prompt::{self, ResumeFacts, last_message_summary},
    session::{Event, Meta},
};
use bc_wire::{ApiError, ErrorCode, session::*, worktree::WorktreeRestored};

pub(crate) fn resume_preview(ctx: &Context, id: SessionId) -> Result<ResumePreview, ApiError> {
    let meta = ctx.meta(id)?;
    view::accepted(meta.clone().transition(Event::Resume, now()), id)?;
    Ok(examine(ctx, &meta)?.shown)
}

/// A preview, and the results that the resume itself needs.
struct Examined {
    shown: ResumePreview,
    folder: folder::FolderPlan,
    conversation: conversation::Found,
}

fn examine(ctx: &Context, meta: &Meta) -> Result<Examined, ApiError> {
    let bead = bead::check(ctx, meta);
    let folder = folder::find(ctx, meta)?;
    let changes = changes::since_pause(ctx, meta);
    let transcript = ctx.store.session(meta.id).transcript().map_err(store_error)?;
    let conversation = conversation::find(ctx, meta);
    let facts = ResumeFacts {
        bead: bead.shown,
        objective: meta.objective.clone(),
        last_message_summary: Some(last_message_summary(&transcript.messages)),
        files_touched: meta.files_touched.clone(),
        paused_at: meta.paused_at,
        external_changes: changes::lines(&changes),
    };
    let mut prompt = prompt::resume(&facts);
    let mut warnings: Vec<String> = bead.warning.into_iter().collect();
    let mut becomes = conversation.becomes();
    // With a runner, this machine may lack the transcript although claude has received the first prompt.
    if becomes == ResumeConversation::Begins
        && meta.runner.is_none()
        && let Some(opening) = ctx.store.session(meta.id).opening().map_err(store_error)?
    {
        prompt = opening;
    }
    if becomes == ResumeConversation::Primed {
        match prompt::digest(&transcript.messages) {
            Some(digest) => prompt = format!("{prompt}\n\n{digest}"),
            None => becomes = ResumeConversation::Begins,
        }
        warnings.push(
            "claude no longer has this conversation: a new one starts with the recorded history".to_owned(),
        );
    }
    warnings.extend(folder.shown.action.clone().filter(|_| folder.obstacle.is_none()));
    let shown = ResumePreview {
        prompt,
        bead_status: bead.now.as_ref().map(|bead| bead.status.clone()),
        warnings,
        obstacles: bead.obstacle.into_iter().chain(folder.obstacle.clone()).collect(),
        bead: bead.now,
        changes,
        folder: folder.shown.clone(),
        conversation: becomes,
    };
    Ok(Examined { shown, folder, conversation })
}

pub(crate) fn resume(ctx: &Context, params: SessionResumeParams) -> Result<SessionStarted, ApiError> {
    ctx.writable()?;
    let id = params.id;
    let dir = ctx.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    view::accepted(meta.clone().transition(Event::Resume, now()), id)?;
    let agent =
        agent::agent(ctx, meta.simulated, &meta.agent_id, meta.runner.as_deref(), meta.place.as_deref())?;
    let sessions = ctx.session_lock();
    let Some(lock) = hosts::lock_when_free(&dir)? else { return Err(in_use(id)) };
    // Read the record again under the lock, because another program may have resumed the session meanwhile.
    let mut meta = dir.meta().map_err(store_error)?;
    view::accepted(meta.clone().transition(Event::Resume, now()), id)?;
    // Git cannot list worktrees while one is being created.
    let worktrees = ctx.worktree_lock();
    let Examined { shown, folder, conversation } = examine(ctx, &meta)?;
    undecided(&shown.obstacles, &params)?;
    if let Some(bead) = shown.bead.as_ref().filter(|_| params.reclaim) {
        bead::reclaim(ctx, &meta, bead)?;
    }
    // If the bead is already in review, the host reports only a later move to review.
    let in_review = !params.reclaim && shown.bead_status == Some(BeadStatus::InReview);
    let notes = folder::carry_out(ctx, &worktrees, &mut meta, &folder, params.place)?;
    drop(worktrees);
    let sessions = workspace::set_up(ctx, sessions, &lock, &meta)?;
    let mut warnings = shown.warnings;
    warnings.extend(notes);
    warnings.extend(pause_others(ctx, &sessions, id));

    let prompt = prompt::safe_argument(&params.prompt.unwrap_or(shown.prompt));
    if conversation.has_messages() {
        lock.save_opening("").map_err(store_error)?;
    }
    let conversation = conversation.take(&mut meta, prompt);
    view::accepted(meta.transition(Event::Resume, now()), id)?;
    lock.save_meta(&meta).map_err(store_error)?;
    ctx.sync_index()?;
    let (index_update, wait_for) = (launch::IndexUpdate::AtOnce, launch::WaitFor::Claude);
    let launching = launch::LaunchSession {
        sessions,
        lock,
        meta,
        facts: recovery::StartFacts::default(),
        index_update,
        wait_for,
    };
    warnings.extend(launch::launch(ctx, launching, agent, conversation, params.size, in_review)?);
    Ok(SessionStarted { session: view::show(ctx, id)?, warnings })
}

/// Restores the folder of a paused session without resuming it.
pub(crate) fn restore_worktree(ctx: &Context, id: SessionId) -> Result<WorktreeRestored, ApiError> {
    ctx.writable()?;
    let dir = ctx.store.session(id);
    let sessions = ctx.session_lock();
    view::accepted(dir.meta().map_err(store_error)?.transition(Event::Resume, now()), id)?;
    let Some(lock) = hosts::lock_when_free(&dir)? else { return Err(in_use(id)) };
    let mut meta = dir.meta().map_err(store_error)?;
    view::accepted(meta.clone().transition(Event::Resume, now()), id)?;
    let worktrees = ctx.worktree_lock();
    let folder = folder::find(ctx, &meta)?;
    let before = meta.cwd.clone();
    let warnings = folder::carry_out(ctx, &worktrees, &mut meta, &folder, None)?;
    drop(worktrees);
    lock.save_meta(&meta).map_err(store_error)?;
    let sessions = workspace::set_up(ctx, sessions, &lock, &meta)?;
    ctx.sync_index()?;
    drop(sessions);
    let action = folder.shown.action;
    let path = meta.cwd.or(before).unwrap_or_default();
    Ok(WorktreeRestored { path, branch: meta.branch.map(|branch| branch.to_string()), action, warnings })
}

fn in_use(id: SessionId) -> ApiError {
    ApiError::new(ErrorCode::SessionState, format!("session {} is in use", id.short()))
        .hint("another program is starting or ending it; try again in a moment")
}

/// Fails if the parameters leave a decision open.
fn undecided(obstacles: &[Obstacle], params: &SessionResumeParams) -> Result<(), ApiError> {
    let open = obstacles.iter().filter(|obstacle| {
        let decided = obstacle.choices.iter().any(|choice| match choice {
            ResumeChoice::Anyway => params.anyway,
            ResumeChoice::Reclaim => params.reclaim,
            ResumeChoice::Restore => params.anyway || params.place == Some(ResumePlace::Restore),
            ResumeChoice::Stay => params.anyway || params.place == Some(ResumePlace::Stay),
            ResumeChoice::Worktree => params.anyway || params.place == Some(ResumePlace::Worktree),
            ResumeChoice::End => false,
        });
        !decided
    });
    let open: Vec<&Obstacle> = open.collect();
    if open.is_empty() {
        return Ok(());
    }
    let message: Vec<&str> = open.iter().map(|obstacle| obstacle.message.as_str()).collect();
    let choices: Vec<&str> = [
        (ResumeChoice::Anyway, "`--anyway` resumes anyway"),
        (ResumeChoice::Reclaim, "`--reclaim` claims the bead again"),
        (ResumeChoice::Restore, "`--place restore` restores it"),
        (ResumeChoice::Stay, "`--place stay` continues on what is checked out"),
        (ResumeChoice::Worktree, "`--place worktree` uses a separate worktree"),
        (ResumeChoice::End, "`session end` closes it"),
    ]
    .into_iter()
    .filter(|(choice, _)| open.iter().any(|obstacle| obstacle.choices.contains(choice)))
    .map(|(_, words)| words)
    .collect();
    Err(ApiError::new(ErrorCode::ConfirmationNeeded, message.join("; ")).hint(choices.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> SessionResumeParams {
        let id = SessionId(uuid::Uuid::nil());
        SessionResumeParams { id, prompt: None, size: None, anyway: false, reclaim: false, place: None }
    }

    fn obstacle(kind: ObstacleKind, choices: &[ResumeChoice]) -> Obstacle {
        Obstacle { kind, message: format!("{kind:?}"), choices: choices.to_vec() }
    }

    #[test]
    fn each_obstacle_needs_its_own_choice() {
        let moved = obstacle(ObstacleKind::BeadMoved, &[ResumeChoice::Reclaim, ResumeChoice::Anyway]);
        let other = obstacle(ObstacleKind::OtherBranch, &[ResumeChoice::Stay, ResumeChoice::End]);
        let both = [moved.clone(), other.clone()];
        let open = |obstacles: &[Obstacle], params| undecided(obstacles, &params).map_err(|e| e.message);
        assert_eq!(open(&[], params()), Ok(()));
        assert_eq!(open(&both, params()), Err("BeadMoved; OtherBranch".into()));
        let reclaim = SessionResumeParams { reclaim: true, ..params() };
        assert_eq!(open(&both, reclaim.clone()), Err("OtherBranch".into()));
        assert_eq!(open(&both, SessionResumeParams { place: Some(ResumePlace::Stay), ..reclaim }), Ok(()));
        assert_eq!(open(&both, SessionResumeParams { anyway: true, ..params() }), Ok(()));
        let restore = SessionResumeParams { place: Some(ResumePlace::Restore), ..params() };
        assert_eq!(open(&[other], restore), Err("OtherBranch".into()), "that choice is not available");
    }

    #[test]
    fn the_hint_names_only_the_possible_choices() {
        let closed = obstacle(ObstacleKind::BeadClosed, &[ResumeChoice::Anyway, ResumeChoice::End]);
        let error = undecided(&[closed], &params()).unwrap_err();
        assert_eq!(error.code, ErrorCode::ConfirmationNeeded);
        let hint = error.hint.unwrap();
        assert!(
            hint.contains("--anyway") && hint.contains("session end") && !hint.contains("--reclaim"),
            "{hint}"
        );
    }
}
