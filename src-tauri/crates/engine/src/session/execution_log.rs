//! Builds a session's execution log from its record, its conversation and git, and saves it in the bead's notes.

use super::{
    commit_gate,
    own_files::{OwnFiles, open_folder},
    view,
};
use crate::{
    context::{
        Context,
        diffs::commit_line,
        errors::{git_error, store_error, tracker_error},
        now,
    },
    fleet_state,
};
use bc_beads::Actor;
use bc_core::{
    bead::BeadStatus,
    execution::{ExecutionFacts, NotesEdit, last_summary, ran_commands, render, with_log},
    ids::{BeadId, SessionId},
    session::{CloseReason, Event, Meta},
    work::{FileChange, FileLine},
};
use bc_git::{Change, Repo};
use bc_wire::{ApiError, ErrorCode, session::*};
use std::path::{Path, PathBuf};

pub(crate) fn end_preview(ctx: &Context, id: SessionId) -> Result<EndPreview, ApiError> {
    let meta = ctx.meta(id)?;
    view::accepted(meta.clone().transition(Event::Close(CloseReason::User), now()), id)?;
    let mut warnings = Vec::new();
    let facts = facts(ctx, &meta, &mut warnings)?;
    let tracked = meta.bead_id.as_ref().filter(|bead| !fleet_state::is_own_work(ctx, bead));
    let bead = tracked.and_then(|bead| {
        let found = ctx.tracker().and_then(|tracker| tracker.show(bead).map_err(tracker_error));
        let found = found.map_err(|error| warnings.push(format!("the status of {bead} is unknown: {error}")));
        let bead = found.ok()?.bead;
        Some(EndBead { id: bead.id, title: bead.title, status: bead.status })
    });
    let suggest_review = bead.as_ref().is_some_and(|bead| bead.status == BeadStatus::InProgress);
    let needs_consent =
        suggest_review && ctx.tracker().is_ok_and(|tracker| tracker.needs_custom_status().unwrap_or(false));
    let refused = |error: ApiError| error.code == ErrorCode::CommitMissing;
    let no_commit = suggest_review && commit_gate::require_commit_of(ctx, &meta).is_err_and(refused);
    Ok(EndPreview { bead, suggest_review, needs_consent, no_commit, log: rendered(&facts), facts, warnings })
}

/// The log with secrets redacted, because the bead's notes reach the tracker's remote.
fn rendered(facts: &ExecutionFacts) -> String {
    bc_redact::redact_text(&render(facts)).0.into_owned()
}

/// The execution log as shown in the preview. It is saved if the user ends the session for review without
/// editing the log.
pub(super) fn log(ctx: &Context, meta: &Meta, warnings: &mut Vec<String>) -> Result<String, ApiError> {
    facts(ctx, meta, warnings).map(|facts| rendered(&facts))
}

/// Saves a session's log, as shown in the preview, in a bead's notes.
pub(crate) fn save_for(ctx: &Context, bead: &BeadId, meta: &Meta, actor: &Actor) -> Result<(), ApiError> {
    let log = log(ctx, meta, &mut Vec::new())?;
    save_log(ctx, bead, &log, actor).map(drop)
}

/// Saves the log under `## Execution Log` in the bead's notes; returns whether the notes now contain it (`false` for
/// an empty log).
pub(super) fn save_log(ctx: &Context, bead: &BeadId, log: &str, actor: &Actor) -> Result<bool, ApiError> {
    let tracker = ctx.tracker()?;
    let notes = tracker.show(bead).map_err(tracker_error)?.notes;
    match with_log(&notes, log) {
        NotesEdit::Append(text) => tracker.append_notes(bead, &text, actor).map_err(tracker_error)?,
        NotesEdit::Replace(text) => tracker.set_notes(bead, &text, actor).map_err(tracker_error)?,
        NotesEdit::Nothing => return Ok(!log.trim().is_empty()),
    }
    Ok(true)
}

fn facts(ctx: &Context, meta: &Meta, warnings: &mut Vec<String>) -> Result<ExecutionFacts, ApiError> {
    let messages = ctx.store.session(meta.id).transcript().map_err(store_error)?.messages;
    let mut facts = ExecutionFacts {
        session: meta.id,
        started_at: meta.started_at,
        agent: meta.agent_id.clone(),
        branch: meta.branch.clone(),
        active_ms: meta.active_ms(now()),
        files: Vec::new(),
        commits: Vec::new(),
        commands: ran_commands(&messages),
        summary: last_summary(&messages),
        simulated: meta.simulated,
    };
    if let Err(error) = from_git(ctx, meta, &mut facts) {
        warnings.push(format!("git failed to report the session's changes: {error}"));
    }
    Ok(facts)
}

fn from_git(ctx: &Context, meta: &Meta, facts: &mut ExecutionFacts) -> Result<(), ApiError> {
    let main = ctx.project.repo()?;
    let opened = open_folder(&main, meta);
    let head = opened.as_ref().map(|(worktree, _)| worktree.head()).transpose().map_err(git_error)?;
    let on_branch = head.as_ref().is_some_and(|head| head.branch == meta.branch);
    let tip = match &meta.branch {
        Some(branch) => main.tip(branch).map_err(git_error)?,
        None => head.and_then(|head| head.commit),
    };
    if let (Some(base), Some(tip)) = (meta.base_commit.as_deref(), &tip) {
        // The record of a live session lacks the commits of its current turn.
        let live = meta.status == bc_core::session::Status::Active;
        let all = main.commits_between(Some(base), tip).map_err(git_error)?.into_iter().map(commit_line);
        facts.commits = all.filter(|c| live || meta.commits.contains(&c.hash)).collect();
    }
    if let (Some((worktree, folder)), true, Some(base)) = (opened, on_branch, meta.base_commit.as_deref()) {
        facts.files = files(&worktree, &folder, meta, base)?;
    }
    Ok(())
}

/// The files that differ from the session's base commit. Excludes existing files that were last modified
/// before the session's start and that claude did not touch.
fn files(worktree: &Repo, folder: &Path, meta: &Meta, base: &str) -> Result<Vec<FileLine>, ApiError> {
    let own = OwnFiles::of(meta, folder);
    let top = worktree.top_level();
    let mut lines = Vec::new();
    let mut add = |path: &Path, change| {
        let shown = path.strip_prefix(folder).or_else(|_| path.strip_prefix(top)).unwrap_or(path);
        lines.push(FileLine { path: shown.to_string_lossy().into_owned(), change });
    };
    for file in worktree.changed_files(base).map_err(git_error)? {
        let path = top.join(&file.path);
        match file.change {
            Change::Deleted => add(&path, FileChange::Deleted),
            Change::Added if own.has(&path) => add(&path, FileChange::New),
            Change::Modified | Change::Renamed { .. } | Change::Unmerged if own.has(&path) => {
                add(&path, FileChange::Modified);
            }
            _ => {}
        }
    }
    for entry in worktree.status().map_err(git_error)?.untracked {
        let path = top.join(&entry);
        let inside: Vec<&PathBuf> =
            own.touched.iter().filter(|file| file.starts_with(&path) && file.is_file()).collect();
        match inside.is_empty() {
            // A file that a command created, or a new folder without any file that claude is known to have touched.
            true if own.has(&path) => add(&path, FileChange::New),
            true => {}
            false => {
                let new = inside.into_iter().filter(|file| own.is_modified_since_start(file));
                new.for_each(|file| add(file, FileChange::New));
            }
        }
    }
    lines.sort();
    lines.dedup();
    Ok(lines)
}
