//! Reverts a file or a hunk to its state before the session, and undoes reverts.
//!
//! Before a change, the file's exact state is kept under a private reference of the repository, so that an
//! undo works after a restart. The index, HEAD and other files stay unchanged. After a crash during the
//! revert, an undo can still restore the kept state.

use super::tree_files::{self, FileState, StoredState};
use crate::{
    context::{Context, errors::git_error, now, secret_redaction::json_error},
    session::{
        changes::SessionTree,
        place_files::{FileCommand, FilesAtPlace},
        untrusted_answers::UntrustedAnswer,
    },
};
use bc_core::{Timestamp, ids::SessionId};
use bc_git::{KeptVersion, ObjectId, Repo};
use bc_wire::{
    ApiError, ErrorCode,
    diff::{DiffChange, FileDiff},
    session::*,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of reverts that are kept for each session.
const MOST: usize = 100;

/// The record of a revert, stored with its kept version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    path: String,
    #[serde(default)]
    hunk: Option<String>,
    at: Timestamp,
    /// Absent or false until the revert is complete.
    #[serde(default)]
    finished: bool,
    files: Vec<FileRecord>,
}

/// One path that the revert changes, with its states before and after. `None` means that no file exists;
/// `after` is valid only once the revert is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FileRecord {
    path: String,
    before: Option<StoredState>,
    after: Option<StoredState>,
}

fn refs_of(id: SessionId) -> String {
    format!("refs/beads-console/reverts/{id}")
}

pub(crate) fn revert(ctx: &Context, params: &RevertParams) -> Result<KeptRevert, ApiError> {
    let command = FileCommand::Revert(params.clone());
    change_files(ctx, params.id, command, |tree| revert_in(tree, params, now()))
}

/// Runs the command at the session's place, or `local` on this machine.
fn change_files<T: UntrustedAnswer>(
    ctx: &Context,
    id: SessionId,
    command: FileCommand,
    local: impl FnOnce(&SessionTree) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    ctx.writable()?;
    let meta = ctx.meta(id)?;
    if let Some(files) = FilesAtPlace::of(ctx, &meta)? {
        return Ok(files.run(command)?);
    }
    let _worktrees = ctx.worktree_lock();
    local(&SessionTree::of(ctx, ctx.meta(id)?)?)
}

pub(in crate::session) fn revert_in(
    tree: &SessionTree,
    params: &RevertParams,
    at: Timestamp,
) -> Result<KeptRevert, ApiError> {
    let file = tree.file(&params.path)?;
    if params.content.is_some() && params.content != file.content {
        let text = format!("{} has changed since it was displayed: nothing was reverted", file.path);
        return Err(ApiError::new(ErrorCode::FileRefused, text).hint("refresh the changes and try again"));
    }
    let base = tree.base()?;
    let repo = &tree.worktree;
    match params.hunk {
        None => {
            let paths: Vec<String> = file.from.iter().cloned().chain([file.path.clone()]).collect();
            keep(repo, tree.meta.id, at, &file.path, None, &paths, || restore_base(repo, &base, &paths))
        }
        Some(n) => {
            let (patch, head) = hunk(repo, &base, &file, n)?;
            keep(repo, tree.meta.id, at, &file.path, Some(head), std::slice::from_ref(&file.path), || {
                let fits = repo.apply_backwards(&patch).map_err(git_error)?;
                fits.map_err(|why| {
                    let text = format!("the hunk of {} cannot be reverted: {why}", file.path);
                    ApiError::new(ErrorCode::FileRefused, text)
                        .hint("refresh the changes, or revert the whole file")
                })
            })
        }
    }
}

/// Restores these files to their state in the base, and removes the files that the base does not contain.
fn restore_base(repo: &Repo, base: &ObjectId, paths: &[String]) -> Result<(), ApiError> {
    let mut known = Vec::new();
    for path in paths {
        let file = tree_files::path_in_tree(repo, path)?;
        // Fails for a folder or a special file.
        tree_files::state(&file)?;
        match repo.has_file(base, path).map_err(git_error)? {
            true => known.push(path.as_str()),
            false => tree_files::write(&file, None)?,
        }
    }
    match known.is_empty() {
        true => Ok(()),
        false => repo.restore_files(base, &known).map_err(git_error),
    }
}

