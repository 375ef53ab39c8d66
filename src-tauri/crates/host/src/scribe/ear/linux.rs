//! One wait for both: a message is on its way to the clients after as few changes of threads as there can be.

use super::{Heard, Note};
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

/// Room for some dozens of changes, or for the longest name of one.
const CHANGES: usize = 4096;

/// What can change in a folder so that there is more to read.
const WANTED: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::CREATE)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// Wakes the scribe for a note.
#[derive(Clone)]
pub(crate) struct Bell(Arc<OwnedFd>);

impl Bell {
    pub(crate) fn ring(&self) {
        // It can only fail where it was rung too often to count: then it rings.
        let _ = write(&*self.0, &1_u64.to_ne_bytes());
    }
}

/// Folders whose files' changes are heard.
pub(crate) struct Watch {
    inotify: Option<Arc<OwnedFd>>,
    watched: BTreeSet<PathBuf>,
}

impl Watch {
    /// Hears nothing.
    pub(crate) fn deaf() -> Watch {
        Watch { inotify: None, watched: BTreeSet::new() }
    }

    /// Hears of this folder's files from now on; whether it does.
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

    /// One of them may have gone: whoever adds it again means the one that is there now.
    pub(crate) fn forget(&mut self) {
        self.watched.clear();
    }
}

/// The scribe's end.
pub(crate) struct Ear {
    notes: Receiver<Note>,
    bell: Arc<OwnedFd>,
    inotify: Option<Arc<OwnedFd>>,
    /// A watched folder went.
    lost: bool,
}

/// Where the system gives no watch, notes and heartbeats alone tell when to look.
pub(crate) fn pair(notes: Receiver<Note>) -> io::Result<(Bell, Watch, Ear)> {
    let bell = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok().map(Arc::new);
    let watch = Watch { inotify: inotify.clone(), watched: BTreeSet::new() };
    Ok((Bell(Arc::clone(&bell)), watch, Ear { notes, bell, inotify, lost: false }))
}

impl Ear {
    /// The next thing, until then.
    pub(crate) fn next(&mut self, until: Instant) -> Heard {
        loop {
            match self.notes.try_recv() {
                Ok(note) => return Heard::Note(note),
                Err(TryRecvError::Disconnected) => return Heard::Gone,
                Err(TryRecvError::Empty) => {}
            }
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
            let inotify = self.inotify.as_ref().unwrap_or(&self.bell);
            let mut fds = [&self.bell, inotify].map(|fd| PollFd::new(fd, PollFlags::IN));
            match poll(&mut fds, Some(&left)) {
                Ok(0) => return Heard::Nothing,
                Ok(_) => {}
                // A signal, or no memory for a moment.
                Err(_) => continue,
            }
            let [rung, changed] = fds.map(|fd| !fd.revents().is_empty());
            if rung {
                let _ = read(&*self.bell, &mut [0; 8]);
            }
            if changed && let Some(names) = self.hear() {
                return Heard::Changed { names };
            }
        }
    }

    /// Takes what changed, or a good part of it; whether it was more than what is in files. `None` where nothing did.
    fn hear(&mut self) -> Option<bool> {
        let inotify = self.inotify.as_ref()?;
        let mut room = [MaybeUninit::uninit(); CHANGES];
        let mut changes = inotify::Reader::new(inotify, &mut room);
        let mut heard = None;
        loop {
            match changes.next() {
                Ok(change) => {
                    let names = change.events() != ReadFlags::MODIFY;
                    heard = Some(heard.unwrap_or_default() || names);
                    self.lost |= change.events().intersects(ReadFlags::IGNORED | ReadFlags::MOVE_SELF);
                }
                Err(Errno::INTR) => continue,
                Err(_) => return heard,
            }
            // Where more is waiting the next wait ends at once.
            if changes.is_buffer_empty() {
                return heard;
            }
        }
    }

    /// Whether a watched folder went since this was asked.
    pub(crate) fn lost(&mut self) -> bool {
        std::mem::take(&mut self.lost)
    }
}
