//! What a program prints, kept as far as a person may want to read it: the beginning and the end. A folder of
//! parts, each named after the place at which it begins; of a program that prints without end the parts in the
//! middle are removed. Worthless after a power cut, so nothing waits for the disk.

use super::{FileError, create_dir, door, remove};
use crate::os;
use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// The length of a part.
const PART: u64 = 256 << 10;

/// So many parts are kept beside the first one.
const LAST_PARTS: usize = 7;

/// What programs print, for one writer at a time.
#[derive(Debug)]
pub struct Printed {
    folder: PathBuf,
    part: Option<File>,
    at: u64,
}

/// A piece of what was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// So many bytes before it are not kept.
    pub missing: u64,
    /// Where the next one begins.
    pub next: u64,
    /// Whether there is a next one already.
    pub more: bool,
}

impl Printed {
    /// Goes on behind what is in the folder, which is made with the first write.
    pub fn open(folder: &Path) -> Result<Printed, FileError> {
        let at = parts(folder)?.last().map_or(0, |(start, len)| start + len);
        Ok(Printed { folder: folder.to_owned(), part: None, at })
    }

    /// Keeps more.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), FileError> {
        while !bytes.is_empty() {
            let mut room = PART - self.at % PART;
            if self.part.is_none() || room == PART {
                self.part = Some(self.begin()?);
                room = PART - self.at % PART;
            }
            let Some(part) = &self.part else { return Ok(()) };
            let (now, later) = bytes.split_at(bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
            door::write(part, now)
                .map_err(|source| FileError::Append { path: self.folder.clone(), source })?;
            self.at += now.len() as u64;
            bytes = later;
        }
        Ok(())
    }

    /// A part at the end, and no more parts than are to be kept.
    fn begin(&self) -> Result<File, FileError> {
        create_dir(&self.folder)?;
        let known = parts(&self.folder)?;
        let middle = known.get(1..).unwrap_or_default();
        for (start, _) in &middle[..middle.len().saturating_sub(LAST_PARTS - 1)] {
            remove(&name(&self.folder, *start))?;
        }
        let start = self.at - self.at % PART;
        // One that was not full is gone on with.
        let start =
            known.iter().map(|(start, _)| *start).filter(|known| *known >= start).max().unwrap_or(start);
        let path = name(&self.folder, start);
        door::open(&path, os::private_options().append(true).create(true))
            .map_err(|source| FileError::Create { path, source })
    }
}

/// What is kept from a place on, at most so many bytes.
pub fn printed(folder: &Path, from: u64, most: usize) -> Result<Piece, FileError> {
    let known = parts(folder)?;
    let Some((start, len)) = known.iter().copied().find(|(start, len)| start + len > from) else {
        return Ok(Piece { bytes: Vec::new(), missing: 0, next: from, more: false });
    };
    let at = from.max(start);
    let path = name(folder, start);
    let bytes = match read_at(&path, at - start, most.min(usize::try_from(start + len - at).unwrap_or(most)))
    {
        // It was removed just now: there are later ones.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|source| FileError::Read { path, source })?,
    };
    let next = at + bytes.len() as u64;
    let end = known.last().map_or(next, |(start, len)| start + len);
    Ok(Piece { missing: at - from, more: next < end, bytes, next })
}

/// Forgets what was printed.
pub fn remove_printed(folder: &Path) -> Result<(), FileError> {
    for (start, _) in parts(folder)? {
        remove(&name(folder, start))?;
    }
    super::remove_empty_dir(folder).map(drop)
}

fn read_at(path: &Path, at: u64, most: usize) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn name(folder: &Path, start: u64) -> PathBuf {
    folder.join(format!("{start:016}.part"))
}

/// Where each part begins, and how long it is; in their order.
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
            let piece = printed(folder, from, 10_000).unwrap();
            bytes.extend_from_slice(&piece.bytes);
            (missing, from) = (missing + piece.missing, piece.next);
            if !piece.more {
                return (bytes, missing);
            }
        }
    }

    #[test]
    fn what_is_printed_is_read_from_any_place_while_more_comes() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("log");
        assert_eq!(all(&folder), (Vec::new(), 0));
        Printed::open(&folder).unwrap().write(b"one\n").unwrap();
        Printed::open(&folder).unwrap().write(b"two\n").unwrap();
        assert_eq!(all(&folder), (b"one\ntwo\n".to_vec(), 0));
        let piece = printed(&folder, 4, 2).unwrap();
        assert_eq!(piece, Piece { bytes: b"tw".to_vec(), missing: 0, next: 6, more: true });
        assert_eq!(printed(&folder, 99, 2).unwrap().next, 99);
    }

    #[test]
    fn of_endless_output_the_beginning_and_the_end_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = Printed::open(dir.path()).unwrap();
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
