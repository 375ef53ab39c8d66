//! Incrementally reads a file to which another program appends.
//!
//! A missing file counts as unchanged. A replaced or truncated file is read again from its beginning; a
//! [`super::Decoder`] does not count its lines twice. Deliberately elsewhere: the caller waits for changes to
//! the file.

use std::{
    fs::{File, Metadata},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// The maximum number of bytes that one poll reads.
const CHUNK: u64 = 1 << 20;

/// A file that exists but cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read claude's transcript {} at byte {offset}; everything recorded before is kept", .path.display())]
pub struct ReadError {
    pub path: PathBuf,
    /// The offset at which reading failed.
    pub offset: u64,
    #[source]
    pub source: io::Error,
}

/// The result of a poll.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Appended {
    /// The new bytes, at most 1 MiB.
    pub bytes: Vec<u8>,
    /// Whether the file was replaced or truncated. `bytes` then starts at the beginning of the current file.
    pub restarted: bool,
    /// Whether more data may already be available, because a poll reads at most 1 MiB.
    pub more: bool,
}

/// Reads one growing file piece by piece.
#[derive(Debug)]
pub struct Follower {
    path: PathBuf,
    offset: u64,
    identity: Option<Identity>,
    /// The open file, which is kept while each poll finds new data. The system does not give its identity to another
    /// file meanwhile.
    held: Option<File>,
}

impl Follower {
    /// Follows a file from its beginning. The file need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Follower { path: path.into(), offset: 0, identity: None, held: None }
    }

    /// The path of the followed file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The offset of the next read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads new data, after checking whether the file was replaced or truncated.
    pub fn poll(&mut self) -> Result<Appended, ReadError> {
        let opened = File::open(&self.path).and_then(|file| Ok((file.metadata()?, file)));
        let (meta, mut file) = match opened {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Appended::default()),
            Err(source) => return Err(self.error(source)),
        };
        let identity = identity(&file, &meta);
        let replaced = self.identity.is_some() && self.identity != identity;
        if let Some(mut old) = self.held.take().filter(|_| replaced) {
            // Data that was appended before the replacement is read first.
            if let Ok(bytes) = read_from(&mut old, self.offset, CHUNK)
                && !bytes.is_empty()
            {
                self.offset += bytes.len() as u64;
                self.held = Some(old);
                return Ok(Appended { bytes, restarted: false, more: true });
            }
        }
        let restarted = replaced || meta.len() < self.offset;
        if restarted {
            self.offset = 0;
        }
        self.identity = identity;
        if meta.len() == self.offset {
            return Ok(Appended { restarted, ..Appended::default() });
        }
        let new = meta.len().saturating_sub(self.offset).min(CHUNK);
        // Data that is appended after the length was read is returned by the next poll.
        let bytes = read_from(&mut file, self.offset, new).map_err(|source| self.error(source))?;
        // Files that are read only once, such as those of finished subagents, are not kept open.
        self.held = (self.offset > 0).then_some(file);
        self.offset += bytes.len() as u64;
        Ok(Appended { more: bytes.len() as u64 == CHUNK, bytes, restarted })
    }

    fn error(&self, source: io::Error) -> ReadError {
        ReadError { path: self.path.clone(), offset: self.offset, source }
    }
}

