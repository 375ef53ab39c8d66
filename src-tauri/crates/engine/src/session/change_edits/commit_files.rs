//! Commits a session's uncommitted files with a message that the user has seen.

use crate::{
    context::{
        Context, count,
        errors::{git_error, store_error},
    },
    session::{
        changes::SessionTree,
        place_files::{FileCommand, FilesAtPlace},
    },
};
use bc_core::{
    ids::SessionId,
    session::Meta,
    text::{cut, one_line},
    work::{FileChange, FileLine},
};
use bc_git::CommitOutcome;
use bc_wire::{ApiError, ErrorCode, session::*};
use std::collections::BTreeSet;

/// The maximum length of a message, in bytes.
const MESSAGE_MAX: usize = 64 << 10;
/// The maximum length of a proposed subject, in characters.
const SUBJECT: usize = 72;

pub(crate) fn commit_preview(ctx: &Context, id: SessionId) -> Result<CommitPreview, ApiError> {
    let meta = ctx.meta(id)?;
    let preview = match FilesAtPlace::of(ctx, &meta)? {
        Some(files) => files.run(FileCommand::CommitPreview)?,
        None => preview_of(&SessionTree::of(ctx, meta.clone())?)?,
    };
    Ok(CommitPreview { message: proposed(ctx, &meta, &preview.files), ..preview })
}

/// The preview with an empty message. The user's machine proposes the message, because it has the beads.
pub(in crate::session) fn preview_of(tree: &SessionTree) -> Result<CommitPreview, ApiError> {
    let repo = &tree.worktree;
    Ok(CommitPreview {
        message: String::new(),
        branch: tree.meta.branch.clone(),
        author: repo.author_name(),
        files: uncommitted(tree)?,
        skipped_hooks: repo.commit_hooks(),
        unsigned: repo.signs_commits(),
    })
}

pub(crate) fn commit(ctx: &Context, params: &CommitParams) -> Result<Committed, ApiError> {
    ctx.writable()?;
    let meta = ctx.meta(params.id)?;
    if let Some(files) = FilesAtPlace::of(ctx, &meta)? {
        let done: Committed = files.run(FileCommand::Commit(params.clone()))?;
        // The place is not trusted: record only a commit that was fetched on the session's branch.
        if files.has_fetched(&done.hash) {
            record(ctx, &meta, &done.hash)?;
        }
        return Ok(done);
    }
    let _worktrees = ctx.worktree_lock();
    let meta = ctx.meta(params.id)?;
    let tree = SessionTree::of(ctx, meta)?;
    let done = commit_in(&tree, params)?;
    record(ctx, &tree.meta, &done.hash)?;
    Ok(done)
}

pub(in crate::session) fn commit_in(
    tree: &SessionTree,
    params: &CommitParams,
) -> Result<Committed, ApiError> {
    let message = params.message.trim();
    if message.is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "the commit has no message").hint("write one"));
    }
    if message.len() > MESSAGE_MAX {
        let text = format!("the message has {} bytes; at most {MESSAGE_MAX} are allowed", message.len());
        return Err(ApiError::new(ErrorCode::TextTooLarge, text));
    }
    if message.contains('\0') {
        return Err(ApiError::new(ErrorCode::Usage, "the message contains a NUL character"));
    }
    let known = uncommitted(tree)?;
    let mut paths: BTreeSet<String> = params.paths.iter().cloned().collect();
    if let Some(other) = paths.iter().find(|path| !known.iter().any(|file| file.path == **path)) {
        let text = format!("{} has no uncommitted changes of this session", one_line(other));
        return Err(ApiError::new(ErrorCode::Usage, text).hint("refresh the changes and choose again"));
    }
    if paths.is_empty() {
        paths = known.into_iter().map(|file| file.path).collect();
    }
    if paths.is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "there is nothing to commit"));
    }
    let paths: Vec<String> = paths.into_iter().collect();
    match tree.worktree.commit_files(&paths, &format!("{message}\n")).map_err(git_error)? {
        CommitOutcome::Done(hash) => Ok(Committed {
            hash: hash.as_str().to_owned(),
            subject: message.lines().next().unwrap_or_default().to_owned(),
            files: count(paths.len()),
        }),
        CommitOutcome::Refused(why) => {
            let text = format!("git refused the commit: {why}");
            let refused = ApiError::new(ErrorCode::GitFailed, text);
            Err(refused.hint("nothing was committed, and your message is kept"))
        }
    }
}

/// Adds the commit to the record of a session without a host. The host of a live session finds the commit itself, in
/// git's log.
fn record(ctx: &Context, meta: &Meta, hash: &str) -> Result<(), ApiError> {
    let Some(lock) = ctx.store.session(meta.id).try_lock().map_err(store_error)? else { return Ok(()) };
    let mut meta = lock.meta().map_err(store_error)?;
    if !meta.commits.iter().any(|known| known == hash) {
        meta.commits.push(hash.to_owned());
        lock.save_meta(&meta).map_err(store_error)?;
        ctx.sync_index_soon()?;
    }
    Ok(())
}

/// The session's uncommitted files, with both paths of a moved file.
pub(super) fn uncommitted(tree: &SessionTree) -> Result<Vec<CommitFile>, ApiError> {
    let changes = tree.changes()?;
    let shown: BTreeSet<&str> = changes
        .files
        .iter()
        .flat_map(|file| file.from.iter().chain([&file.path]))
        .map(String::as_str)
        .collect();
    let status = tree.worktree.uncommitted_files().map_err(git_error)?;
    let files = status.into_iter().filter(|FileLine { path, change }| {
        // A file that was reverted to the base is not in the list of changes, but the revert itself is uncommitted.
        shown.contains(path.as_str()) || (*change != FileChange::New && !changes.before.contains(path))
    });
    Ok(files.map(|FileLine { path, change }| CommitFile { path, change }).collect())
}

/// The proposed message: the title of the bead or session, else a summary of the files, followed by the
/// bead's id.
fn proposed(ctx: &Context, meta: &Meta, files: &[CommitFile]) -> String {
    let bead = meta.bead_id.as_ref();
    let of_bead = bead.and_then(|id| Some(ctx.tracker().ok()?.show(id).ok()?.bead.title));
    let title = of_bead.or_else(|| meta.title.clone()).map(|title| one_line(&title));
    let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| match files {
        [one] => format!("Change {}", one_line(&one.path)),
        _ => format!("Change {} files", files.len()),
    });
    match bead {
        Some(id) => format!("{} ({id})", cut(&title, SUBJECT - id.as_str().len().min(30) - 3)),
        None => cut(&title, SUBJECT),
    }
}
