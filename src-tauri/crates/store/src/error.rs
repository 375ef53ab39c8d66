//! Errors of the file layer: one variant per operation, with its path and the system's reason.

use std::{
    io,
    path::{Path, PathBuf},
};

/// What could not be done to which file. The system's reason is the source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Making a folder.
    #[error("could not make the folder {}{}", path.display(), advice(source))]
    CreateDir {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Making a file, or the temporary one beside it.
    #[error("could not make {}{}", path.display(), advice(source))]
    Create {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Reading.
    #[error("could not read {}{}", path.display(), advice(source))]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Writing the new content of a file; the old content is untouched.
    #[error("could not write {}{}", path.display(), advice(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Putting the new file into the old one's place; the old content is untouched.
    #[error("could not put the new {} into place{}", path.display(), advice(source))]
    Rename {
        /// The place.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Making sure that it is on disk.
    #[error("could not bring {} to disk{}", path.display(), advice(source))]
    Sync {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Appending; nothing of what was to be appended is kept.
    #[error("could not append to {}{}", path.display(), advice(source))]
    Append {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Setting a torn or foreign line aside.
    #[error("could not set a damaged line of {} aside{}", path.display(), advice(source))]
    SetAside {
        /// The file that has the line.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Removing a file.
    #[error("could not remove {}{}", path.display(), advice(source))]
    Remove {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Locking; that somebody else holds the lock is not an error.
    #[error("could not lock {}{}", path.display(), advice(source))]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl FileError {
    /// The system's reason.
    pub fn io(&self) -> &io::Error {
        self.parts().1
    }

    /// The file or folder that it is about.
    pub fn path(&self) -> &Path {
        self.parts().0
    }

    /// Whether the disk, or the user's share of it, is full.
    pub fn is_disk_full(&self) -> bool {
        is_disk_full(self.io())
    }

    /// Whether the place cannot be written to: a read-only file system, or no permission.
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

/// What to do about it, as the end of the message; empty where the reason says enough.
fn advice(error: &io::Error) -> &'static str {
    if is_disk_full(error) {
        ": the disk is full; make room and try again"
    } else if is_read_only(error) {
        ": the place is read-only for this user; check its permissions and how it is mounted"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_error(code: i32) -> FileError {
        FileError::Write { path: "/x/meta.json".into(), source: io::Error::from_raw_os_error(code) }
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_and_a_read_only_place_are_told_apart() {
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

    #[cfg(unix)]
    #[test]
    fn the_message_says_what_happened_to_what_and_what_to_do() {
        let error = write_error(rustix::io::Errno::NOSPC.raw_os_error());
        assert_eq!(
            error.to_string(),
            "could not write /x/meta.json: the disk is full; make room and try again"
        );
    }
}
