//! The recorder's input: the actor's notes, and changes to transcript files.

use super::note::Note;
use bc_store::watch::{Depth, FileChange, FileWatch};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel},
    },
    time::Instant,
};

pub(super) enum InputEvent {
    Note(Note),
    /// A transcript file may have changed. `names`: whether files may also have been added or removed.
    Changed {
        names: bool,
    },
    /// The time limit was reached.
    Nothing,
    /// The actor has exited.
    Gone,
}

enum QueueItem {
    Note(Note),
    /// [`Changes`] contains an unhandled change.
    Changed,
}

/// Sends notes. The recorder's input ends when the last sender is dropped.
pub(super) struct NoteSender(Arc<SyncSender<QueueItem>>);

impl NoteSender {
    pub(super) fn try_send(&self, note: Note) -> Result<(), TrySendError<Note>> {
        self.0.try_send(QueueItem::Note(note)).map_err(|error| match error {
            TrySendError::Full(QueueItem::Note(note)) => TrySendError::Full(note),
            TrySendError::Disconnected(QueueItem::Note(note)) => TrySendError::Disconnected(note),
            TrySendError::Full(_) | TrySendError::Disconnected(_) => unreachable!("a note was sent"),
        })
    }
}

/// The watched folders, and the changes that the recorder has not handled yet.
#[derive(Default)]
struct Changes {
    folders: BTreeSet<PathBuf>,
    /// Whether a change affects more than a file's content; `None` if there are no changes.
    names: Option<bool>,
    /// Whether a watched folder may have been removed.
    lost: bool,
}

/// The folders whose file changes are reported.
pub(super) struct FolderWatch {
    watch: Option<FileWatch>,
    changes: Arc<Mutex<Changes>>,
}

impl FolderWatch {
    /// A watch that reports nothing.
    pub(super) fn disabled() -> FolderWatch {
        FolderWatch { watch: None, changes: Arc::default() }
    }

    /// Watches this folder's files. Returns whether the folder is watched.
    pub(super) fn add(&mut self, dir: PathBuf) -> bool {
        let Some(watch) = &self.watch else { return false };
        // Inserted before the watch begins, because the watch may immediately report the folder's removal.
        if !lock(&self.changes).folders.insert(dir.clone()) {
            return true;
        }
        let added = dir.is_dir() && watch.watch(&dir, Depth::One).is_ok();
        if !added {
            lock(&self.changes).folders.remove(&dir);
        }
        added
    }

    pub(super) fn has(&self, dir: &Path) -> bool {
        lock(&self.changes).folders.contains(dir)
    }

    /// Forgets all folders, because one may have been removed. Adding a folder again watches the current
    /// folder of that name.
    pub(super) fn forget(&mut self) {
        lock(&self.changes).folders.clear();
    }
}

/// The recorder's receiving end.
pub(super) struct RecorderInput {
    queue: Receiver<QueueItem>,
    changes: Arc<Mutex<Changes>>,
}

/// Creates a channel with a capacity of `notes`. If watching is unavailable, only notes and heartbeats
/// trigger reading.
pub(super) fn channel(notes: usize) -> (NoteSender, FolderWatch, RecorderInput) {
    let (sender, queue) = sync_channel(notes);
    let sender = NoteSender(Arc::new(sender));
    let changes: Arc<Mutex<Changes>> = Arc::default();
    let (weak, pending) = (Arc::downgrade(&sender.0), Arc::clone(&changes));
    let watch = FileWatch::start(move |change| {
        let mut changes = lock(&pending);
        let first = changes.names.is_none();
        let (names, lost) = match change {
            FileChange::Changed { path, what } => {
                (what.is_name_change(), what.is_name_change() && changes.folders.contains(&path))
            }
            FileChange::Missed => (true, true),
        };
        changes.names = Some(changes.names.unwrap_or_default() || names);
        changes.lost |= lost;
        if first && let Some(sender) = weak.upgrade() {
            // If the queue is full, the recorder is awake and will find the change.
            let _ = sender.try_send(QueueItem::Changed);
        }
    });
    let watch = FolderWatch { watch: watch.ok(), changes: Arc::clone(&changes) };
    (sender, watch, RecorderInput { queue, changes })
}

impl RecorderInput {
    /// Waits for the next input until this time. Notes are returned before changes.
    pub(super) fn next(&mut self, until: Instant) -> InputEvent {
        loop {
            match self.queue.try_recv() {
                Ok(QueueItem::Note(note)) => return InputEvent::Note(note),
                Ok(QueueItem::Changed) => continue,
                Err(TryRecvError::Disconnected) => return InputEvent::Gone,
                Err(TryRecvError::Empty) => {}
            }
            if let Some(names) = lock(&self.changes).names.take() {
                return InputEvent::Changed { names };
            }
            match self.queue.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(QueueItem::Note(note)) => return InputEvent::Note(note),
                Ok(QueueItem::Changed) => {}
                Err(RecvTimeoutError::Timeout) => return InputEvent::Nothing,
                Err(RecvTimeoutError::Disconnected) => return InputEvent::Gone,
            }
        }
    }

    /// Whether a watched folder may have been removed since the last call.
    pub(super) fn lost(&mut self) -> bool {
        std::mem::take(&mut lock(&self.changes).lost)
    }
}

fn lock(changes: &Mutex<Changes>) -> MutexGuard<'_, Changes> {
    changes.lock().unwrap_or_else(PoisonError::into_inner)
}
