//! Reads a file that another program appends to, from where the last read ended.
//!
//! A file that is not there yet, or not any more, has nothing new; one that was replaced or cut is
//! read again from its beginning, which a [`super::Decoder`] takes without counting twice. Waiting for
//! a change is the caller's business.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// How much one poll returns at most.
const CHUNK: u64 = 1 << 20;

/// How much is appended at once by far the most times.
const APPENDED: usize = 4 << 10;

/// The file is there and cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("claude's transcript {} cannot be read at byte {offset}; what was recorded until there is kept", .path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// Where the read began.
    pub offset: u64,
    /// Why.
    #[source]
    pub source: io::Error,
}

/// What a poll found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Appended {
    /// The new bytes, at most 1 MiB.
    pub bytes: Vec<u8>,
    /// The file is another one than before or was cut: `bytes` begin at its beginning.
    pub restarted: bool,
    /// There is more to read at once.
    pub more: bool,
}

/// Follows one file; see the module.
#[derive(Debug)]
pub struct Follower {
    path: PathBuf,
    offset: u64,
    identity: Option<(u64, u64)>,
    /// The file, read up to the offset, while there was something new in it each time.
    held: Option<File>,
}

impl Follower {
    /// Follows the file from its beginning. It need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Follower::at(path, 0)
    }

    /// Goes on where an earlier follower's [`Follower::offset`] was.
    pub fn at(path: impl Into<PathBuf>, offset: u64) -> Self {
        Follower { path: path.into(), offset, identity: None, held: None }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes of the file were read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads what is new where no file got a new name since the last poll: what was appended to the one that is held is
    /// read at once, without a look at its path.
    pub fn poll_same(&mut self) -> Result<Appended, ReadError> {
        let Some(held) = &mut self.held else { return self.poll() };
        let mut bytes = vec![0; APPENDED];
        let length = loop {
            match held.read(&mut bytes) {
                // It was cut, or is gone, or nothing was appended.
                Ok(0) => return self.poll(),
                Ok(length) => break length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // What is at the path may be readable; if it is not, it is met again there.
                Err(_) => {
                    self.held = None;
                    return self.poll();
                }
            }
        };
        bytes.truncate(length);
        self.offset += length as u64;
        Ok(Appended { more: length == APPENDED, bytes, restarted: false })
    }

    /// Reads what is new.
    pub fn poll(&mut self) -> Result<Appended, ReadError> {
        let (mut file, meta, at) = match self.open() {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Appended::default()),
            Err(source) => return Err(self.error(source)),
        };
        let identity = identity(&meta);
        let replaced = self.identity.is_some() && self.identity != identity;
        let restarted = replaced || meta.len() < self.offset;
        if restarted {
            self.offset = 0;
        }
        self.identity = identity;
        if meta.len() == self.offset {
            return Ok(Appended { restarted, ..Appended::default() });
        }
        let new = meta.len().saturating_sub(self.offset).min(CHUNK);
        let mut bytes = Vec::with_capacity(usize::try_from(new).unwrap_or_default());
        if at != self.offset {
            file.seek(SeekFrom::Start(self.offset)).map_err(|source| self.error(source))?;
        }
        // What comes after that length is told of once more.
        (&mut file).take(new).read_to_end(&mut bytes).map_err(|source| self.error(source))?;
        // Of many files that are read once, as those of subagents that ended, none is held.
        let goes_on = self.offset > 0 && !bytes.is_empty();
        self.offset += bytes.len() as u64;
        self.held = goes_on.then_some(file);
        Ok(Appended { more: bytes.len() as u64 == CHUNK, bytes, restarted })
    }

    /// The file that is at the path now, what is known of it, and where it is read next.
    fn open(&mut self) -> io::Result<(File, Metadata, u64)> {
        if let Some(held) = self.held.take() {
            let meta = fs::metadata(&self.path)?;
            // As long as it is open nothing else gets its identity.
            if self.identity.is_some() && identity(&meta) == self.identity {
                return Ok((held, meta, self.offset));
            }
        }
        let file = File::open(&self.path)?;
        let meta = file.metadata()?;
        Ok((file, meta, 0))
    }

    fn error(&self, source: io::Error) -> ReadError {
        ReadError { path: self.path.clone(), offset: self.offset, source }
    }
}

#[cfg(unix)]
fn identity(meta: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

/// Without inodes the moment of creation tells one file from the next of its name.
#[cfg(not(unix))]
fn identity(meta: &Metadata) -> Option<(u64, u64)> {
    let created = meta.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((created.as_secs(), u64::from(created.subsec_nanos())))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // The files here are claude's, written as claude writes them.
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_was_appended_is_read_once() {
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
    fn a_replaced_or_cut_file_is_read_from_its_beginning() {
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
    fn one_that_grew_until_it_was_replaced_is_read_from_the_other_s_beginning_and_then_goes_on() {
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
    fn where_no_file_got_a_new_name_the_one_that_is_held_is_read_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let append = |path: &Path, text: &str| {
            let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let mut follower = Follower::new(&path);
        assert_eq!(follower.poll_same().unwrap(), Appended::default(), "no file yet");
        for text in ["one\n", "two\n", "three\n"] {
            append(&path, text);
            assert_eq!(follower.poll_same().unwrap().bytes, text.as_bytes());
        }
        // What was written just before another file took the name is not lost.
        let moved = dir.path().join("moved");
        fs::rename(&path, &moved).unwrap();
        append(&moved, "four\n");
        fs::write(&path, "other\n").unwrap();
        assert_eq!(follower.poll_same().unwrap().bytes, b"four\n");
        let read = follower.poll().unwrap();
        assert_eq!((read.bytes.as_slice(), read.restarted), (b"other\n".as_slice(), true));
    }

    #[test]
    fn one_that_is_held_and_cannot_be_read_any_more_is_opened_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        fs::write(&path, "one\n").unwrap();
        let mut follower = Follower::new(&path);
        follower.poll().unwrap();
        fs::write(&path, "one\ntwo\n").unwrap();
        // Open for writing only.
        follower.held = Some(fs::OpenOptions::new().append(true).open(&path).unwrap());
        assert_eq!(follower.poll_same().unwrap().bytes, b"two\n");
    }

    #[test]
    fn a_large_file_comes_in_chunks_and_a_later_follower_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        fs::write(&path, vec![b'x'; (CHUNK + 10) as usize]).unwrap();
        let mut follower = Follower::new(&path);
        assert!(follower.poll().unwrap().more);
        let mut later = Follower::at(&path, follower.offset());
        let read = later.poll().unwrap();
        assert_eq!((read.bytes.len(), read.more), (10, false));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let error = Follower::new(dir.path()).poll().unwrap_err();
        assert!(error.to_string().contains(&dir.path().display().to_string()), "{error}");
    }
}
