//! Errors of the search index. They never affect recorded data.

use bc_store::{FileError, StoreError};
use std::path::PathBuf;

/// Why the search index could not be used or updated.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error("cannot use the search index {path}", path = path.display())]
    Sqlite {
        /// The path of the index; empty if the index is in memory.
        path: PathBuf,
        #[source]
        source: rusqlite::Error,
    },
    /// A file of a session could not be read.
    #[error("cannot read {path}", path = path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// The index's folder could not be created, or an old or broken index could not be removed.
    #[error(transparent)]
    Folder(FileError),
    /// A session's record could not be read.
    #[error(transparent)]
    Store(StoreError),
}

impl SearchError {
    /// Whether the index's file is broken or not a database, so that it has to be recreated.
    pub(crate) fn is_broken(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        let SearchError::Sqlite { source, .. } = self else { return false };
        matches!(source.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
    }
}
