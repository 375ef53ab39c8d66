//! The Linux implementation, with inotify. Changes are collected for a moment and reported together.

use super::{Depth, FileChange, What};
use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll},
    fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags},
    io::{Errno, read, write},
};
use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    io,
    mem::MaybeUninit,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// The changes to watch.
const WANTED: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// How long to wait for more after the first change: writers usually write several files.
const GATHERED: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };

/// The approximate maximum number of changes in one report.
const MANY: usize = 4_096;

/// The buffer size, for some hundreds of changes.
const ROOM: usize = 32 << 10;

/// Watches until it is dropped.
pub(crate) struct Changes {
    watched: Arc<Watched>,
    end: Arc<OwnedFd>,
}

/// The watched folders, by watch descriptor.
struct Watched {
    inotify: OwnedFd,
    folders: Mutex<Folders>,
    /// The folders that were requested.
    wanted: Mutex<Vec<(PathBuf, Depth)>>,
}

type Folders = HashMap<i32, (PathBuf, Depth)>;

impl Changes {
    /// Calls `on_change` for every change, on its own thread. No folder is watched yet.
    ///
    /// # Errors
    /// The system has no more watchers, or no thread.
    pub(crate) fn start(mut on_change: impl FnMut(FileChange) + Send + 'static) -> io::Result<Changes> {
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let watched = Arc::new(Watched { inotify, folders: Mutex::default(), wanted: Mutex::default() });
        let end = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let (seen, until) = (Arc::clone(&watched), Arc::clone(&end));
        let run = move || {
            while waits(&[&seen.inotify, &until], None) {
                // A change that arrives with the end is not reported.
                if read(&*until, &mut [0; 8]).is_ok() || waits(&[&until], Some(&GATHERED)) {
                    return;
                }
                seen.take().into_iter().for_each(&mut on_change);
            }
        };
        thread::Builder::new().name("changes".into()).spawn(run)?;
        Ok(Changes { watched, end })
    }

    /// Watches a folder from now on. A watched folder is watched again: the path may lead to another folder now.
    ///
    /// # Errors
    /// The folder does not exist, or the system watches no more folders.
    pub(crate) fn watch(&self, folder: &Path, depth: Depth) -> io::Result<()> {
        self.watched.add(&mut self.watched.folders(), folder, depth)?;
        let mut wanted = self.watched.wanted();
        if !wanted.iter().any(|(known, far)| known == folder && *far == depth) {
            wanted.push((folder.to_owned(), depth));
        }
        Ok(())
    }
}

impl Drop for Changes {
    fn drop(&mut self) {
        let _ = write(&*self.end, &1_u64.to_ne_bytes());
    }
}

impl Watched {
    fn folders(&self) -> MutexGuard<'_, Folders> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self) -> MutexGuard<'_, Vec<(PathBuf, Depth)>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows links, except to folders that contain them.
    fn add(&self, folders: &mut Folders, folder: &Path, depth: Depth) -> io::Result<()> {
        self.walk(folders, &mut HashSet::new(), folder, depth)
    }

    /// Watches every folder that can be watched; returns the first error.
    fn walk(
        &self,
        folders: &mut Folders,
        walked: &mut HashSet<i32>,
        folder: &Path,
        depth: Depth,
    ) -> io::Result<()> {
        let number = inotify::add_watch(&self.inotify, folder, WANTED)?;
        if !walked.insert(number) {
            return Ok(());
        }
        // If it is watched with two depths, the greater one applies.
        let known = folders.get(&number).map(|(_, depth)| *depth);
        let depth = if known == Some(Depth::All) { Depth::All } else { depth };
        folders.insert(number, (folder.to_owned(), depth));
        let mut outcome = Ok(());
        if depth == Depth::All {
            for inside in std::fs::read_dir(folder)? {
                let inside = inside?;
                let kind = inside.file_type()?;
                if kind.is_dir() || (kind.is_symlink() && inside.path().is_dir()) {
                    let done = self.walk(folders, walked, &inside.path(), depth);
                    outcome =
                        outcome.and(done.or_else(|error| if went(&error) { Ok(()) } else { Err(error) }));
                }
            }
        }
        outcome
    }

    /// Folders may have been created or renamed among the lost changes.
    fn add_again(&self, folders: &mut Folders) {
        for (folder, depth) in self.wanted().iter() {
            // A folder that cannot be watched was reported as missed.
            let _ = self.add(folders, folder, *depth);
        }
    }

    /// The pending changes, in order.
    fn take(&self) -> Vec<FileChange> {
        let mut folders = self.folders();
        let (mut found, mut room) = (Vec::new(), [MaybeUninit::uninit(); ROOM]);
        let mut changes = inotify::Reader::new(&self.inotify, &mut room);
        // A program that writes continuously must not delay the report.
        while found.len() < MANY || !changes.is_buffer_empty() {
            let change = match changes.next() {
                Ok(change) => change,
                Err(Errno::INTR) => continue,
                // Nothing more for now.
                Err(_) => return found,
            };
            let events = change.events();
            if events.contains(ReadFlags::QUEUE_OVERFLOW) {
                self.add_again(&mut folders);
                found.push(FileChange::Missed);
                continue;
            }
            if events.contains(ReadFlags::IGNORED) {
                folders.remove(&change.wd());
                continue;
            }
            let Some((folder, depth)) = folders.get(&change.wd()) else { continue };
            let depth = *depth;
            let path = match change.file_name() {
                Some(name) => folder.join(OsStr::from_bytes(name.to_bytes())),
                None => folder.clone(),
            };
            let is_folder = events.contains(ReadFlags::ISDIR) && change.file_name().is_some();
            let what = match events {
                made if made.contains(ReadFlags::CREATE) && is_folder => What::Folder,
                content if content.contains(ReadFlags::MODIFY) => What::Content,
                _ => What::Name,
            };
            if is_folder && events.contains(ReadFlags::MOVED_FROM) {
                self.forget(&mut folders, &path);
            }
            if is_folder
                && depth == Depth::All
                && events.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO)
                && let Err(error) = self.add(&mut folders, &path, depth)
                && !went(&error)
            {
                found.push(FileChange::Missed);
            }
            found.push(FileChange::Changed { path, what });
        }
        found
    }

    /// A folder was renamed: stop watching the folders in it.
    fn forget(&self, folders: &mut Folders, path: &Path) {
        let gone =
            |(number, (folder, _)): (&i32, &(PathBuf, Depth))| (folder.starts_with(path)).then_some(*number);
        let gone: Vec<i32> = folders.iter().filter_map(gone).collect();
        for number in gone {
            folders.remove(&number);
            // The watch of a removed folder is gone already.
            let _ = inotify::remove_watch(&self.inotify, number);
        }
    }
}

/// Whether the error means that the folder no longer exists.
fn went(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Waits until one of the files is readable or the time is over; returns whether one is.
fn waits(files: &[&OwnedFd], longest: Option<&Timespec>) -> bool {
    let mut fds: Vec<PollFd<'_>> = files.iter().map(|file| PollFd::new(*file, PollFlags::IN)).collect();
    loop {
        match poll(&mut fds, longest) {
            Ok(ready) => return ready > 0,
            // The rest of a short wait does not matter.
            Err(Errno::INTR) if longest.is_none() => {}
            Err(_) => return false,
        }
    }
}
