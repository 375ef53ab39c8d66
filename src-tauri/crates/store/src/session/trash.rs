//! Deleting a session, so that it can be undone: its folder moves to `.trash` in the same store.

use super::{SessionStore, StoreError};
use crate::{FileError, file, os};
use bc_core::ids::SessionId;
use std::{fs, path::Path};

impl SessionStore {
    /// Moves a session to the bin. Which sessions may be deleted is the caller's to know. The index
    /// is not touched.
    ///
    /// # Errors
    /// [`StoreError::InUse`] while somebody holds its lock, [`StoreError::NoSession`] without one.
    pub fn delete(&self, id: SessionId) -> Result<(), StoreError> {
        let dir = self.session(id);
        // Held until the folder has moved, where the system allows that: nobody can start the
        // session meanwhile.
        let lock = dir.try_lock()?.ok_or(StoreError::InUse { id })?;
        let bin = self.path().join(".trash");
        file::create_dir(&bin)?;
        let there = bin.join(id.to_string());
        if there.exists() {
            // An older one with this id: restored by copying, and deleted again.
            fs::remove_dir_all(&there).map_err(|source| FileError::Remove { path: there.clone(), source })?;
        }
        let _held = os::OPEN_FILES_CAN_MOVE.then_some(lock);
        rename(dir.path(), &there)
    }

    /// Brings a deleted session back. The index is not touched.
    ///
    /// # Errors
    /// [`StoreError::NoSession`] if it is not in the bin, [`StoreError::SessionExists`] if there is
    /// one with its id again.
    pub fn restore(&self, id: SessionId) -> Result<(), StoreError> {
        let deleted = self.path().join(".trash").join(id.to_string());
        let dir = self.session(id);
        if !deleted.is_dir() {
            return Err(StoreError::NoSession { id });
        }
        if dir.path().exists() {
            return Err(StoreError::SessionExists { id });
        }
        rename(&deleted, dir.path())
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(|source| FileError::Rename { path: to.into(), source })?;
    file::sync_parent(to)?;
    Ok(file::sync_parent(from)?)
}
