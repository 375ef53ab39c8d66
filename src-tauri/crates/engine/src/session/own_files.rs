//! Opens a session's folder, and determines which of its changed files belong to the session. The folder may have had
//! uncommitted changes before the session's start.

use bc_core::session::Meta;
use bc_git::Repo;
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The session's folder and its repository; `None` if the folder does not exist or is in no repository. `main` is the
/// project's repository.
pub(super) fn open_folder(main: &Repo, meta: &Meta) -> Option<(Repo, PathBuf)> {
    let folder = meta.cwd.as_deref().map(PathBuf::from).filter(|path| path.is_dir())?;
    Some((main.at(&folder).ok()?, folder))
}

/// A session's files: the files that changed since its start, and the files that claude touched.
pub(super) struct OwnFiles {
    started_at: Option<SystemTime>,
    /// The absolute paths of the files that claude touched.
    pub(super) touched: Vec<PathBuf>,
}

impl OwnFiles {
    pub(super) fn of(meta: &Meta, folder: &Path) -> OwnFiles {
        OwnFiles {
            started_at: meta.started_at.map(SystemTime::from),
            touched: meta.files_touched.iter().map(|path| folder.join(path)).collect(),
        }
    }

    /// Whether a file was modified since the session's start. Always true if the session has no start time.
    pub(super) fn is_modified_since_start(&self, path: &Path) -> bool {
        let modified = path.symlink_metadata().and_then(|meta| meta.modified()).ok();
        self.started_at.is_none_or(|start| modified.is_some_and(|modified| modified >= start))
    }

    /// Whether an existing file belongs to the session.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.is_modified_since_start(path) || self.touched.iter().any(|touched| touched == path)
    }
}
