//! Only changes wake this watch, not reads: many hosts watch the same few files, and every reader of beads opens
//! them.

use crate::actor::ActorInput;
use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll},
    fs::inotify::{self, CreateFlags, WatchFlags},
    io::{Errno, read, write},
};
use std::{
    mem::MaybeUninit,
    os::fd::OwnedFd,
    path::PathBuf,
    sync::{Arc, mpsc::SyncSender},
    thread,
};

/// The inotify events of a change.
const WANTED: WatchFlags = WatchFlags::ATTRIB
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO);

/// Changes within this time are reported once: the receiver checks later than that.
const DEBOUNCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };

/// A buffer for some dozens of events, or for one with the longest name.
const CHANGES: usize = 4096;

/// Watches until it is dropped.
pub(crate) struct BeadWatch {
    end: Arc<OwnedFd>,
}

impl BeadWatch {
    /// Watches these folders without their subfolders. `None` where inotify is unavailable: then only the end of a
    /// turn triggers a check.
    pub(crate) fn start(folders: &[PathBuf], inbox: SyncSender<ActorInput>) -> Option<BeadWatch> {
        if folders.is_empty() {
            return None;
        }
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        for folder in folders {
            // A missing folder cannot change.
            let _ = inotify::add_watch(&inotify, folder, WANTED);
        }
        let end = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok()?);
        let until = Arc::clone(&end);
        let run = move || {
            while changed(&inotify, &until) {
                // A full inbox means that the actor is awake; the next change or turn reports again.
                let _ = inbox.try_send(ActorInput::BeadFilesChanged);
                if poll_any(&[&until], Some(&DEBOUNCE)) {
                    return;
                }
            }
        };
        thread::Builder::new().name("beads".into()).spawn(run).ok()?;
        Some(BeadWatch { end })
    }
}

impl Drop for BeadWatch {
    fn drop(&mut self) {
        let _ = write(&*self.end, &1_u64.to_ne_bytes());
    }
}

/// Returns when something has changed; `false` when the watch has ended.
fn changed(inotify: &OwnedFd, end: &OwnedFd) -> bool {
    loop {
        poll_any(&[inotify, end], None);
        if read(end, &mut [0; 8]).is_ok() {
            return false;
        }
        let mut room = [MaybeUninit::uninit(); CHANGES];
        let mut changes = inotify::Reader::new(inotify, &mut room);
        let mut any = false;
        loop {
            match changes.next() {
                Ok(_) => any = true,
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        if any {
            return true;
        }
    }
}

/// Waits for any of them, at most `longest`. Returns whether one is ready.
fn poll_any(files: &[&OwnedFd], longest: Option<&Timespec>) -> bool {
    let mut fds: Vec<PollFd<'_>> = files.iter().map(|file| PollFd::new(*file, PollFlags::IN)).collect();
    // A signal ends the wait early: the caller checks again.
    poll(&mut fds, longest).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn changes_are_reported_until_the_watch_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issues.jsonl");
        file::replace(&path, b"1").unwrap();
        let (inbox, messages) = sync_channel(64);
        let watch = BeadWatch::start(&[folder.path().to_owned(), "/none".into()], inbox).unwrap();
        assert_eq!(file::read(&path).unwrap().unwrap(), b"1");
        file::replace(&path, b"2").unwrap();
        assert!(matches!(messages.recv(), Ok(ActorInput::BeadFilesChanged)));
        file::replace(&path, b"3").unwrap();
        assert!(
            matches!(messages.recv(), Ok(ActorInput::BeadFilesChanged)),
            "a later change is not reported"
        );
        drop(watch);
        // The thread has ended and dropped its sender.
        assert!(messages.iter().all(|message| matches!(message, ActorInput::BeadFilesChanged)));
    }
}
