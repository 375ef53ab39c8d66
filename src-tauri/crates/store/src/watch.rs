//! Reports file changes in folders, each with its path and kind. This module is the program's only file
//! watcher.
//!
//! Reads are not reported. A new folder is watched before it is reported. If the watcher fails or a queue
//! overflows, the requested folders are watched again and [`FileChange::Missed`] is reported. The receiver
//! must then read everything again.

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

/// The maximum number of changes that wait for the receiver.
const QUEUE: usize = 4_096;

/// The maximum number of attempts to watch a folder in which subfolders disappear meanwhile.
const TRIES: usize = 5;

/// A reported change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    Changed {
        /// The changed path, which starts with the folder path as it was requested.
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
    /// A path was created, removed or renamed.
    Name,
    /// A file or folder was renamed to this path, so its content is complete.
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

/// How deeply a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the folder's direct contents.
    One,
    /// The folder's whole tree, including folders that are added later. Links are followed.
    All,
}

/// A file watch. It ends when this value is dropped.
pub struct FileWatch {
    folders: Arc<Folders>,
}

struct Folders {
    watcher: Mutex<RecommendedWatcher>,
    requested: Mutex<Vec<(PathBuf, Depth)>>,
}

impl FileWatch {
    /// Calls `on_change` for every change, on a separate thread. Initially, no folder is watched.
    ///
    /// # Errors
    /// The system cannot create another watcher, or no thread could be started.
    pub fn start(on_change: impl FnMut(FileChange) + Send + 'static) -> io::Result<FileWatch> {
        let (sender, changes) = sync_channel(QUEUE);
        let missed = Arc::new(AtomicBool::new(false));
        let for_events = Arc::clone(&missed);
        // The watcher's thread must not block, because it also answers requests.
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
                // If the queue is full, the receiver is woken anyway.
                let _ = sender.try_send(None);
            }
        };
        let watcher = Mutex::new(notify::recommended_watcher(on_event).map_err(io::Error::other)?);
        let folders = Arc::new(Folders { watcher, requested: Mutex::default() });
        // The thread holds only a weak reference, so that dropping the watch ends the watcher and its queue.
        let weak = Arc::downgrade(&folders);
        thread::Builder::new()
            .name("changes".into())
            .spawn(move || report(&changes, &missed, &weak, on_change))?;
        Ok(FileWatch { folders })
    }

    /// Starts to watch a folder. Call it again for a watched folder if its path may now refer to another
    /// folder.
    ///
    /// # Errors
    /// The folder does not exist, or the system cannot watch more folders.
    pub fn watch(&self, folder: &Path, depth: Depth) -> io::Result<()> {
        let mut requested = lock(&self.folders.requested);
        // If a folder is requested with both depths, the greater depth applies.
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
                // After the call, the new folder is watched, so the receiver misses no change after it reads
                // the folder.
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
    /// Waits until the watcher has handled all earlier changes and therefore watches new folders.
    fn wait_for_watcher(&self) {
        // The request has no effect, and the watcher answers it after the earlier changes.
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
                // A subfolder was removed while the watcher searched for subfolders. Retry.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) && folder.is_dir() => {}
                done => return done.map_err(io::Error::other),
            }
        }
        watcher.watch(folder, mode).map_err(io::Error::other)
    }

    /// Watches all requested folders again, because the lost changes may include new or renamed folders.
    fn watch_again(&self) {
        for (folder, depth) in lock(&self.requested).iter() {
            // Ignore folders that cannot be watched, because [`FileChange::Missed`] is reported in any case.
            let _ = self.watch(folder, *depth);
        }
    }
}

/// Returns the kind of a change. Returns `None` for a read, or if only times or permissions changed.
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
