//! Reads files that may come from an untrusted source. Pipes do not block, huge files are refused, and with
//! a boundary, links cannot lead out of it.

use bc_store::{
    file::{self, Refusal},
    repository,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The maximum size of a file that is read, in bytes.
pub const FILE_MAX: u64 = 1 << 20;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{} is a link out of the repository, to {}", .path.display(), .target.display())]
    Outside { path: PathBuf, target: PathBuf },
    #[error("{} is not a regular file", .path.display())]
    NotAFile { path: PathBuf },
    #[error("{} exceeds {FILE_MAX} bytes, the limit for hooks files and their scripts", .path.display())]
    TooLarge { path: PathBuf },
    #[error("cannot read {}", .path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// The resolved path of a file, and its content; `None` if the file does not exist. With a boundary, a file
/// with a resolved path outside the boundary is refused.
pub(crate) fn read(path: &Path, boundary: Option<&Path>) -> Result<Option<(PathBuf, Vec<u8>)>, ReadError> {
    let error = |source| ReadError::Io { path: path.into(), source };
    let resolved = match path.canonicalize().map(bc_core::paths::plain) {
        Ok(resolved) => resolved,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return match fs::symlink_metadata(path) {
                // A dangling link is refused, because its target may be created later.
                Ok(_) => Err(error(e)),
                Err(_) => Ok(None),
            };
        }
        Err(e) => return Err(error(e)),
    };
    if let Some(boundary) = boundary
        && !resolved.starts_with(boundary)
    {
        return Err(ReadError::Outside { path: path.into(), target: resolved });
    }
    let opened = match boundary {
        Some(_) => repository::open(&resolved),
        None => file::open_regular(&resolved),
    };
    match opened.and_then(|file| file::read_at_most(file, FILE_MAX)) {
        Ok(bytes) => Ok(Some((resolved, bytes))),
        Err(e) => Err(match Refusal::of(&e) {
            Some(Refusal::TooLarge { .. }) => ReadError::TooLarge { path: path.into() },
            Some(Refusal::NotRegular { .. }) => ReadError::NotAFile { path: path.into() },
            _ => error(e),
        }),
    }
}
