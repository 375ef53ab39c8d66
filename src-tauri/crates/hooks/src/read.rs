//! Reading a file that a stranger may have put there: a pipe does not hold us up, a link does not lead
//! us out, a giant is not read.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The largest file that is read, in bytes.
pub const FILE_MAX: u64 = 1 << 20;

/// A file that was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It leads out of the repository.
    #[error("{} is a link out of the repository, to {}", .path.display(), .target.display())]
    Outside {
        /// The file.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// It is a folder, a pipe, a device.
    #[error("{} is no regular file", .path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// It is too large.
    #[error("{} has more than {FILE_MAX} bytes, which no hooks file and no hook's script needs", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{} cannot be read", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A file's resolved path and its content; `None` where there is none. With a boundary, a file that
/// lies elsewhere once links are followed is refused.
pub(crate) fn read(path: &Path, boundary: Option<&Path>) -> Result<Option<(PathBuf, Vec<u8>)>, ReadError> {
    let error = |source| ReadError::Io { path: path.into(), source };
    let resolved = match path.canonicalize() {
        Ok(resolved) => resolved,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return match fs::symlink_metadata(path) {
                // A link to nowhere: what it will lead to nobody has seen.
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
    let file = open(&resolved).map_err(error)?;
    let metadata = file.metadata().map_err(error)?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile { path: path.into() });
    }
    let mut bytes = Vec::new();
    file.take(FILE_MAX + 1).read_to_end(&mut bytes).map_err(error)?;
    match bytes.len() as u64 > FILE_MAX {
        true => Err(ReadError::TooLarge { path: path.into() }),
        false => Ok(Some((resolved, bytes))),
    }
}

/// Opens without waiting for whoever writes into a pipe, and without following a last link.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}
