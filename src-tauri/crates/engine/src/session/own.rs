//! Which files in a folder are a session's: a tree may have been given to it with changes.

use bc_core::session::Meta;
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A session's files: those that changed since it began, and those that it is known to have touched.
pub(super) struct Own {
    began: Option<SystemTime>,
    /// The files that it is known to have touched.
    pub(super) touched: Vec<PathBuf>,
}

impl Own {
    pub(super) fn of(meta: &Meta, folder: &Path) -> Own {
        Own {
            began: meta.started_at.map(SystemTime::from),
            touched: meta.files_touched.iter().map(|path| folder.join(path)).collect(),
        }
    }

    /// Whether a file changed since the session began.
    pub(super) fn later(&self, path: &Path) -> bool {
        let changed = std::fs::metadata(path).and_then(|meta| meta.modified()).ok();
        self.began.is_none_or(|began| changed.is_some_and(|changed| changed >= began))
    }

    /// Whether a file that is there is the session's.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.later(path) || self.touched.iter().any(|touched| touched == path)
    }
}
