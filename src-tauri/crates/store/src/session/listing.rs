//! Lists all sessions of a store by their `meta.json` files. A broken session is reported and does not affect
//! others.

use super::{Problem, SessionDir, SessionStore, StoreError};
use crate::{FileError, file::uninterrupted};
use bc_core::{ids::SessionId, session::Meta};
use std::{io, path::Path};

/// The sessions of a store.
#[derive(Debug, Default)]
pub struct Listing {
    /// The sessions, sorted by `created_at` and then by id.
    pub sessions: Vec<Meta>,
    /// Skipped items.
    pub problems: Vec<Problem>,
}

impl SessionStore {
    /// Returns all readable sessions. The list is empty if the store does not exist yet.
    pub fn list(&self) -> Result<Listing, StoreError> {
        let mut listing = Listing::default();
        for name in folders(self.path())? {
            // Skip unfinished sessions, the trash, and hidden folders of other programs.
            if name.starts_with('.') {
                continue;
            }
            let path = self.path().join(&name);
            match name.parse::<SessionId>() {
                Ok(id) if id.to_string() == name => match SessionDir::new(self.path(), id).meta() {
                    Ok(meta) => listing.sessions.push(meta),
                    // The session was deleted after the folder was listed.
                    Err(StoreError::NoSession { .. }) if !path.exists() => {}
                    Err(source) => listing.problems.push(Problem::BrokenSession { path, source }),
                },
                _ => listing.problems.push(Problem::NoSession { path }),
            }
        }
        listing.sessions.sort_by_key(|meta| (meta.created_at, meta.id));
        Ok(listing)
    }
}

/// Returns the sorted names of the subfolders. A name that is not UTF-8 is converted lossily.
pub(super) fn folders(path: &Path) -> Result<Vec<String>, FileError> {
    let error = |source| FileError::Read { path: path.into(), source };
    let entries = match uninterrupted(|| std::fs::read_dir(path)) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        Err(source) => return Err(error(source)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(error)?;
        if entry.file_type().map_err(error)?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}
