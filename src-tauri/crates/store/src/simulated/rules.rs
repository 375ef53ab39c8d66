//! What a file system promises to keep after a power cut.
//!
//! Sources:
//! - APFS: Apple's manual page fsync(2). `fsync` moves data to the drive, which may lose or reorder it; only
//!   the fcntl `F_FULLFSYNC` makes the drive write it. Rust's `sync_all` and `sync_data` use `F_FULLFSYNC`.
//!   Apple's "APFS Reference": metadata is copied on write and becomes valid with a checkpoint, all of it up
//!   to that moment.
//! - NTFS: Microsoft's documentation of `NtFlushBuffersFileEx`, whose normal form is `FlushFileBuffers`. It writes the
//!   data and commits the pending metadata of one file or folder, and makes the drive write. Metadata is recovered
//!   from one log, in order; data is not logged, and what was never written reads as zeros. A plain `MoveFileEx` may
//!   return before its log record is on disk.
//!
//! A file's length may be wrong in more ways here than either system allows.

/// The rules of one file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// Only what POSIX promises.
    Posix,
    /// APFS with `F_FULLFSYNC`.
    Apfs,
    /// APFS with plain `fsync`: the drive's cache is lost.
    ApfsByFsync,
    /// NTFS with `FlushFileBuffers` for files and folders.
    Ntfs,
    /// NTFS if only files are flushed.
    NtfsByFlush,
}

impl Rules {
    /// Whether names reach the disk in the order of their changes, independent of contents.
    pub(super) fn has_journal(self) -> bool {
        self != Rules::Posix
    }

    /// Whether a file's content is certainly on disk after its sync.
    pub(super) fn sync_reaches_disk(self) -> bool {
        self != Rules::ApfsByFsync
    }

    /// Whether a folder's entries are certainly on disk after its sync.
    pub(super) fn folder_sync_reaches_disk(self) -> bool {
        !matches!(self, Rules::ApfsByFsync | Rules::NtfsByFlush)
    }
}
