//! What the door tells, kept per thread while somebody records.

use std::{cell::RefCell, fs::File, os::unix::fs::MetadataExt, path::PathBuf};

/// One change to the file system.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// A file that was not there.
    Made { path: PathBuf, inode: u64 },
    /// A folder that was not there.
    MadeDir { path: PathBuf },
    /// Bytes in a file.
    Written { inode: u64, at: u64, bytes: Vec<u8> },
    /// A file's new length, shorter.
    Cut { inode: u64, len: u64 },
    /// A file's content was brought to disk.
    Synced { inode: u64 },
    /// A folder's entries were brought to disk.
    SyncedDir { path: PathBuf },
    /// Another name; what had it is gone.
    Renamed { from: PathBuf, to: PathBuf },
    /// A file or an empty folder is gone.
    Removed { path: PathBuf },
    /// The caller was told that what it asked for so far is done.
    Acknowledged,
}

thread_local! {
    static TOLD: RefCell<Option<Vec<Change>>> = const { RefCell::new(None) };
}

/// Takes a change, where somebody records on this thread.
pub(crate) fn tell(change: impl FnOnce() -> Change) {
    TOLD.with_borrow_mut(|told| {
        if let Some(told) = told {
            told.push(change());
        }
    });
}

/// Runs it and returns the changes that it made.
pub(super) fn record(run: impl FnOnce()) -> Vec<Change> {
    TOLD.set(Some(Vec::new()));
    run();
    TOLD.take().expect("it was set above")
}

/// Which file it is, whatever its name.
pub(crate) fn inode(file: &File) -> u64 {
    file.metadata().expect("it is open").ino()
}
