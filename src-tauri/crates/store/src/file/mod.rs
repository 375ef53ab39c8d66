//! The one way files are written.
//!
//! State files are replaced whole: a reader sees the old content or the new one, and after a return
//! without error the new one survives a power cut. Lines are appended through one [`Appender`].
//! Everything is made with mode 0600 (folders 0700), whatever the umask.

mod append;
mod commit;

pub use crate::error::FileError;
pub use append::{Appender, Tail};

use crate::os;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// What the name of every temporary file starts with; a crash can leave one behind, and whoever
/// lists a folder passes over it.
pub const TEMPORARY_PREFIX: &str = ".bc-tmp-";

/// Replaces the content of a file, or makes it. On an error the old content is untouched. A crash
/// leaves the old content or the new one, and perhaps a temporary file beside it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let temporary = write_temporary(path, bytes)?;
    temporary.as_file().sync_all().map_err(|source| FileError::Sync { path: path.into(), source })?;
    put_into_place(temporary, path)?;
    sync_parent(path)
}

/// As [`replace`], but without waiting for the disk: readers still never see a half, but a power cut
/// may lose the content, old and new. For what is worthless after a restart of the machine.
pub fn replace_volatile(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    put_into_place(write_temporary(path, bytes)?, path)
}

/// Makes a folder and those above it that are missing, each 0700 and on disk. Folders that are there
/// keep their mode.
pub fn create_dir(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = parent_of(path);
    if parent != path {
        create_dir(&parent)?;
    }
    match os::make_private_dir(path) {
        Ok(()) => os::sync_dir(&parent).map_err(|source| FileError::Sync { path: parent, source }),
        // Somebody else made it meanwhile.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(source) => Err(FileError::CreateDir { path: path.into(), source }),
    }
}

/// The content of a file; `None` where there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FileError::Read { path: path.into(), source }),
    }
}

/// Removes a file for good; that it is not there is no error.
pub fn remove(path: &Path) -> Result<(), FileError> {
    match std::fs::remove_file(path) {
        Ok(()) => sync_parent(path),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(FileError::Remove { path: path.into(), source }),
    }
}

/// Makes what was made or renamed beside `path` survive a power cut.
pub(crate) fn sync_parent(path: &Path) -> Result<(), FileError> {
    let parent = parent_of(path);
    os::sync_dir(&parent).map_err(|source| FileError::Sync { path: parent, source })
}

fn write_temporary(path: &Path, bytes: &[u8]) -> Result<tempfile::NamedTempFile, FileError> {
    let mut temporary = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .tempfile_in(parent_of(path))
        .map_err(|source| FileError::Create { path: path.into(), source })?;
    os::make_private(temporary.as_file())
        .map_err(|source| FileError::Create { path: path.into(), source })?;
    temporary.write_all(bytes).map_err(|source| FileError::Write { path: path.into(), source })?;
    Ok(temporary)
}

fn put_into_place(temporary: tempfile::NamedTempFile, path: &Path) -> Result<(), FileError> {
    match temporary.persist(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(FileError::Rename { path: path.into(), source: error.error }),
    }
}

/// The folder that a path is in; the current one for a bare name, the root for the root.
fn parent_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => path.to_owned(),
    }
}
