//! Where one wait for both is not to be had: a watcher's thread tells of changes as the owner does.

use super::{Heard, Note};
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

/// Wakes the scribe for a note.
#[derive(Clone)]
pub(crate) struct Bell;

impl Bell {
    /// The channel itself wakes it.
    pub(crate) fn ring(&self) {}
}

/// Folders whose files' changes are heard.
pub(crate) struct Watch {
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
}

impl Watch {
    /// Hears nothing.
    pub(crate) fn deaf() -> Watch {
        Watch { watcher: None, watched: BTreeSet::new() }
    }

    /// Hears of this folder's files from now on; whether it does.
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

    /// One of them may have gone: whoever adds it again means the one that is there now.
    pub(crate) fn forget(&mut self) {
        self.watched.clear();
    }
}

/// What comes to the scribe by one channel.
enum Come {
    Note(Note),
    Changed,
}

/// The scribe's end.
pub(crate) struct Ear {
    come: Receiver<Come>,
    waiting: Arc<AtomicBool>,
}

/// Where the system gives no watch, notes and heartbeats alone tell when to look.
pub(crate) fn pair(notes: Receiver<Note>) -> io::Result<(Bell, Watch, Ear)> {
    let (sender, come) = sync_channel(64);
    let waiting = Arc::new(AtomicBool::new(false));
    let watcher = watcher(sender.clone(), Arc::clone(&waiting));
    thread::Builder::new().name("notes".into()).spawn(move || {
        notes.into_iter().all(|note| sender.send(Come::Note(note)).is_ok());
    })?;
    Ok((Bell, Watch { watcher, watched: BTreeSet::new() }, Ear { come, waiting }))
}

fn watcher(sender: SyncSender<Come>, waiting: Arc<AtomicBool>) -> Option<RecommendedWatcher> {
    let changed = move |event: notify::Result<notify::Event>| {
        // Our own reading opens the files: being woken by that would never end.
        let told = event.is_ok_and(|event| event.kind.is_access()) || waiting.swap(true, Ordering::AcqRel);
        if !told && sender.try_send(Come::Changed).is_err() {
            waiting.store(false, Ordering::Release);
        }
    };
    notify::recommended_watcher(changed).ok()
}

impl Ear {
    /// The next thing, until then.
    pub(crate) fn next(&mut self, until: Instant) -> Heard {
        match self.come.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Come::Note(note)) => Heard::Note(note),
            Ok(Come::Changed) => {
                self.waiting.store(false, Ordering::Release);
                Heard::Changed { names: true }
            }
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Gone,
        }
    }

    /// Whether a watched folder went since this was asked; that is not told here.
    pub(crate) fn lost(&mut self) -> bool {
        false
    }
}
