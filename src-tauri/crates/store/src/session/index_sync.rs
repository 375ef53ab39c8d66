//! Keeps `index.json` up to date.

use super::{Index, Listing, SessionStore, StoreError, files};
use crate::{
    file,
    repository::{self, limits},
};

impl SessionStore {
    /// Updates `index.json` from the metas and returns the index and the listing. Call this function after
    /// every change to a meta, and this one or [`SessionStore::index_these`] after opening a store. The file
    /// is written only if its content changes.
    pub fn sync_index(&self) -> Result<(Index, Listing), StoreError> {
        let _lock = self.lock_index()?;
        let listing = self.list()?;
        let index = self.write_index(&listing)?;
        Ok((index, listing))
    }

    /// Updates `index.json` from a recent listing. Metas that changed after the listing are included only in
    /// the next update.
    pub fn index_these(&self, listing: &Listing) -> Result<(), StoreError> {
        let _lock = self.lock_index()?;
        self.write_index(listing).map(drop)
    }

    fn write_index(&self, listing: &Listing) -> Result<Index, StoreError> {
        let index = Index::of(&listing.sessions);
        let path = self.path().join("index.json");
        let bytes = files::json_bytes(&path, &index)?;
        if repository::read(&path, limits::ROWS).ok().flatten().as_deref() != Some(&bytes) {
            file::replace(&path, &bytes)?;
        }
        Ok(index)
    }
}
