//! Without a common wait: a watcher's thread reports changes on the same channel as the notes.

use super::{InputEvent, Note};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::{
    collections::BTreeSet,
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Instant,
};

/// Wakes the recorder for a note.
#[derive(Clone)]
pub(crate) struct Waker;

impl Waker {
    /// The channel itself wakes the recorder.
    pub(crate) fn wake(&self) {}
}

/// The folders whose file changes are reported.
pub(crate) struct FolderWatch {
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
}

impl FolderWatch {
    /// A watch that reports nothing.
    pub(crate) fn disabled() -> FolderWatch {
        FolderWatch { watcher: None, watched: BTreeSet::new() }
    }

    /// Watches this folder's files and returns whether that works.
    pub(crate) fn add(&mut self, dir: PathBuf) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        if self.watched.contains(&dir) {
            return true;
        }
        let added = dir.is_dir() && watcher.watch(&dir, RecursiveMode::NonRecursive).is_ok();
        if added {
            self.watched.insert(dir);
        }
        added
    }

    /// A watched folder may be gone: adding it again watches the current one.
    pub(crate) fn forget(&mut self) {
        self.watched.clear();
    }
}

/// An item of the recorder's channel.
enum QueueItem {
    Note(Note),
    Changed,
}

/// The recorder's receiving end.
pub(crate) struct RecorderInput {
    queue: Receiver<QueueItem>,
    waiting: Arc<AtomicBool>,
}

/// Without a watcher, only notes and heartbeats trigger reading.
pub(crate) fn channel(notes: Receiver<Note>) -> io::Result<(Waker, FolderWatch, RecorderInput)> {
    let (sender, queue) = sync_channel(64);
    let waiting = Arc::new(AtomicBool::new(false));
    let watcher = watcher(sender.clone(), Arc::clone(&waiting));
    thread::Builder::new().name("notes".into()).spawn(move || {
        notes.into_iter().all(|note| sender.send(QueueItem::Note(note)).is_ok());
    })?;
    Ok((Waker, FolderWatch { watcher, watched: BTreeSet::new() }, RecorderInput { queue, waiting }))
}

fn watcher(sender: SyncSender<QueueItem>, waiting: Arc<AtomicBool>) -> Option<RecommendedWatcher> {
    let changed = move |event: notify::Result<notify::Event>| {
        // Our own reads open the files: reacting to them would never end.
        let ignored = event.is_ok_and(|event| event.kind.is_access()) || waiting.swap(true, Ordering::AcqRel);
        if !ignored && sender.try_send(QueueItem::Changed).is_err() {
            waiting.store(false, Ordering::Release);
        }
    };
    notify::recommended_watcher(changed).ok()
}

impl RecorderInput {
    /// The next input, until this time.
    pub(crate) fn next(&mut self, until: Instant) -> InputEvent {
        match self.queue.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(QueueItem::Note(note)) => InputEvent::Note(note),
            Ok(QueueItem::Changed) => {
                self.waiting.store(false, Ordering::Release);
                InputEvent::Changed { names: true }
            }
            Err(RecvTimeoutError::Timeout) => InputEvent::Nothing,
            Err(RecvTimeoutError::Disconnected) => InputEvent::Gone,
        }
    }

    /// Whether a watched folder has gone; not reported on this system.
    pub(crate) fn lost(&mut self) -> bool {
        false
    }
}