fn read_from(file: &mut File, offset: u64, max: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Device and inode.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(_file: &File, meta: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

/// The volume and the file index. The creation time does not identify a file, because Windows gives it to a
/// new file with the same name.
#[cfg(windows)]
type Identity = (u64, u128);

#[cfg(windows)]
fn identity(file: &File, _meta: &Metadata) -> Option<Identity> {
    bc_store::file::index(file).ok()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // These are claude's files, written as claude writes them.
mod tests {
    use super::*;
    use std::{fs, io::Write};

    #[test]
    fn appended_text_is_read_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let mut follower = Follower::new(&path);
        assert_eq!(follower.poll().unwrap(), Appended::default(), "no file yet");
        fs::write(&path, "one\n").unwrap();
        assert_eq!(follower.poll().unwrap().bytes, b"one\n");
        assert_eq!(follower.poll().unwrap(), Appended::default());
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"two\n").unwrap();
        assert_eq!(follower.poll().unwrap().bytes, b"two\n");
        fs::remove_file(&path).unwrap();
        assert_eq!(follower.poll().unwrap(), Appended::default(), "deleted by claude's clean-up");
        assert_eq!(follower.offset(), 8);
    }

    #[test]
    fn a_replaced_or_truncated_file_is_read_from_the_start() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        fs::write(&path, "one\ntwo\n").unwrap();
        let mut follower = Follower::new(&path);
        follower.poll().unwrap();
        fs::write(dir.path().join("new"), "other text\n").unwrap();
        fs::rename(dir.path().join("new"), &path).unwrap();
        let read = follower.poll().unwrap();
        assert_eq!((read.bytes.as_slice(), read.restarted), (b"other text\n".as_slice(), true));
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(3).unwrap();
        let read = follower.poll().unwrap();
        assert_eq!((read.bytes.as_slice(), read.restarted), (b"oth".as_slice(), true));
    }

    #[test]
    fn a_file_that_grew_before_its_replacement_continues_at_the_start_of_the_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let append = |text: &str| {
            let mut file = fs::OpenOptions::new().create(true).append(true).open(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let mut follower = Follower::new(&path);
        let mut read = || {
            let read = follower.poll().unwrap();
            (String::from_utf8(read.bytes).unwrap(), read.restarted)
        };
        for text in ["one\n", "two\n", "three\n"] {
            append(text);
            assert_eq!(read(), (text.to_owned(), false));
        }
        fs::write(dir.path().join("new"), "other\n").unwrap();
        fs::rename(dir.path().join("new"), &path).unwrap();
        assert_eq!(read(), ("other\n".to_owned(), true));
        append("more\n");
        assert_eq!(read(), ("more\n".to_owned(), false));
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(2).unwrap();
        assert_eq!(read(), ("ot".to_owned(), true));
        append("!\n");
        assert_eq!(read(), ("!\n".to_owned(), false));
    }

    #[test]
    fn a_file_is_read_until_it_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let append = |path: &Path, text: &str| {
            let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let mut follower = Follower::new(&path);
        for text in ["one\n", "two\n", "three\n"] {
            append(&path, text);
            assert_eq!(follower.poll().unwrap().bytes, text.as_bytes());
        }
        let moved = dir.path().join("moved");
        fs::rename(&path, &moved).unwrap();
        append(&moved, "four\n");
        fs::write(&path, "other\n").unwrap();
        let read = follower.poll().unwrap();
        assert_eq!((read.bytes.as_slice(), read.restarted, read.more), (b"four\n".as_slice(), false, true));
        let read = follower.poll().unwrap();
        assert_eq!((read.bytes.as_slice(), read.restarted), (b"other\n".as_slice(), true));
    }

    #[test]
    fn a_file_that_was_removed_and_created_again_is_another_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        fs::write(&path, "one\n").unwrap();
        let mut follower = Follower::new(&path);
        follower.poll().unwrap();
        fs::write(&path, "one\ntwo\n").unwrap();
        assert_eq!(follower.poll().unwrap().bytes, b"two\n");
        fs::remove_file(&path).unwrap();
        // Without the open file, many file systems would give its inode to this one.
        fs::write(&path, "a longer first line\nsecond\n").unwrap();
        let read = follower.poll().unwrap();
        assert_eq!(
            (read.bytes.as_slice(), read.restarted),
            (b"a longer first line\nsecond\n".as_slice(), true)
        );
    }

    #[test]
    fn a_large_file_is_read_in_chunks() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        fs::write(&path, vec![b'x'; (CHUNK + 10) as usize]).unwrap();
        let mut follower = Follower::new(&path);
        assert!(follower.poll().unwrap().more);
        let read = follower.poll().unwrap();
        assert_eq!((read.bytes.len(), read.more), (10, false));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let error = Follower::new(dir.path()).poll().unwrap_err();
        assert!(error.to_string().contains(&dir.path().display().to_string()), "{error}");
    }
}
