//! Lists, compares, restores and deletes a session's checkpoints.
//!
//! Deliberately elsewhere: creating and storing checkpoints (`bc-git`), and starting a new session from a
//! checkpoint (`fork`).

use super::{
    own_files::open_folder,
    place_files::{FileCommand, FilesAtPlace, NoAnswer},
    view,
};
use crate::context::{Context, diffs::file_diff, errors::git_error, now};
use bc_core::{
    Timestamp,
    ids::SessionId,
    session::{Meta, Status},
};
use bc_git::{AppliedRestore, Checkpoint, LeftOutReason, ObjectId, Repo, RestoreFailure, Spaces};
use bc_wire::{ApiError, ErrorCode, session::*};
use std::{
    path::{Component, Path},
    time::Duration,
};

/// The time limit for a snapshot of the current files.
const NOW_WITHIN: Duration = Duration::from_secs(60);

/// A session, and the repository of its checkpoints: opened in the session's folder if that is possible, else
/// in the project.
pub(super) struct SessionRepo {
    pub(super) meta: Meta,
    pub(super) repo: Repo,
    has_folder: bool,
}

pub(super) fn open_session(ctx: &Context, meta: Meta) -> Result<SessionRepo, ApiError> {
    let main = ctx.project.repo()?;
    Ok(match open_folder(&main, &meta) {
        Some((repo, _)) => SessionRepo { meta, repo, has_folder: true },
        None => SessionRepo { meta, repo: main, has_folder: false },
    })
}

pub(crate) fn checkpoints(ctx: &Context, id: SessionId) -> Result<SessionCheckpoints, ApiError> {
    let session = open_session(ctx, ctx.meta(id)?)?;
    let Some(files) = FilesAtPlace::of(ctx, &session.meta)? else { return list(&session) };
    files.run(FileCommand::Checkpoints).or_else(|error| {
        let note = format!(
            "{}: you can compare fetched checkpoints, and start a new session from one",
            error.message()
        );
        let meta = session.meta.clone();
        let fetched = SessionRepo { has_folder: false, repo: ctx.project.repo()?, meta };
        Ok(SessionCheckpoints { notes: vec![note], ..list(&fetched)? })
    })
}

pub(super) fn list(session: &SessionRepo) -> Result<SessionCheckpoints, ApiError> {
    let id = session.meta.id;
    let all = session.repo.checkpoints(id).map_err(git_error)?;
    let mut notes = Vec::new();
    if !session.has_folder {
        notes
            .push("its folder does not exist: files can be compared, and a new session can start".to_owned());
    }
    // Without the current state, only the changes since the last checkpoint are unknown.
    let now = match (session.has_folder, all.is_empty()) {
        (true, false) => match session.repo.snapshot(NOW_WITHIN) {
            Ok(snapshot) => Some(snapshot.tree),
            Err(error) => {
                notes.push(format!("the current state is unknown: {}", git_error(error).message));
                None
            }
        },
        _ => None,
    };
    let trees: Vec<&ObjectId> = all.iter().map(|kept| &kept.tree).chain(&now).collect();
    let pairs: Vec<(&ObjectId, &ObjectId)> = trees.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let counts = session.repo.tree_counts(&pairs).map_err(git_error)?;
    let mut counts = counts.into_iter();
    let checkpoints = all.into_iter().map(|kept| line(id, kept, counts.next())).collect();
    Ok(SessionCheckpoints { checkpoints, has_folder: session.has_folder, notes })
}

fn line(session: SessionId, kept: Checkpoint, changed: Option<bc_git::FileCount>) -> CheckpointLine {
    let reference = kept.reference(session);
    let record = kept.record;
    let turn =
        |turn: bc_git::CheckpointTurn| CheckpointTurn { turn: turn.turn, at: turn.at, words: turn.words };
    let files = record.restored_files;
    CheckpointLine {
        number: kept.number,
        reference,
        at: record.at,
        head: kept.head.map(|head| head.as_str().to_owned()),
        branch: record.branch,
        turns: record.turns.into_iter().map(turn).collect(),
        restore: record.restored.map(|checkpoint| CheckpointRestore { checkpoint, files }),
        changed: changed.map(|count| CheckpointCounts {
            files: count.files,
            added: count.added,
            removed: count.removed,
        }),
        left_out: record
            .left_out
            .files
            .into_iter()
            .map(|file| CheckpointFile { path: file.path, why: reason(file.why).to_owned() })
            .collect(),
        left_out_more: record.left_out.more,
        submodules: record.submodules,
    }
}

