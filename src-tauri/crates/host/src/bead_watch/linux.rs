//! Only what changes wakes this, not what is read: many hosts watch the same few files, and everybody who looks at beads
//! opens them.

use crate::owner::Input;
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

/// What can change.
const WANTED: WatchFlags = WatchFlags::ATTRIB
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO);

/// What comes within this time is told of once: whoever is told looks later than that.
const GATHERED: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };

/// Room for some dozens of changes, or for the longest name of one.
const CHANGES: usize = 4096;

/// Watches until it is dropped.
pub(crate) struct BeadWatch {
    end: Arc<OwnedFd>,
}

impl BeadWatch {
    /// Watches these folders, without what is below them. `None` where the system cannot: then the end
    /// of each turn tells.
    pub(crate) fn start(folders: &[PathBuf], inbox: SyncSender<Input>) -> Option<BeadWatch> {
        if folders.is_empty() {
            return None;
        }
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        for folder in folders {
            // One that is missing cannot change.
            let _ = inotify::add_watch(&inotify, folder, WANTED);
        }
        let end = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok()?);
        let until = Arc::clone(&end);
        let run = move || {
            while changed(&inotify, &until) {
                // A full inbox means that the owner is awake; the next change or turn tells again.
                let _ = inbox.try_send(Input::BeadsTouched);
                if waits(&[&until], Some(&GATHERED)) {
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

/// Returns when something changed; `false` when it is not to be watched any more.
fn changed(inotify: &OwnedFd, end: &OwnedFd) -> bool {
    loop {
        waits(&[inotify, end], None);
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

/// Waits for any of them, at most so long; whether one has something.
fn waits(files: &[&OwnedFd], longest: Option<&Timespec>) -> bool {
    let mut fds: Vec<PollFd<'_>> = files.iter().map(|file| PollFd::new(*file, PollFlags::IN)).collect();
    // A signal ends it early: whoever waits looks again.
    poll(&mut fds, longest).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn what_changes_is_told_until_nobody_wants_to_know() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issues.jsonl");
        file::replace(&path, b"1").unwrap();
        let (inbox, told) = sync_channel(64);
        let watch = BeadWatch::start(&[folder.path().to_owned(), "/none".into()], inbox).unwrap();
        assert_eq!(file::read(&path).unwrap().unwrap(), b"1");
        file::replace(&path, b"2").unwrap();
        assert!(matches!(told.recv(), Ok(Input::BeadsTouched)));
        file::replace(&path, b"3").unwrap();
        assert!(matches!(told.recv(), Ok(Input::BeadsTouched)), "what comes later is told as well");
        drop(watch);
        // Its thread has ended: nobody can tell any more.
        assert!(told.iter().all(|word| matches!(word, Input::BeadsTouched)));
    }
}
