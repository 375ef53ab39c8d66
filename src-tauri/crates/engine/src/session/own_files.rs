//! Determines which files in a folder belong to a session: the tree may have had changes before.

use bc_core::session::Meta;
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A session's files: those that changed since its start, and those that it touched.
pub(super) struct OwnFiles {
    began: Option<SystemTime>,
    /// The files that it touched.
    pub(super) touched: Vec<PathBuf>,
}

impl OwnFiles {
    pub(super) fn of(meta: &Meta, folder: &Path) -> OwnFiles {
        OwnFiles {
            began: meta.started_at.map(SystemTime::from),
            touched: meta.files_touched.iter().map(|path| folder.join(path)).collect(),
        }
    }

    /// Whether a file changed since the session's start.
    pub(super) fn later(&self, path: &Path) -> bool {
        let changed = path.symlink_metadata().and_then(|meta| meta.modified()).ok();
        self.began.is_none_or(|began| changed.is_some_and(|changed| changed >= began))
    }

    /// Whether an existing file belongs to the session.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.later(path) || self.touched.iter().any(|touched| touched == path)
    }
}