fn reason(why: LeftOutReason) -> &'static str {
    match why {
        LeftOutReason::TooLarge => "too large",
        LeftOutReason::TooMany => "too many untracked files",
        LeftOutReason::Unreadable => "cannot be read",
        LeftOutReason::Repository => "has its own repository",
        LeftOutReason::Other => "left out",
    }
}

pub(crate) fn compare(
    ctx: &Context,
    params: &CheckpointCompareParams,
) -> Result<CheckpointChanges, ApiError> {
    let session = open_session(ctx, ctx.meta(params.id)?)?;
    if let Some(files) = FilesAtPlace::of(ctx, &session.meta)? {
        match (files.run(FileCommand::Compare(*params)), params.to) {
            // Two fetched checkpoints can be compared without the place.
            (Err(NoAnswer::Unreachable(_)), Some(_)) => {}
            (answer, _) => return Ok(answer?),
        }
    }
    compare_in(&session, params)
}

pub(super) fn compare_in(
    session: &SessionRepo,
    params: &CheckpointCompareParams,
) -> Result<CheckpointChanges, ApiError> {
    let from = find_checkpoint(&session.repo, params.id, params.from)?;
    let spaces = if params.ignore_space { Spaces::Ignore } else { Spaces::Count };
    let (to, uncommitted) = match params.to {
        Some(number) => (find_checkpoint(&session.repo, params.id, number)?.tree, Vec::new()),
        None => {
            require_folder(session)?;
            let snapshot = session.repo.snapshot(NOW_WITHIN).map_err(git_error)?;
            let status = session.repo.status().map_err(git_error)?;
            let changed = status.changed.into_iter().map(|file| file.path).chain(status.untracked);
            (snapshot.tree, changed.map(|path| path.display().to_string()).collect::<Vec<_>>())
        }
    };
    let diffs = session.repo.checkpoint_diffs(&from.tree, &to, spaces).map_err(git_error)?;
    // Git's status lists a folder of untracked files as one entry that ends with `/`.
    let is_changed = |path: &str| {
        uncommitted
            .iter()
            .any(|changed| changed == path || changed.ends_with('/') && path.starts_with(changed))
    };
    let names = diffs.files.iter().map(|file| file.path.clone());
    let uncommitted = names.filter(|path| is_changed(path)).collect();
    Ok(CheckpointChanges {
        files: diffs.files.into_iter().map(file_diff).collect(),
        cut: diffs.cut,
        uncommitted,
    })
}

pub(super) fn find_checkpoint(repo: &Repo, id: SessionId, number: u32) -> Result<Checkpoint, ApiError> {
    repo.checkpoint(id, number).map_err(git_error)?.ok_or_else(|| {
        let text = format!("session {} has no checkpoint {number}", id.short());
        ApiError::new(ErrorCode::CheckpointNotFound, text)
            .hint(format!("`beads-console session checkpoints {}` lists them", id.short()))
    })
}

fn require_folder(session: &SessionRepo) -> Result<(), ApiError> {
    match session.has_folder {
        true => Ok(()),
        false => {
            let text = format!("the folder of session {} does not exist", session.meta.id.short());
            Err(ApiError::new(ErrorCode::SessionState, text)
                .hint("resume the session, or start a new one from the checkpoint"))
        }
    }
}

pub(crate) fn restore_files(ctx: &Context, params: &RestoreFilesParams) -> Result<FilesRestored, ApiError> {
    ctx.writable()?;
    for file in &params.files {
        check_path(file)?;
    }
    let meta = ctx.meta(params.id)?;
    if let Some(files) = FilesAtPlace::of(ctx, &meta)? {
        return Ok(files.run(FileCommand::Restore(params.clone()))?);
    }
    // The session lock prevents sessions from starting in the folder during the restore.
    let _sessions = ctx.session_lock();
    restore_in(ctx, &open_session(ctx, ctx.meta(params.id)?)?, params, now())
}

