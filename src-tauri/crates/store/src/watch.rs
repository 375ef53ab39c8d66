//! Reports file changes in folders: each with its path and kind. The program's only file watcher.
//!
//! Reads are not reported. A new folder is watched before it is reported. If a folder cannot be watched, or the queue
//! overflows, the requested folders are watched again and [`FileChange::Missed`] is reported: the receiver then has
//! to read everything again.

use notify::{
    ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{CreateKind, ModifyKind, RenameMode},
};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, sync_channel},
    },
    thread,
};

/// Maximum number of changes that wait for the receiver.
const QUEUE: usize = 4_096;

/// Maximum number of attempts to watch a folder whose contents vanish meanwhile.
const TRIES: usize = 5;

/// A reported change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    Changed {
        /// The path, below the folder as it was requested.
        path: PathBuf,
        what: What,
    },
    /// Changes were lost.
    Missed,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Folder,
    /// A path was created or removed, or was renamed to another one.
    Name,
    /// A file or folder was renamed to this path, so that it is complete.
    Arrived,
    /// The content of a file changed.
    Content,
}

impl What {
    /// Whether a path was created, removed or renamed.
    pub fn is_name_change(self) -> bool {
        matches!(self, What::Folder | What::Name | What::Arrived)
    }
}

/// How deep a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only its direct contents.
    One,
    /// Everything below it, including later additions; links are followed.
    All,
}

/// Watches until it is dropped.
pub struct FileWatch {
    folders: Arc<Folders>,
}

struct Folders {
    watcher: Mutex<RecommendedWatcher>,
    requested: Mutex<Vec<(PathBuf, Depth)>>,
}

impl FileWatch {
    /// Calls `on_change` for every change, on its own thread. No folder is watched yet.
    ///
    /// # Errors
    /// The system has no more watchers, or no thread.
    pub fn start(on_change: impl FnMut(FileChange) + Send + 'static) -> io::Result<FileWatch> {
        let (sender, changes) = sync_channel(QUEUE);
        let missed = Arc::new(AtomicBool::new(false));
        let for_events = Arc::clone(&missed);
        // The watcher's thread must not wait here, because it also answers requests.
        let on_event = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if !event.need_rescan() => {
                let Some(what) = what(event.kind) else { return };
                for path in event.paths {
                    if sender.try_send(Some(FileChange::Changed { path, what })).is_err() {
                        for_events.store(true, Ordering::Release);
                    }
                }
            }
            Ok(_) | Err(_) => {
                for_events.store(true, Ordering::Release);
                // A full queue wakes the receiver anyway.
                let _ = sender.try_send(None);
            }
        };
        let watcher = Mutex::new(notify::recommended_watcher(on_event).map_err(io::Error::other)?);
        let folders = Arc::new(Folders { watcher, requested: Mutex::default() });
        // The thread has only a weak reference: when the watch is dropped, the watcher and its queue end.
        let weak = Arc::downgrade(&folders);
        thread::Builder::new()
            .name("changes".into())
            .spawn(move || report(&changes, &missed, &weak, on_change))?;
        Ok(FileWatch { folders })
    }

    /// Watches a folder from now on. Also call it for a watched folder whose path may lead to another folder now.
    ///
    /// # Errors
    /// The folder does not exist, or the system watches no more folders.
    pub fn watch(&self, folder: &Path, depth: Depth) -> io::Result<()> {
        let mut requested = lock(&self.folders.requested);
        // If it is requested with two depths, the greater one applies.
        let deep = requested.iter().any(|(known, depth)| known == folder && *depth == Depth::All);
        let depth = if deep { Depth::All } else { depth };
        self.folders.watch(folder, depth)?;
        if !requested.iter().any(|(known, far)| known == folder && *far == depth) {
            requested.push((folder.to_owned(), depth));
        }
        Ok(())
    }
}

/// Reports changes until the watch is dropped.
fn report(
    changes: &Receiver<Option<FileChange>>,
    missed: &AtomicBool,
    folders: &Weak<Folders>,
    mut on_change: impl FnMut(FileChange),
) {
    for change in changes {
        let Some(folders) = folders.upgrade() else { return };
        if let Some(change) = change {
            if let FileChange::Changed { path, what } = &change
                && what.is_name_change()
                && path.is_dir()
            {
                // The new folder is watched when this returns, so the receiver misses no change after reading it.
                folders.wait_for_watcher();
            }
            on_change(change);
        }
        if missed.swap(false, Ordering::AcqRel) {
            folders.watch_again();
            on_change(FileChange::Missed);
        }
    }
}

impl Folders {
    /// Waits until the watcher has handled the earlier changes, and so watches new folders.
    fn wait_for_watcher(&self) {
        // A request without an effect, which the watcher answers after the earlier changes.
        let _ = lock(&self.watcher).configure(notify::Config::default());
    }

    fn watch(&self, folder: &Path, depth: Depth) -> io::Result<()> {
        let mode = match depth {
            Depth::One => RecursiveMode::NonRecursive,
            Depth::All => RecursiveMode::Recursive,
        };
        let mut watcher = lock(&self.watcher);
        for _ in 1..TRIES {
            match watcher.watch(folder, mode) {
                // A subfolder was removed while the folder was searched for subfolders: try again.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) && folder.is_dir() => {}
                done => return done.map_err(io::Error::other),
            }
        }
        watcher.watch(folder, mode).map_err(io::Error::other)
    }

    /// Watches all requested folders again, because the lost changes may include new or renamed folders.
    fn watch_again(&self) {
        for (folder, depth) in lock(&self.requested).iter() {
            // Ignore folders that cannot be watched: [`FileChange::Missed`] is reported in any case.
            let _ = self.watch(folder, *depth);
        }
    }
}

/// The kind of the change; `None` for a read, or if only times or permissions changed.
fn what(kind: EventKind) -> Option<What> {
    match kind {
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => None,
        EventKind::Create(CreateKind::Folder) => Some(What::Folder),
        EventKind::Modify(ModifyKind::Name(RenameMode::To)) => Some(What::Arrived),
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
            Some(What::Name)
        }
        EventKind::Any | EventKind::Modify(_) | EventKind::Other => Some(What::Content),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
