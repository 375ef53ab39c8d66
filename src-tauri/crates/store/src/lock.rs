//! Locks on files that die with their last holder.
//!
//! A lock belongs to the open file and not to the process (`flock` on Unix): a child that inherits
//! the descriptor holds it as well, and it is free once the last of them is gone. Nothing is read
//! from the file, so a left-over lock file means nothing.

use crate::{FileError, os};
use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How long to wait between two tries.
const TRY_EVERY: Duration = Duration::from_millis(20);

/// A held lock; dropping it lets go, unless a child holds the descriptor too.
#[derive(Debug)]
pub struct FileLock {
    file: File,
    path: PathBuf,
}

impl FileLock {
    /// Takes the lock, making its file (0600) where it is missing; `None` while somebody else holds it.
    pub fn try_exclusive(path: &Path) -> Result<Option<FileLock>, FileError> {
        loop {
            let file = os::private_options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
                .map_err(|source| FileError::Lock { path: path.into(), source })?;
            match FileLock::take(file, path)? {
                Taken::Held(lock) => return Ok(Some(lock)),
                Taken::Busy => return Ok(None),
                // The file was removed or replaced between opening and locking it: that lock is
                // nobody's, the next one counts.
                Taken::Stale => {}
            }
        }
    }

    /// Takes the lock, waiting for it at most so long; `None` if somebody else holds it still.
    pub fn exclusive(path: &Path, wait: Duration) -> Result<Option<FileLock>, FileError> {
        let deadline = Instant::now() + wait;
        loop {
            if let Some(lock) = FileLock::try_exclusive(path)? {
                return Ok(Some(lock));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            std::thread::sleep(TRY_EVERY.min(left));
        }
    }

    /// The lock that a parent handed down as an open descriptor; `None` if the descriptor is of
    /// another file, or somebody else holds the lock after all.
    #[cfg(unix)]
    pub fn from_inherited_fd(fd: std::os::fd::OwnedFd, path: &Path) -> Result<Option<FileLock>, FileError> {
        // Locking again through the same open file changes nothing and shows that it is held.
        match FileLock::take(File::from(fd), path)? {
            Taken::Held(lock) => Ok(Some(lock)),
            Taken::Busy | Taken::Stale => Ok(None),
        }
    }

    /// The open file, for handing it down; it holds the lock as long as it or a copy is open.
    pub fn into_file(self) -> File {
        self.file
    }

    /// The lock file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn take(file: File, path: &Path) -> Result<Taken, FileError> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Taken::Busy),
            Err(TryLockError::Error(source)) => return Err(FileError::Lock { path: path.into(), source }),
        }
        let there =
            os::is_still_at(&file, path).map_err(|source| FileError::Lock { path: path.into(), source })?;
        Ok(if there { Taken::Held(FileLock { file, path: path.into() }) } else { Taken::Stale })
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for FileLock {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}

enum Taken {
    Held(FileLock),
    Busy,
    Stale,
}
