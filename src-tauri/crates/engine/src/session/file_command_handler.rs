//! Runs commands on a session's files at its place. `place_files` sends them from the user's machine.

use super::{
    change_edits, changes,
    changes::SessionTree,
    checkpoints, composer,
    place_files::{FileAnswer, FileCommand, FileRequest},
};
use crate::context::{
    Context, Programs, Project,
    errors::{file_error, store_error},
};
use bc_core::session::Meta;
use bc_remote::SessionFolders;
use bc_store::{SessionStore, lock::FileLock};
use bc_wire::{ApiError, ErrorCode};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// How long a command waits for another one on the same project's files.
const LOCK_WITHIN: Duration = Duration::from_secs(30);

/// Runs a request on a session's files, at the session's place. Returns the answer as one line.
pub fn answer_file_command(at: &SessionFolders, request: &str) -> String {
    serde_json::to_string(&answer(at, request)).expect("an answer has string keys")
}

fn answer(at: &SessionFolders, request: &str) -> FileAnswer {
    let FileRequest { command, meta, now } = serde_json::from_str(request).map_err(|_| {
        ApiError::new(ErrorCode::OtherVersion, "Beads Console at the place cannot read the command")
            .hint("install this machine's version at the place")
    })?;
    let project = Project {
        root: at.repository.clone(),
        beads_dir: at.beads_dir.clone(),
        main_tree: Some(at.repository.clone()),
    };
    let store = SessionStore::at(&at.beads_dir);
    // The record in the request has the folder on the user's machine, so use the folder at the place.
    let cwd = store.session(at.session).meta().map_err(store_error)?.cwd;
    let meta = Meta { id: at.session, cwd, ..meta };
    let ctx = Context::owning(project, Programs::beside_current_exe()?, store, None);
    if let Some(base) = &meta.base_commit
        && ctx.project.repo()?.commit_of(base).is_err()
    {
        let text = format!("the commit {base:.8}, with which the changes are compared, is not at the place");
        return Err(ApiError::new(ErrorCode::GitFailed, text));
    }
    let _lock = match command.changes_files() {
        true => Some(lock(at)?),
        false => None,
    };
    let tree = || SessionTree::of(&ctx, meta.clone());
    match command {
        FileCommand::Changes(params) => to_answer(changes::local_changes(&ctx, meta, &params)),
        FileCommand::FileLines(params) => to_answer(change_edits::lines_of(&tree()?, &params)),
        FileCommand::Content(params) => to_answer(change_edits::content_of(&tree()?, &params)),
        FileCommand::CommitPreview => to_answer(change_edits::preview_of(&tree()?)),
        FileCommand::Commit(params) => to_answer(change_edits::commit_in(&tree()?, &params)),
        FileCommand::Reverts => to_answer(change_edits::reverts_of(&tree()?)),
        FileCommand::Revert(params) => to_answer(change_edits::revert_in(&tree()?, &params, now)),
        FileCommand::UndoRevert(params) => to_answer(change_edits::undo_in(&tree()?, &params, now)),
        FileCommand::Checkpoints => to_answer(checkpoints::list(&checkpoints::open_session(&ctx, meta)?)),
        FileCommand::Compare(params) => {
            to_answer(checkpoints::compare_in(&checkpoints::open_session(&ctx, meta)?, &params))
        }
        FileCommand::Restore(params) => {
            to_answer(checkpoints::restore_in(&ctx, &checkpoints::open_session(&ctx, meta)?, &params, now))
        }
        FileCommand::Attach(params) => {
            to_answer(composer::attach_in(&ctx.store.session(at.session), &params))
        }
    }
}

fn lock(at: &SessionFolders) -> Result<FileLock, ApiError> {
    let lock = FileLock::exclusive(&at.beads_dir.join("files.lock"), LOCK_WITHIN).map_err(file_error)?;
    lock.ok_or_else(|| {
        ApiError::new(ErrorCode::SessionState, "another command changes files at the place").hint("try again")
    })
}

fn to_answer<T: Serialize>(result: Result<T, ApiError>) -> FileAnswer {
    Ok(serde_json::to_value(result?).unwrap_or(Value::Null))
}