/// The patch of one of a file's hunks, and the hunk's `@@` line.
fn hunk(repo: &Repo, base: &ObjectId, file: &FileDiff, n: u32) -> Result<(Vec<u8>, String), ApiError> {
    let whole_only = || {
        let text = format!("single hunks of {} cannot be reverted", file.path);
        ApiError::new(ErrorCode::FileRefused, text).hint("revert the whole file")
    };
    if file.change != DiffChange::Modified {
        return Err(whole_only());
    }
    let patch = repo.patch_of(base, &file.path).map_err(git_error)?;
    let starts: Vec<usize> =
        patch.windows(4).enumerate().filter(|(_, bytes)| *bytes == b"\n@@ ").map(|(at, _)| at + 1).collect();
    let n = n as usize;
    let (Some(&first), Some(&start)) = (starts.first(), starts.get(n)) else {
        return Err(ApiError::new(ErrorCode::Usage, format!("{} has no hunk {n}", file.path)));
    };
    let end = starts.get(n + 1).copied().unwrap_or(patch.len());
    let line = patch[start..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let head = bc_core::text::cut(&bc_core::text::one_line(&String::from_utf8_lossy(line)), 200);
    Ok(([&patch[..first], &patch[start..end]].concat(), head))
}

/// Keeps the state of these paths as a version, runs `change`, and adds the resulting state to the version's
/// record.
fn keep(
    repo: &Repo,
    id: SessionId,
    at: Timestamp,
    path: &str,
    hunk: Option<String>,
    paths: &[String],
    change: impl FnOnce() -> Result<(), ApiError>,
) -> Result<KeptRevert, ApiError> {
    let folder = refs_of(id);
    let mut blobs = BTreeMap::new();
    let mut record = Record { path: path.to_owned(), hunk, at, finished: false, files: Vec::new() };
    for path in paths {
        let before = store_current(repo, path, &mut blobs)?;
        record.files.push(FileRecord { path: path.clone(), before, after: None });
    }
    // The name starts with the time, so that names sort by time.
    let name = format!("{:013}-{}", record.at.timestamp_millis(), uuid::Uuid::new_v4());
    let text = serde_json::to_string(&record).map_err(json_error)?;
    let first = repo.keep_version(&folder, &name, &blobs, &text, None).map_err(git_error)?;
    if let Err(error) = change() {
        if record.files.iter().all(|file| is_in_state(repo, &file.path, &file.before)) {
            let version = KeptVersion { name, commit: first, record: String::new() };
            // Nothing changed, so the kept version is not needed. If its removal fails, it only takes up disk
            // space.
            let _ = repo.drop_version(&folder, &version);
        }
        return Err(error);
    }
    for file in &mut record.files {
        file.after = store_current(repo, &file.path, &mut blobs)?;
    }
    record.finished = true;
    let text = serde_json::to_string(&record).map_err(json_error)?;
    repo.keep_version(&folder, &name, &blobs, &text, Some(&first)).map_err(git_error)?;
    forget_oldest(repo, &folder)?;
    let Record { path, hunk, at, .. } = record;
    Ok(KeptRevert { revert: name, path, hunk, at, undoable: true })
}

fn forget_oldest(repo: &Repo, folder: &str) -> Result<(), ApiError> {
    let all = repo.stored_versions(folder).map_err(git_error)?;
    let many = all.len().saturating_sub(MOST);
    all.iter().take(many).try_for_each(|old| repo.drop_version(folder, old)).map_err(git_error)
}

/// Removes the kept versions of sessions that no longer exist. A version that cannot be removed only takes up
/// disk space.
pub(in crate::session) fn forget(ctx: &Context, sessions: &[SessionId]) {
    let Some(repo) = (!sessions.is_empty()).then(|| ctx.project.repo().ok()).flatten() else { return };
    for id in sessions {
        let folder = refs_of(*id);
        for version in repo.stored_versions(&folder).unwrap_or_default() {
            let _ = repo.drop_version(&folder, &version);
        }
    }
}

/// Stores the file's current state in the repository, and adds its blob to `blobs`.
fn store_current(
    repo: &Repo,
    path: &str,
    blobs: &mut BTreeMap<String, ObjectId>,
) -> Result<Option<StoredState>, ApiError> {
    let state = tree_files::state(&tree_files::path_in_tree(repo, path)?)?;
    let Some(state) = state else { return Ok(None) };
    let (stored, blob) = tree_files::store(repo, &state)?;
    blobs.insert(blobs.len().to_string(), blob);
    Ok(Some(stored))
}

/// Whether the file has this state; `false` if its state cannot be read.
fn is_in_state(repo: &Repo, path: &str, state: &Option<StoredState>) -> bool {
    store_current(repo, path, &mut BTreeMap::new()).is_ok_and(|now| now == *state)
}

fn records(repo: &Repo, id: SessionId) -> Result<Vec<(KeptVersion, Record)>, ApiError> {
    let versions = repo.stored_versions(&refs_of(id)).map_err(git_error)?;
    // Skip records in a newer version's format.
    let known = versions.into_iter().filter_map(|version| {
        let record = serde_json::from_str(&version.record).ok()?;
        Some((version, record))
    });
    Ok(known.collect())
}

pub(crate) fn reverts(ctx: &Context, id: SessionId) -> Result<KeptReverts, ApiError> {
    let meta = ctx.meta(id)?;
    // If the folder is missing or the place does not answer, nothing can be undone.
    if let Some(files) = FilesAtPlace::of(ctx, &meta)? {
        return Ok(files.run(FileCommand::Reverts).unwrap_or_default());
    }
    SessionTree::of(ctx, meta).map_or_else(|_| Ok(KeptReverts::default()), |tree| reverts_of(&tree))
}

pub(in crate::session) fn reverts_of(tree: &SessionTree) -> Result<KeptReverts, ApiError> {
    let repo = &tree.worktree;
    let mut reverts = Vec::new();
    for (version, record) in records(repo, tree.meta.id)?.into_iter().rev() {
        let undoable = is_as_left(repo, &record);
        let Record { path, hunk, at, .. } = record;
        reverts.push(KeptRevert { revert: version.name, path, hunk, at, undoable });
    }
    Ok(KeptReverts { reverts })
}

/// Whether all files are as the revert left them. After an unfinished revert, the state is unknown and counts
/// as unchanged.
fn is_as_left(repo: &Repo, record: &Record) -> bool {
    !record.finished || record.files.iter().all(|file| is_in_state(repo, &file.path, &file.after))
}

pub(crate) fn undo_revert(ctx: &Context, params: &RevertRef) -> Result<KeptReverts, ApiError> {
    let command = FileCommand::UndoRevert(params.clone());
    change_files(ctx, params.id, command, |tree| undo_in(tree, params, now()))
}

pub(in crate::session) fn undo_in(
    tree: &SessionTree,
    params: &RevertRef,
    at: Timestamp,
) -> Result<KeptReverts, ApiError> {
    let (repo, id) = (&tree.worktree, tree.meta.id);
    let all = records(repo, id)?;
    let Some((version, record)) = all.into_iter().find(|(version, _)| version.name == params.revert) else {
        return Err(ApiError::new(ErrorCode::Usage, "this revert does not exist, or it was undone already"));
    };
    if !is_as_left(repo, &record) {
        let text = format!("{} has changed since the revert: an undo would overwrite that", record.path);
        return Err(ApiError::new(ErrorCode::FileRefused, text).hint("revert the later change first"));
    }
    let blob = |state: &StoredState| -> Result<FileState, ApiError> {
        let id = repo.object_named(&state.blob).map_err(git_error)?;
        Ok(FileState { kind: state.kind, bytes: repo.blob(&id).map_err(git_error)? })
    };
    let mut before = Vec::new();
    for file in &record.files {
        let path = tree_files::path_in_tree(repo, &file.path)?;
        before.push((path, file.before.as_ref().map(blob).transpose()?));
    }
    let write = || before.iter().try_for_each(|(path, state)| tree_files::write(path, state.as_ref()));
    if record.finished {
        write()?;
    } else {
        // The files' current contents are unknown, so keep a version of them as well.
        let paths: Vec<String> = record.files.iter().map(|file| file.path.clone()).collect();
        keep(repo, id, at, &record.path, record.hunk.clone(), &paths, write)?;
    }
    repo.drop_version(&refs_of(id), &version).map_err(git_error)?;
    reverts_of(tree)
}
