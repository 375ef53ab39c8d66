//! Opens only regular files, and reads no more than the caller's limit.
//!
//! Other kinds of files are refused before they are opened, because opening a device can have side effects.
//! The open file is checked again, because the path may have changed meanwhile. [`crate::repository`] decides
//! which link targets are allowed.

use crate::{FileError, os};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, Read},
    path::{Path, PathBuf},
};

/// The maximum size of a file for [`super::read`], in bytes.
pub(super) const READ_MAX: u64 = 512 << 20;

/// The maximum length of a line for [`read_line`], in bytes.
pub const LINE_MAX: u64 = 64 << 20;

/// The reason for not reading an existing file. It is the source of the [`io::Error`]; [`Refusal::of`]
/// extracts it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The path is not a regular file, but for example a folder, a pipe or a device.
    #[error("it is {kind}, not a regular file")]
    NotRegular {
        /// The kind of the file, with an indefinite article.
        kind: &'static str,
    },
    #[error("it is larger than {}, the limit for this kind of file", size(*max))]
    TooLarge {
        /// The limit, in bytes.
        max: u64,
    },
    /// A link points out of its repository, or into the repository's `.git`.
    #[error("a link in the repository points outside of it, to {}", target.display())]
    Outside {
        /// The target of the link.
        target: PathBuf,
    },
    /// The path kept changing while it was opened.
    #[error("it was replaced repeatedly while being opened")]
    Unsteady,
}

impl Refusal {
    /// Returns the refusal that caused this error, if any.
    pub fn of(error: &io::Error) -> Option<&Refusal> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, refusal)
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 30 => format!("{} GiB", bytes >> 30),
        _ if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        _ => format!("{} KiB", bytes >> 10),
    }
}

/// Opens one of the user's regular files for reading. Links to any target are followed.
///
/// # Errors
///
/// The system's error, or a [`Refusal`] if the file is not regular.
pub fn open_regular(path: &Path) -> io::Result<File> {
    opened(path, &os::reading_options())
}

/// Like [`open_regular`], but the last component of the path must not be a link.
pub(crate) fn open_resolved(path: &Path) -> io::Result<File> {
    opened(path, &os::reading_options_without_link())
}

fn opened(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let regular = |metadata: &fs::Metadata| match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::from(Refusal::NotRegular { kind: os::kind(metadata.file_type()) })),
    };
    regular(&fs::metadata(path)?)?;
    let file = super::uninterrupted(|| options.open(path))?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads the whole content of an open file.
///
/// # Errors
///
/// The system's error, or [`Refusal::TooLarge`] if the file is larger than `max` bytes.
pub fn read_at_most(file: File, max: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::from(Refusal::TooLarge { max });
    let len = file.metadata()?.len();
    if len > max {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // Reserve one more byte, so that the read detects the end of the file without growing the buffer.
    let room = usize::try_from(len).map_err(|_| too_large())?.saturating_add(1);
    bytes.try_reserve_exact(room).map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > max {
        true => Err(too_large()),
        false => Ok(bytes),
    }
}

/// Appends the next line, including its newline, to `bytes` and returns its length. Returns 0 at the end of
/// the file.
///
/// # Errors
///
/// The system's error, or [`Refusal::TooLarge`] if the line does not end within [`LINE_MAX`] bytes.
pub fn read_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let read = reader.take(LINE_MAX).read_until(b'\n', bytes)?;
    match read as u64 == LINE_MAX && !bytes.ends_with(b"\n") {
        true => Err(Refusal::TooLarge { max: LINE_MAX }.into()),
        false => Ok(read),
    }
}

/// Returns the content of one of the user's regular files, or `None` if the file does not exist. Links to any
/// target are followed. For files in a repository, use [`crate::repository::read`].
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    found(path, open_regular(path).and_then(|file| read_at_most(file, READ_MAX)))
}

/// Turns a missing file into `None`, and any other error into [`FileError::Read`].
pub(crate) fn found<T>(path: &Path, read: io::Result<T>) -> Result<Option<T>, FileError> {
    match read {
        Ok(content) => Ok(Some(content)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FileError::Read { path: path.into(), source }),
    }
}
