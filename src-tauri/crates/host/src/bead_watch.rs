//! Watches a tracker's files, so that a host notices changes without an open window or an engine.

use bc_store::watch::{Depth, FileWatch};
use std::{path::PathBuf, sync::mpsc::sync_channel, thread, time::Duration};

/// The minimum time between two reports. The receiver waits longer than this before it checks.
const DEBOUNCE: Duration = Duration::from_millis(250);

/// A watch that ends when it is dropped.
pub(crate) struct BeadWatch {
    _watch: FileWatch,
}

impl BeadWatch {
    /// Watches these folders without their subfolders. Returns `None` if there are no folders or watching is
    /// unavailable; then changed files trigger no check.
    pub(crate) fn start(folders: &[PathBuf], changed: impl Fn() + Send + 'static) -> Option<BeadWatch> {
        if folders.is_empty() {
            return None;
        }
        // With a capacity of one, all changes during the pause cause one report.
        let (sender, changes) = sync_channel(1);
        let watch = FileWatch::start(move |_| {
            let _ = sender.try_send(());
        })
        .ok()?;
        for folder in folders {
            // A missing folder is not watched.
            let _ = watch.watch(folder, Depth::One);
        }
        let run = move || {
            while changes.recv().is_ok() {
                changed();
                thread::sleep(DEBOUNCE);
            }
        };
        thread::Builder::new().name("beads".into()).spawn(run).ok()?;
        Some(BeadWatch { _watch: watch })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;

    #[test]
    fn changes_are_reported_until_the_watch_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issues.jsonl");
        file::replace(&path, b"1").unwrap();
        let (sender, messages) = sync_channel(64);
        let changed = move || {
            let _ = sender.send(());
        };
        let watch = BeadWatch::start(&[folder.path().to_owned(), "/none".into()], changed).unwrap();
        assert_eq!(file::read(&path).unwrap().unwrap(), b"1");
        file::replace(&path, b"2").unwrap();
        assert!(messages.recv().is_ok());
        file::replace(&path, b"3").unwrap();
        assert!(messages.recv().is_ok(), "a later change is reported too");
        drop(watch);
        // The iteration ends when the thread has exited and dropped its sender.
        messages.iter().for_each(drop);
    }
}
