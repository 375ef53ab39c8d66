//! One wait for notes and file changes: a message reaches the clients with few thread switches.

use super::{InputEvent, Note};
use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll},
    fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags},
    io::{Errno, read, write},
};
use std::{
    collections::BTreeSet,
    io,
    mem::MaybeUninit,
    os::fd::OwnedFd,
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{Receiver, TryRecvError},
    },
    time::Instant,
};

/// A buffer for some dozens of events, or for one with the longest name.
const CHANGES: usize = 4096;

/// The inotify events that may mean more to read.
const WANTED: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::CREATE)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// Wakes the recorder for a note.
#[derive(Clone)]
pub(crate) struct Waker(Arc<OwnedFd>);

impl Waker {
    pub(crate) fn wake(&self) {
        // It can only fail when the counter is at its limit: then the recorder wakes anyway.
        let _ = write(&*self.0, &1_u64.to_ne_bytes());
    }
}

/// The folders whose file changes are reported.
pub(crate) struct FolderWatch {
    inotify: Option<Arc<OwnedFd>>,
    watched: BTreeSet<PathBuf>,
}

impl FolderWatch {
    /// A watch that reports nothing.
    pub(crate) fn disabled() -> FolderWatch {
        FolderWatch { inotify: None, watched: BTreeSet::new() }
    }

    /// Watches this folder's files and returns whether that works.
    pub(crate) fn add(&mut self, dir: PathBuf) -> bool {
        let Some(inotify) = &self.inotify else { return false };
        if self.watched.contains(&dir) {
            return true;
        }
        let added = inotify::add_watch(inotify, &dir, WANTED).is_ok();
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

/// The recorder's receiving end.
pub(crate) struct RecorderInput {
    notes: Receiver<Note>,
    waker: Arc<OwnedFd>,
    inotify: Option<Arc<OwnedFd>>,
    /// A watched folder is gone.
    lost: bool,
}

/// Without inotify, only notes and heartbeats trigger reading.
pub(crate) fn channel(notes: Receiver<Note>) -> io::Result<(Waker, FolderWatch, RecorderInput)> {
    let waker = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok().map(Arc::new);
    let watch = FolderWatch { inotify: inotify.clone(), watched: BTreeSet::new() };
    Ok((Waker(Arc::clone(&waker)), watch, RecorderInput { notes, waker, inotify, lost: false }))
}

impl RecorderInput {
    /// The next input, until this time.
    pub(crate) fn next(&mut self, until: Instant) -> InputEvent {
        loop {
            match self.notes.try_recv() {
                Ok(note) => return InputEvent::Note(note),
                Err(TryRecvError::Disconnected) => return InputEvent::Gone,
                Err(TryRecvError::Empty) => {}
            }
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
            let inotify = self.inotify.as_ref().unwrap_or(&self.waker);
            let mut fds = [&self.waker, inotify].map(|fd| PollFd::new(fd, PollFlags::IN));
            match poll(&mut fds, Some(&left)) {
                Ok(0) => return InputEvent::Nothing,
                Ok(_) => {}
                // A signal, or a temporary lack of memory.
                Err(_) => continue,
            }
            let [rung, changed] = fds.map(|fd| !fd.revents().is_empty());
            if rung {
                let _ = read(&*self.waker, &mut [0; 8]);
            }
            if changed && let Some(names) = self.read_changes() {
                return InputEvent::Changed { names };
            }
        }
    }

    /// Takes pending changes. Returns whether they include more than modified content; `None` without changes.
    fn read_changes(&mut self) -> Option<bool> {
        let inotify = self.inotify.as_ref()?;
        let mut room = [MaybeUninit::uninit(); CHANGES];
        let mut changes = inotify::Reader::new(inotify, &mut room);
        let mut input_event = None;
        loop {
            match changes.next() {
                Ok(change) => {
                    let names = change.events() != ReadFlags::MODIFY;
                    input_event = Some(input_event.unwrap_or_default() || names);
                    self.lost |= change.events().intersects(ReadFlags::IGNORED | ReadFlags::MOVE_SELF);
                }
                Err(Errno::INTR) => continue,
                Err(_) => return input_event,
            }
            // If more is pending, the next wait returns at once.
            if changes.is_buffer_empty() {
                return input_event;
            }
        }
    }

    /// Whether a watched folder has gone since the last call.
    pub(crate) fn lost(&mut self) -> bool {
        std::mem::take(&mut self.lost)
    }
}
