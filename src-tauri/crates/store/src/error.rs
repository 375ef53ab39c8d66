//! Errors of the file layer: one variant per operation, with the path and the system's error.

use std::{
    io,
    path::{Path, PathBuf},
};

/// A failed file operation, with its path. The source is the system's error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    #[error("cannot create the folder {}{}", path.display(), advice(source))]
    CreateDir { path: PathBuf, source: io::Error },
    /// Creating a file, or the temporary file next to it, failed.
    #[error("cannot create {}{}", path.display(), advice(source))]
    Create { path: PathBuf, source: io::Error },
    #[error("cannot read {}{}", path.display(), advice(source))]
    Read { path: PathBuf, source: io::Error },
    /// Writing a file's new content failed; the old content is unchanged.
    #[error("cannot write {}{}", path.display(), advice(source))]
    Write { path: PathBuf, source: io::Error },
    /// Giving a file or folder its final name failed; an existing one with that name is unchanged.
    #[error("cannot replace {} with its new version{}", path.display(), advice(source))]
    Rename { path: PathBuf, source: io::Error },
    /// Syncing a file or folder to disk failed.
    #[error("cannot sync {} to disk{}", path.display(), advice(source))]
    Sync { path: PathBuf, source: io::Error },
    /// Appending to a file failed; the bytes were removed again if that was possible.
    #[error("cannot append to {}{}", path.display(), advice(source))]
    Append { path: PathBuf, source: io::Error },
    /// Repairing the last line failed: adding its newline, or moving a torn line to another file.
    #[error("cannot move a damaged line of {} aside{}", path.display(), advice(source))]
    SetAside { path: PathBuf, source: io::Error },
    #[error("cannot remove {}{}", path.display(), advice(source))]
    Remove { path: PathBuf, source: io::Error },
    /// Taking a lock failed. A lock held by another process is not an error.
    #[error("cannot lock {}{}", path.display(), advice(source))]
    Lock { path: PathBuf, source: io::Error },
}

impl FileError {
    /// Returns the underlying system error.
    pub fn io(&self) -> &io::Error {
        self.parts().1
    }

    /// Returns the affected file or folder.
    pub fn path(&self) -> &Path {
        self.parts().0
    }

    /// Whether the disk or the user's quota is full.
    pub fn is_disk_full(&self) -> bool {
        is_disk_full(self.io())
    }

    /// Whether writing is not permitted, because the file system is read-only or permission is denied.
    pub fn is_read_only(&self) -> bool {
        is_read_only(self.io())
    }

    fn parts(&self) -> (&Path, &io::Error) {
        match self {
            FileError::CreateDir { path, source }
            | FileError::Create { path, source }
            | FileError::Read { path, source }
            | FileError::Write { path, source }
            | FileError::Rename { path, source }
            | FileError::Sync { path, source }
            | FileError::Append { path, source }
            | FileError::SetAside { path, source }
            | FileError::Remove { path, source }
            | FileError::Lock { path, source } => (path, source),
        }
    }
}

fn is_disk_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

/// Returns the end of the message, with the next step. Empty if no specific advice applies.
fn advice(error: &io::Error) -> &'static str {
    if is_disk_full(error) {
        ": the disk is full; free some space and try again"
    } else if is_read_only(error) {
        ": no write permission; check the permissions and how the file system is mounted"
    } else {
        ""
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn write_error(code: i32) -> FileError {
        FileError::Write { path: "/x/meta.json".into(), source: io::Error::from_raw_os_error(code) }
    }

    #[test]
    fn a_full_disk_and_a_read_only_folder_are_distinguished() {
        use rustix::io::Errno;
        for (errno, full, read_only) in [
            (Errno::NOSPC, true, false),
            (Errno::DQUOT, true, false),
            (Errno::ROFS, false, true),
            (Errno::ACCESS, false, true),
            (Errno::PERM, false, true),
            (Errno::IO, false, false),
        ] {
            let error = write_error(errno.raw_os_error());
            assert_eq!((error.is_disk_full(), error.is_read_only()), (full, read_only), "{errno:?}");
        }
    }

    #[test]
    fn the_message_states_the_failure_the_path_and_the_next_step() {
        let error = write_error(rustix::io::Errno::NOSPC.raw_os_error());
        assert_eq!(
            error.to_string(),
            "cannot write /x/meta.json: the disk is full; free some space and try again"
        );
    }
}
