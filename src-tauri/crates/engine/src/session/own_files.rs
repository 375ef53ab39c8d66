//! Determines which changed files of a folder belong to a session. The folder may have had uncommitted changes before
//! the session's start.

use bc_core::session::Meta;
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A session's files: the files that changed since its start, and the files that claude touched.
pub(super) struct OwnFiles {
    began: Option<SystemTime>,
    /// The absolute paths of the files that claude touched.
    pub(super) touched: Vec<PathBuf>,
}

impl OwnFiles {
    pub(super) fn of(meta: &Meta, folder: &Path) -> OwnFiles {
        OwnFiles {
            began: meta.started_at.map(SystemTime::from),
            touched: meta.files_touched.iter().map(|path| folder.join(path)).collect(),
        }
    }

    /// Whether a file was modified since the session's start. Always true if the session has no start time.
    pub(super) fn later(&self, path: &Path) -> bool {
        let changed = path.symlink_metadata().and_then(|meta| meta.modified()).ok();
        self.began.is_none_or(|began| changed.is_some_and(|changed| changed >= began))
    }

    /// Whether an existing file belongs to the session.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.later(path) || self.touched.iter().any(|touched| touched == path)
    }
}