pub(super) fn restore_in(
    ctx: &Context,
    session: &SessionRepo,
    params: &RestoreFilesParams,
    at: Timestamp,
) -> Result<FilesRestored, ApiError> {
    require_folder(session)?;
    let to = find_checkpoint(&session.repo, params.id, params.checkpoint)?;
    if !params.anyway {
        require_confirmation(ctx, session, &to)?;
    }
    let restored = session.repo.restore_checkpoint(params.id, &to, &params.files, at);
    let AppliedRestore { before, written, deleted, skipped, submodules } = restored.map_err(failure)?;
    let skipped = skipped.into_iter().map(|file| CheckpointFile { path: file.path, why: file.why });
    Ok(FilesRestored {
        reference: before.as_ref().map(|kept| kept.reference(params.id)),
        undo: before.map(|kept| kept.number),
        written,
        deleted,
        skipped: skipped.collect(),
        submodules,
    })
}

/// Fails if the restore needs the user's confirmation.
fn require_confirmation(ctx: &Context, session: &SessionRepo, to: &Checkpoint) -> Result<(), ApiError> {
    let mut why = Vec::new();
    let shown = view::of(ctx, session.meta.clone());
    if shown.live.is_some_and(|live| matches!(live.activity, Activity::Working | Activity::WaitingPermission))
    {
        why.push("claude is working and may write the same files".to_owned());
    }
    let head = session.repo.head().map_err(git_error)?.branch.map(|branch| branch.to_string());
    if head != to.record.branch {
        let name = |branch: Option<String>| branch.unwrap_or_else(|| "no branch".to_owned());
        why.push(format!(
            "{} is checked out now, and {} was then",
            name(head),
            name(to.record.branch.clone())
        ));
    }
    let top = session.repo.top_level();
    let inside = |meta: &Meta| meta.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).starts_with(top));
    let others = ctx.metas()?.into_iter().filter(|meta| meta.id != session.meta.id && inside(meta));
    for other in others.filter(|meta| meta.status == Status::Active) {
        // A linked worktree can be inside the main tree's folder but is a different tree.
        let cwd = other.cwd.as_deref().map(Path::new);
        if cwd.and_then(|cwd| session.repo.at(cwd).ok()).is_some_and(|repo| repo.top_level() == top) {
            why.push(format!("session {} works in the same folder", other.id.short()));
        }
    }
    match why.is_empty() {
        true => Ok(()),
        false => Err(ApiError::new(ErrorCode::ConfirmationNeeded, why.join("; "))
            .hint("the current files are kept as a checkpoint; add --anyway to restore")),
    }
}

fn check_path(file: &str) -> Result<(), ApiError> {
    // On Windows, a path can leave the folder without being absolute: `C:file`, `\file`.
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let outside = file.is_empty() || file.contains('\0') || !Path::new(file).components().all(inside);
    match outside {
        true => Err(ApiError::new(ErrorCode::Usage, format!("{file:?} is not a path in the repository"))
            .hint("name files as `session checkpoints --compare` lists them")),
        false => Ok(()),
    }
}

fn failure(failure: RestoreFailure) -> ApiError {
    match failure {
        RestoreFailure::Git(error) => git_error(error),
        changed @ RestoreFailure::ChangedMeanwhile { .. } => {
            ApiError::new(ErrorCode::FilesChanged, changed.to_string())
        }
        later @ RestoreFailure::LaterVersion { .. } => ApiError::new(ErrorCode::Usage, later.to_string()),
    }
}

/// Removes the checkpoints of sessions that were purged.
pub(crate) fn delete_checkpoints(ctx: &Context, sessions: &[SessionId]) {
    let Ok(repo) = ctx.project.repo() else { return };
    for id in sessions {
        // Checkpoints that could not be removed only take up disk space.
        if let Err(error) = repo.delete_checkpoints(*id) {
            tracing::warn!(session = %id, %error, "checkpoints of a purged session were not removed");
        }
    }
}

#[cfg(test)]
mod tests;
