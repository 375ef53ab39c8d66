//! The implementation for other systems, with the `notify` library.

use super::{Depth, FileChange, What};
use notify::{
    EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{CreateKind, ModifyKind},
};
use std::{
    io,
    path::Path,
    sync::{Mutex, PoisonError},
};

/// Watches until it is dropped.
pub(crate) struct Changes {
    watcher: Mutex<RecommendedWatcher>,
}

impl Changes {
    /// Calls `on_change` for every change, on its own thread. No folder is watched yet.
    ///
    /// # Errors
    /// The system cannot watch.
    pub(crate) fn start(mut on_change: impl FnMut(FileChange) + Send + 'static) -> io::Result<Changes> {
        let heard = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if !event.need_rescan() => {
                if let Some(what) = what(event.kind) {
                    event.paths.into_iter().for_each(|path| on_change(FileChange::Changed { path, what }));
                }
            }
            Ok(_) | Err(_) => on_change(FileChange::Missed),
        };
        let watcher = notify::recommended_watcher(heard).map_err(io::Error::other)?;
        Ok(Changes { watcher: Mutex::new(watcher) })
    }

    /// Watches a folder from now on.
    ///
    /// # Errors
    /// The folder does not exist, or the system watches no more folders.
    pub(crate) fn watch(&self, folder: &Path, depth: Depth) -> io::Result<()> {
        let depth = match depth {
            Depth::One => RecursiveMode::NonRecursive,
            Depth::All => RecursiveMode::Recursive,
        };
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        watcher.watch(folder, depth).map_err(io::Error::other)
    }
}

/// `None` if nothing changed.
fn what(kind: EventKind) -> Option<What> {
    match kind {
        EventKind::Access(_) => None,
        EventKind::Create(CreateKind::Folder) => Some(What::Folder),
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
            Some(What::Name)
        }
        EventKind::Any | EventKind::Modify(_) | EventKind::Other => Some(What::Content),
    }
}
