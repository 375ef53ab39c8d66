//! Records the changes that a thread reports.

use std::{cell::RefCell, fs::File, os::unix::fs::MetadataExt, path::PathBuf};

/// One change to the file system.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Made {
        path: PathBuf,
        inode: u64,
    },
    MadeDir {
        path: PathBuf,
    },
    Written {
        inode: u64,
        at: u64,
        bytes: Vec<u8>,
    },
    /// A file was truncated to a shorter length.
    Cut {
        inode: u64,
        len: u64,
    },
    /// A file's content was synced to disk.
    Synced {
        inode: u64,
    },
    /// A folder's entries were synced to disk.
    SyncedDir {
        path: PathBuf,
    },
    /// A file or folder was renamed, replacing an existing target.
    Renamed {
        from: PathBuf,
        to: PathBuf,
    },
    /// A file or an empty folder was removed.
    Removed {
        path: PathBuf,
    },
    /// The caller's preceding requests were acknowledged.
    Acknowledged,
}

thread_local! {
    static TOLD: RefCell<Option<Vec<Change>>> = const { RefCell::new(None) };
}

/// Records a change if this thread is recording.
pub(crate) fn tell(change: impl FnOnce() -> Change) {
    TOLD.with_borrow_mut(|told| {
        if let Some(told) = told {
            told.push(change());
        }
    });
}

/// Runs the closure and returns the changes that it reported.
pub(super) fn record(run: impl FnOnce()) -> Vec<Change> {
    TOLD.set(Some(Vec::new()));
    run();
    TOLD.take().expect("the recording was started above")
}

/// Identifies a file independently of its name.
pub(crate) fn inode(file: &File) -> u64 {
    file.metadata().expect("the file is open").ino()
}
