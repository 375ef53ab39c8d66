//! Stores the beginning and the end of a program's output. Each part is a file named after the offset at
//! which it begins. If the output is too long, parts in the middle are removed. The output has no value after
//! a power cut, so it is never synced.

use super::{FileError, create_dir, remove, syscalls};
use crate::os;
use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// The size of a part, in bytes.
const PART: u64 = 256 << 10;

/// The maximum number of parts that are kept in addition to the first part.
const LAST_PARTS: usize = 7;

/// The stored output. Only one writer may use it at a time.
#[derive(Debug)]
pub struct OutputParts {
    folder: PathBuf,
    part: Option<File>,
    at: u64,
}

/// A piece of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputPiece {
    pub bytes: Vec<u8>,
    /// The number of bytes between the requested offset and this piece that are no longer stored.
    pub missing: u64,
    pub next: u64,
    /// Whether more output is already stored after this piece.
    pub more: bool,
}

impl OutputParts {
    /// Continues after the folder's existing content. The first write creates the folder if it is missing.
    pub fn open(folder: &Path) -> Result<OutputParts, FileError> {
        let at = parts(folder)?.last().map_or(0, |(start, len)| start + len);
        Ok(OutputParts { folder: folder.to_owned(), part: None, at })
    }

    /// Appends bytes without waiting for the disk. If the output is too long, removes parts in the middle.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), FileError> {
        while !bytes.is_empty() {
            if self.part.is_none() || self.at.is_multiple_of(PART) {
                self.part = Some(self.begin()?);
            }
            let Some(part) = &self.part else { return Ok(()) };
            let room = PART - self.at % PART;
            let (now, later) = bytes.split_at(bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
            syscalls::write(part, now)
                .map_err(|source| FileError::Append { path: self.folder.clone(), source })?;
            self.at += now.len() as u64;
            bytes = later;
        }
        Ok(())
    }

    /// Opens the part that receives the next output, and removes parts beyond the limit.
    fn begin(&self) -> Result<File, FileError> {
        create_dir(&self.folder)?;
        let known = parts(&self.folder)?;
        let middle = known.get(1..).unwrap_or_default();
        for (start, _) in &middle[..middle.len().saturating_sub(LAST_PARTS - 1)] {
            remove(&name(&self.folder, *start))?;
        }
        let start = self.at - self.at % PART;
        // Continue a part that is not full.
        let start =
            known.iter().map(|(start, _)| *start).filter(|known| *known >= start).max().unwrap_or(start);
        let path = name(&self.folder, start);
        syscalls::open(&path, os::private_options().append(true).create(true))
            .map_err(|source| FileError::Create { path, source })
    }
}

/// Reads up to `most` bytes of one part, starting at `from` or, if that byte is no longer stored, at the next
/// stored byte.
pub fn read_output(folder: &Path, from: u64, most: usize) -> Result<OutputPiece, FileError> {
    let known = parts(folder)?;
    let Some((start, len)) = known.iter().copied().find(|(start, len)| start + len > from) else {
        return Ok(OutputPiece { bytes: Vec::new(), missing: 0, next: from, more: false });
    };
    let at = from.max(start);
    let path = name(folder, start);
    let bytes = match read_at(&path, at - start, most.min(usize::try_from(start + len - at).unwrap_or(most)))
    {
        // The part was removed after it was listed.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|source| FileError::Read { path, source })?,
    };
    let next = at + bytes.len() as u64;
    let end = known.last().map_or(next, |(start, len)| start + len);
    Ok(OutputPiece { missing: at - from, more: next < end, bytes, next })
}

/// Removes the stored output, and also its folder if the folder is then empty.
pub fn remove_output(folder: &Path) -> Result<(), FileError> {
    for (start, _) in parts(folder)? {
        remove(&name(folder, start))?;
    }
    super::remove_empty_dir(folder).map(drop)
}

fn read_at(path: &Path, at: u64, most: usize) -> io::Result<Vec<u8>> {
    let mut file = crate::repository::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn name(folder: &Path, start: u64) -> PathBuf {
    folder.join(format!("{start:016}.part"))
}

/// Returns the offset and the length of each part, in order.
fn parts(folder: &Path) -> Result<Vec<(u64, u64)>, FileError> {
    let failed = |source| FileError::Read { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(failed(source)),
    };
    let mut parts = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let start = entry.file_name().to_str().and_then(|name| name.strip_suffix(".part")?.parse().ok());
        if let (Some(start), Ok(data)) = (start, entry.metadata()) {
            parts.push((start, data.len()));
        }
    }
    parts.sort_unstable();
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(folder: &Path) -> (Vec<u8>, u64) {
        let (mut bytes, mut missing, mut from) = (Vec::new(), 0, 0);
        loop {
            let piece = read_output(folder, from, 10_000).unwrap();
            bytes.extend_from_slice(&piece.bytes);
            (missing, from) = (missing + piece.missing, piece.next);
            if !piece.more {
                return (bytes, missing);
            }
        }
    }

    #[test]
    fn growing_output_can_be_read_from_any_offset() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("log");
        assert_eq!(all(&folder), (Vec::new(), 0));
        OutputParts::open(&folder).unwrap().write(b"one\n").unwrap();
        OutputParts::open(&folder).unwrap().write(b"two\n").unwrap();
        assert_eq!(all(&folder), (b"one\ntwo\n".to_vec(), 0));
        let piece = read_output(&folder, 4, 2).unwrap();
        assert_eq!(piece, OutputPiece { bytes: b"tw".to_vec(), missing: 0, next: 6, more: true });
        assert_eq!(read_output(&folder, 99, 2).unwrap().next, 99);
    }

    #[test]
    fn endless_output_keeps_its_start_and_end() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = OutputParts::open(dir.path()).unwrap();
        log.write(b"first\n").unwrap();
        let line = [b'x'; 100_000];
        for _ in 0..200 {
            log.write(&line).unwrap();
        }
        log.write(b"last\n").unwrap();
        let (bytes, missing) = all(dir.path());
        assert!(bytes.starts_with(b"first\n") && bytes.ends_with(b"last\n"));
        assert_eq!(bytes.len() as u64 + missing, 20_000_011);
        assert!(bytes.len() as u64 <= PART * (LAST_PARTS as u64 + 1), "{}", bytes.len());
    }
}
