//! The guarantees of file systems about data after a power cut.
//!
//! Sources:
//! - APFS: Apple's manual page fsync(2): `fsync` moves data to the drive, which can lose or reorder it; only
//!   the fcntl `F_FULLFSYNC` makes the drive write the data permanently. Rust's `sync_all` and `sync_data`
//!   use `F_FULLFSYNC`. Apple's "APFS Reference": metadata is copied on write. A checkpoint makes all
//!   metadata up to that moment valid.
//! - NTFS: Microsoft's documentation of `NtFlushBuffersFileEx`, which `FlushFileBuffers` calls. The call
//!   writes the data and commits the pending metadata of one file or folder, and flushes the drive's cache.
//!   Metadata is recovered in order from a single log. Data is not logged, and unwritten data reads as zeros.
//!   A plain `MoveFileEx` can return before its log record is on disk.
//!
//! The simulation allows more incorrect file lengths than either system does.

/// The rules of one file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// Only the guarantees of POSIX.
    Posix,
    /// APFS with `F_FULLFSYNC`.
    Apfs,
    /// APFS with plain `fsync`: the contents of the drive's cache can be lost.
    ApfsByFsync,
    /// NTFS with `FlushFileBuffers` for files and folders.
    Ntfs,
    /// NTFS when only files are flushed.
    NtfsByFlush,
}

impl Rules {
    /// Whether names reach the disk in the order of their changes, independently of file contents.
    pub(super) fn has_journal(self) -> bool {
        self != Rules::Posix
    }

    /// Whether a sync guarantees that a file's content is on disk.
    pub(super) fn sync_reaches_disk(self) -> bool {
        self != Rules::ApfsByFsync
    }

    /// Whether a sync guarantees that a folder's entries are on disk.
    pub(super) fn folder_sync_reaches_disk(self) -> bool {
        !matches!(self, Rules::ApfsByFsync | Rules::NtfsByFlush)
    }
}
