//! By the library that knows the other systems.

use super::{Depth, Told, What};
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
    /// Tells `told` of everything, in a thread of its own. Nothing is watched yet.
    ///
    /// # Errors
    /// The system cannot watch.
    pub(crate) fn start(mut told: impl FnMut(Told) + Send + 'static) -> io::Result<Changes> {
        let heard = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if !event.need_rescan() => {
                if let Some(what) = what(event.kind) {
                    event.paths.into_iter().for_each(|path| told(Told::Change { path, what }));
                }
            }
            Ok(_) | Err(_) => told(Told::Missed),
        };
        let watcher = notify::recommended_watcher(heard).map_err(io::Error::other)?;
        Ok(Changes { watcher: Mutex::new(watcher) })
    }

    /// Watches a folder from now on.
    ///
    /// # Errors
    /// It is not there, or the system watches no more folders.
    pub(crate) fn watch(&self, folder: &Path, depth: Depth) -> io::Result<()> {
        let depth = match depth {
            Depth::One => RecursiveMode::NonRecursive,
            Depth::All => RecursiveMode::Recursive,
        };
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        watcher.watch(folder, depth).map_err(io::Error::other)
    }
}

/// `None` where nothing changed.
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
