//! The lifecycle hooks of a session at a place: the repository's hooks that the user allowed, and the hooks of the
//! place's own user.

use super::{folders::ProjectFolders, programs::own_program, symbolic_link};
use bc_core::{ids::SessionId, session::Meta};
use bc_hooks::{Facts, HookCopies, USER_FILE};
use bc_host::HookSetup;
use bc_store::{SessionLock, file, repository};
use std::path::{Path, PathBuf};

/// Installs the hook copies, and saves the setup for the hooks that run at the session's end.
pub(super) fn install(
    folders: &ProjectFolders,
    session: SessionId,
    copies: &HookCopies,
    facts: Facts,
    worktree: &Path,
) -> Result<HookSetup, String> {
    let places = copies.install(&copies_path(folders, session), bc_host::now())?;
    let own = bc_hooks::settings_folder(|name| std::env::var_os(name)).map(|own| own.join(USER_FILE));
    if let (Some(own), Some(config)) = (own.filter(|own| own.is_file()), &places.config) {
        // Create a symbolic link, so that the commands' relative paths start at the file's own folder.
        symbolic_link::create(&own, &config.join(USER_FILE))
            .map_err(|error| format!("{}: {error}", own.display()))?;
    }
    let worktree = worktree.display().to_string();
    let facts = Facts { cwd: worktree.clone(), project: worktree, ..facts };
    let setup = HookSetup { places, facts };
    let text = serde_json::to_vec(&setup).map_err(|error| error.to_string())?;
    file::replace(&setup_path(folders, session), &text).map_err(|error| error.to_string())?;
    Ok(setup)
}

/// Runs the hooks for the end of a session whose host died, if that event is still due.
pub(super) fn run_owed_end(folders: &ProjectFolders, lock: &SessionLock, meta: &Meta) {
    let setup = || {
        let text = repository::read(&setup_path(folders, meta.id), repository::limits::RECORD).ok()??;
        serde_json::from_slice(&text).ok()
    };
    match own_program() {
        Ok(program) => bc_host::run_owed_end_hooks(lock, meta, setup, program, bc_host::now),
        Err(error) => tracing::warn!(%error, "the hooks of the session's end did not run"),
    }
}

/// Removes the hook copies and the setup.
pub(super) fn remove(folders: &ProjectFolders, session: SessionId) -> Result<(), String> {
    let (copies, setup) = (copies_path(folders, session), setup_path(folders, session));
    if copies.exists() {
        file::remove_all(&copies).map_err(|error| error.to_string())?;
    }
    file::remove(&setup).map_err(|error| error.to_string())
}

fn copies_path(folders: &ProjectFolders, session: SessionId) -> PathBuf {
    folders.root().join("hooks").join(session.to_string())
}

fn setup_path(folders: &ProjectFolders, session: SessionId) -> PathBuf {
    folders.root().join("hooks").join(format!("{session}.json"))
}
