//! File locks that the system releases when their last holder exits.
//!
//! A lock belongs to the open file, not to the process (`flock` on Unix, the share mode on Windows). A child
//! that inherits the descriptor or handle also holds the lock, which is released when the last copy is
//! closed. The file's content is never read, so a leftover lock file is harmless.

use crate::{FileError, file, os};
use std::{
    fs::File,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The delay before the second attempt. Most holders release the lock after a few writes.
const TRY_SOON: Duration = Duration::from_micros(250);

/// The maximum delay between two attempts.
const TRY_EVERY: Duration = Duration::from_millis(20);

/// A held lock. Dropping it releases the lock unless a child also holds the descriptor.
#[derive(Debug)]
pub struct FileLock {
    file: File,
    path: PathBuf,
}

impl FileLock {
    /// Takes the lock, and creates its file (mode 0600) if it is missing. Returns `None` if the lock is
    /// already held, even by this process.
    pub fn try_exclusive(path: &Path) -> Result<Option<FileLock>, FileError> {
        loop {
            let error = |source| FileError::Lock { path: path.into(), source };
            let Some(file) = file::open_locked(path).map_err(error)? else { return Ok(None) };
            if os::is_still_at(&file, path).map_err(error)? {
                return Ok(Some(FileLock { file, path: path.into() }));
            }
            // The file was removed or replaced between opening and locking. Retry with the new file.
        }
    }

    /// Takes the lock, waiting up to `wait` for it. Returns `None` if the lock is still held after that time.
    pub fn exclusive(path: &Path, wait: Duration) -> Result<Option<FileLock>, FileError> {
        let deadline = Instant::now() + wait;
        let mut pause = TRY_SOON;
        loop {
            if let Some(lock) = FileLock::try_exclusive(path)? {
                return Ok(Some(lock));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(TRY_EVERY);
        }
    }

    /// Takes over a lock that the parent process passed down as an open file. Returns `None` if the file is
    /// not the one at `path`, or does not hold the lock.
    pub fn from_inherited(file: File, path: &Path) -> Result<Option<FileLock>, FileError> {
        let held = os::holds_lock(&file, path);
        let held = held.map_err(|source| FileError::Lock { path: path.into(), source })?;
        Ok(held.then(|| FileLock { file, path: path.into() }))
    }

    /// Returns the open file, to pass to a child process. The lock is held while the file or a copy of it is
    /// open.
    pub fn into_file(self) -> File {
        self.file
    }

    /// Whether the path still refers to the locked file. If the folder was deleted and recreated, the path
    /// refers to a new, unlocked file.
    pub fn is_current(&self) -> bool {
        // If the check fails, assume that the file is current.
        os::is_still_at(&self.file, &self.path).unwrap_or(true)
    }

    /// Returns the path of the lock file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for FileLock {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_lock_is_exclusive_until_it_is_dropped() {
        let folder = folder();
        let path = folder.path().join("host.lock");
        let held = FileLock::try_exclusive(&path).unwrap().expect("the lock is free");
        assert!(FileLock::try_exclusive(&path).unwrap().is_none());
        assert!(FileLock::exclusive(&path, Duration::from_millis(30)).unwrap().is_none());
        drop(held);
        assert!(FileLock::try_exclusive(&path).unwrap().is_some());
    }

    #[test]
    fn a_lock_of_a_recreated_folder_is_not_current() {
        let folder = folder();
        let path = folder.path().join("p/engine.lock");
        std::fs::create_dir(folder.path().join("p")).unwrap();
        let held = FileLock::try_exclusive(&path).unwrap().expect("the lock is free");
        assert!(held.is_current());
        std::fs::rename(folder.path().join("p"), folder.path().join("q")).unwrap();
        assert!(!held.is_current());
        std::fs::create_dir(folder.path().join("p")).unwrap();
        let other = FileLock::try_exclusive(&path).unwrap().expect("the new file is unlocked");
        assert_eq!((held.is_current(), other.is_current()), (false, true));
    }

    #[test]
    fn a_waiting_caller_gets_the_lock_once_it_is_free() {
        let folder = folder();
        let path = folder.path().join("index.lock");
        let held = FileLock::try_exclusive(&path).unwrap().expect("the lock is free");
        let (sender, taken) = std::sync::mpsc::sync_channel(1);
        std::thread::scope(|scope| {
            scope.spawn(|| sender.send(FileLock::exclusive(&path, Duration::from_secs(60)).unwrap()));
            assert!(taken.recv_timeout(TRY_EVERY).is_err(), "the caller did not wait");
            drop(held);
            assert!(taken.recv().unwrap().is_some());
        });
    }

    #[test]
    fn a_lock_file_without_a_holder_is_not_a_lock() {
        let folder = folder();
        let path = folder.path().join("host.lock");
        crate::file::replace(&path, b"4711").unwrap();
        assert!(FileLock::try_exclusive(&path).unwrap().is_some());
    }

    #[test]
    fn a_lock_in_a_missing_folder_is_an_error() {
        let error = FileLock::try_exclusive(&folder().path().join("no/host.lock")).unwrap_err();
        assert!(matches!(error, FileError::Lock { .. }), "{error:?}");
    }

    #[cfg(unix)]
    #[test]
    fn the_lock_of_a_removed_file_is_not_held() {
        let folder = folder();
        let path = folder.path().join("host.lock");
        let old = FileLock::try_exclusive(&path).unwrap().expect("the lock is free");
        crate::file::remove(&path).unwrap();
        assert!(FileLock::try_exclusive(&path).unwrap().is_some());
        assert!(FileLock::from_inherited(old.into_file(), &path).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn an_inherited_descriptor_is_verified_by_its_lock() {
        let folder = folder();
        let path = folder.path().join("host.lock");
        let held = FileLock::try_exclusive(&path).unwrap().expect("the lock is free");
        let copy = held.file.try_clone().unwrap();
        let stranger = File::open(&path).unwrap();
        assert!(FileLock::from_inherited(stranger, &path).unwrap().is_none());
        drop(held);
        let inherited = FileLock::from_inherited(copy, &path).unwrap();
        assert!(inherited.is_some(), "the copy still holds the lock");
        assert!(FileLock::try_exclusive(&path).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_child_that_inherits_the_lock_holds_it_until_it_exits() {
        use std::process::Stdio;
        let folder = folder();
        let path = folder.path().join("host.lock");
        let held = FileLock::try_exclusive(&path).unwrap().expect("the lock is free");
        rustix::io::fcntl_setfd(&held, rustix::io::FdFlags::empty()).unwrap();
        // The test needs real inheritance, but this crate must not depend on the crate that spawns processes.
        #[allow(clippy::disallowed_methods)]
        let mut child =
            std::process::Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        drop(held);
        assert!(FileLock::try_exclusive(&path).unwrap().is_none(), "the child holds the lock");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(FileLock::try_exclusive(&path).unwrap().is_some(), "the lock outlived the child");
    }
}
