//! The portable watcher, which also reports reads.

use crate::actor::ActorInput;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::{path::PathBuf, sync::mpsc::SyncSender};

/// Watches until it is dropped.
pub(crate) struct BeadWatch {
    _watcher: RecommendedWatcher,
}

impl BeadWatch {
    /// Watches these folders without their subfolders. `None` where watching is unavailable: then only the end of a
    /// turn triggers a check.
    pub(crate) fn start(folders: &[PathBuf], inbox: SyncSender<ActorInput>) -> Option<BeadWatch> {
        if folders.is_empty() {
            return None;
        }
        let changed = move |event: notify::Result<notify::Event>| {
            if !event.is_ok_and(|event| event.kind.is_access()) {
                // A full inbox means that the actor is awake; the next change or turn reports again.
                let _ = inbox.try_send(ActorInput::BeadFilesChanged);
            }
        };
        let mut watcher = notify::recommended_watcher(changed).ok()?;
        for folder in folders {
            // A missing folder cannot change.
            let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
        }
        Some(BeadWatch { _watcher: watcher })
    }
}
