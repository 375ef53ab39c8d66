//! The usual watcher, which tells of reading as well.

use crate::owner::Input;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::{path::PathBuf, sync::mpsc::SyncSender};

/// Watches until it is dropped.
pub(crate) struct BeadWatch {
    _watcher: RecommendedWatcher,
}

impl BeadWatch {
    /// Watches these folders, without what is below them. `None` where the system cannot: then the end
    /// of each turn tells.
    pub(crate) fn start(folders: &[PathBuf], inbox: SyncSender<Input>) -> Option<BeadWatch> {
        if folders.is_empty() {
            return None;
        }
        let changed = move |event: notify::Result<notify::Event>| {
            if !event.is_ok_and(|event| event.kind.is_access()) {
                // A full inbox means that the owner is awake; the next change or turn tells again.
                let _ = inbox.try_send(Input::BeadsTouched);
            }
        };
        let mut watcher = notify::recommended_watcher(changed).ok()?;
        for folder in folders {
            // One that is missing cannot change.
            let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
        }
        Some(BeadWatch { _watcher: watcher })
    }
}
