//! Answers commands on the files of a session at this place. `place_files` sends them from the user's machine.

use super::{
    change_edits, changes,
    changes::SessionTree,
    checkpoints,
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
const FREE_WITHIN: Duration = Duration::from_secs(30);

/// Runs a command on a session's files at this place. Returns the answer as one line.
pub fn answer_file_command(at: &SessionFolders, request: &str) -> String {
    serde_json::to_string(&answer(at, request)).expect("an answer has string keys")
}

fn answer(at: &SessionFolders, request: &str) -> FileAnswer {
    let FileRequest { command, meta, now } = serde_json::from_str(request).map_err(|_| {
        ApiError::new(ErrorCode::OtherVersion, "the command is unknown to the Beads Console at the place")
            .hint("install the same version there")
    })?;
    let project = Project {
        root: at.repository.clone(),
        beads_dir: at.beads_dir.clone(),
        main_tree: Some(at.repository.clone()),
    };
    let store = SessionStore::at(&at.beads_dir);
    // Only this machine's record has the folder at this place.
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
        FileCommand::Changes(params) => json(changes::changes_here(&ctx, meta, &params)),
        FileCommand::FileLines(params) => json(change_edits::lines_of(&tree()?, &params)),
        FileCommand::CommitPreview => json(change_edits::preview_of(&tree()?)),
        FileCommand::Commit(params) => json(change_edits::commit_in(&tree()?, &params)),
        FileCommand::Reverts => json(change_edits::reverts_of(&tree()?)),
        FileCommand::Revert(params) => json(change_edits::revert_in(&tree()?, &params, now)),
        FileCommand::UndoRevert(params) => json(change_edits::undo_in(&tree()?, &params, now)),
        FileCommand::Checkpoints => json(checkpoints::list(&checkpoints::place_of(&ctx, meta)?)),
        FileCommand::Compare(params) => {
            json(checkpoints::compare_in(&checkpoints::place_of(&ctx, meta)?, &params))
        }
        FileCommand::Restore(params) => {
            json(checkpoints::restore_in(&ctx, &checkpoints::place_of(&ctx, meta)?, &params, now))
        }
    }
}

fn lock(at: &SessionFolders) -> Result<FileLock, ApiError> {
    let lock = FileLock::exclusive(&at.beads_dir.join("files.lock"), FREE_WITHIN).map_err(file_error)?;
    lock.ok_or_else(|| {
        ApiError::new(ErrorCode::SessionState, "another command changes files at the place").hint("try again")
    })
}

fn json<T: Serialize>(result: Result<T, ApiError>) -> FileAnswer {
    Ok(serde_json::to_value(result?).unwrap_or(Value::Null))
}
