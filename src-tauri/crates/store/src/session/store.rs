//! The store as a whole: its path, the creation of sessions, and the index lock.

use super::{SessionDir, SessionLock, StoreError, files};
use crate::{
    FileError,
    file::{self, TEMPORARY_PREFIX},
    lock::FileLock,
    repository::{self, limits},
};
use bc_core::{ids::SessionId, session::Meta};
use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The time limit for taking the index's lock. Its holders read all metas and write one file.
const INDEX_WAIT: Duration = Duration::from_secs(10);

/// A project's `.beads/sessions`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStore {
    path: PathBuf,
}

impl SessionStore {
    /// Returns the store in a `.beads` folder, for reading. Does not create anything; the folder does not
    /// have to exist.
    pub fn at(beads_dir: &Path) -> SessionStore {
        SessionStore { path: beads_dir.join("sessions") }
    }

    /// Opens the store in an existing `.beads` folder. Creates the store if it is missing, private to the
    /// user and ignored by git.
    pub fn open(beads_dir: &Path) -> Result<SessionStore, FileError> {
        let store = SessionStore::at(beads_dir);
        if !beads_dir.is_dir() {
            return Err(FileError::CreateDir { path: store.path, source: io::ErrorKind::NotFound.into() });
        }
        repository::check_folder(&store.path)?;
        file::create_dir(&store.path)?;
        // Sync even if the folder exists, because the process that created it may have been killed before it
        // synced the parent folder.
        file::sync_dir(beads_dir)?;
        let ignore = store.path.join(".gitignore");
        if repository::read(&ignore, limits::SETTINGS)?.is_none() {
            file::replace(&ignore, b"*\n")?;
        }
        Ok(store)
    }

    /// The `sessions` folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a session's folder, which may not exist.
    pub fn session(&self, id: SessionId) -> SessionDir {
        SessionDir::new(&self.path, id)
    }

    /// Creates a session and takes its lock. A crash leaves the complete session or no session, and possibly
    /// a hidden folder that no reader opens. The index is not changed.
    pub fn create(&self, meta: &Meta) -> Result<SessionLock, StoreError> {
        let dir = self.session(meta.id);
        if dir.path().exists() {
            return Err(StoreError::SessionExists { id: meta.id });
        }
        let making = self.path.join(format!("{TEMPORARY_PREFIX}{}", meta.id));
        if making.exists() {
            // A crash during an earlier creation of this session left the folder.
            file::remove_all(&making)?;
        }
        file::make_unseen_dir(&making)?;
        let draft = SessionDir::new(&self.path, meta.id).moved_to(&making);
        let (meta_path, messages_path) = (draft.meta_path(), draft.messages_path());
        let record = files::json_bytes(&meta_path, meta)?;
        // No reader opens the folder before it has its final name, so its files can be written in place.
        file::write_unseen(&meta_path, &record)?;
        file::write_unseen(&messages_path, b"")?;
        file::sync_dir(&making)?;
        file::rename(&making, dir.path()).map_err(|error| match error.io().kind() {
            io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
                StoreError::SessionExists { id: meta.id }
            }
            _ => error.into(),
        })?;
        dir.try_lock()?.ok_or(StoreError::InUse { id: meta.id })
    }

    pub(super) fn lock_index(&self) -> Result<FileLock, StoreError> {
        let path = self.path.join("index.lock");
        FileLock::exclusive(&path, INDEX_WAIT)?.ok_or(StoreError::IndexBusy { path })
    }
}
