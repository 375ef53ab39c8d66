//! What can go wrong with the cache. It never costs anything that was recorded.

use bc_store::{FileError, StoreError};
use std::path::PathBuf;

/// A search or a count that did not happen.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// SQLite said no.
    #[error("the search index {path} could not be used", path = path.display())]
    Sqlite {
        /// The index; empty where it is in memory.
        path: PathBuf,
        /// Why.
        #[source]
        source: rusqlite::Error,
    },
    /// A file of a session could not be read.
    #[error("{path} could not be read", path = path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The folder of the index could not be made.
    #[error(transparent)]
    Folder(FileError),
    /// A session's record could not be read.
    #[error(transparent)]
    Store(StoreError),
}

impl SearchError {
    /// Whether the file is no index, or a broken one: it is made anew then.
    pub(crate) fn is_broken(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        let SearchError::Sqlite { source, .. } = self else { return false };
        matches!(source.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
    }
}
