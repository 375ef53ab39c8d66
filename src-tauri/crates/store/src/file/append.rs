//! Appending lines of JSON to a file, with a torn last line set aside at opening.

use super::{
    FileError,
    commit::{GroupCommit, Sink},
    door, parent_of, sync_parent,
};
use crate::os;
use bc_core::message::in_line;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// What the file ended with when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tail {
    /// A newline, or it was empty or absent.
    Whole,
    /// A whole JSON object without its newline, which was added.
    Completed,
    /// A torn line, which now is the last one of `aside`.
    Torn {
        /// The file that it was moved to: the name with `.torn` after it.
        aside: PathBuf,
        /// Its length in bytes.
        bytes: u64,
    },
}

/// Appends whole lines, each a JSON object, to a file. Clone it not, share it: [`Appender::append`]
/// takes `&self` and gathers what several threads append at a time into one sync.
///
/// Only whoever holds the file's lock may have one: two would set each other's lines aside.
pub struct Appender {
    pub(super) path: PathBuf,
    pub(super) commit: GroupCommit<Lines>,
}

/// The file that lines are put into.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    pub(super) file: File,
    /// Whether the file's name is on disk, too. Whoever made the file may have been killed before it was.
    named: bool,
}

impl Appender {
    /// Opens the file, or makes it with mode 0600 in a folder that is there. What is found in it is on
    /// disk afterwards: whoever wrote it may have been killed before it was, and what is read
    /// now is relied on.
    pub fn open(path: &Path) -> Result<(Appender, Tail), FileError> {
        let (mut lines, len, tail) = Lines::open(path)?;
        // Of an empty file nobody relies on anything yet, its name included.
        if len > 0 {
            lines.sync().map_err(|source| FileError::Sync { path: path.into(), source })?;
        }
        Ok((Appender { path: path.into(), commit: GroupCommit::new(lines, len) }, tail))
    }

    /// Appends whole lines to a file that is opened for them alone, else as [`Appender::open`] and
    /// [`Appender::append`] do. What is found in the file is on disk when this returns, and not before.
    pub fn append_once(path: &Path, lines: &[u8]) -> Result<Tail, FileError> {
        let (file, len, tail) = Lines::open(path)?;
        let alone = Appender { path: path.into(), commit: GroupCommit::new(file, len) };
        alone.append(lines)?;
        Ok(tail)
    }

    /// Appends one or more whole lines; the last newline may be left out. Returns once they are on
    /// disk. On an error nothing of them is kept, as far as the disk still obeys; what is left is
    /// set aside at the next opening.
    pub fn append(&self, lines: &[u8]) -> Result<(), FileError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.commit.append(lines).map_err(|source| FileError::Append { path: self.path.clone(), source })
    }

    /// Puts whole lines, each with its newline, behind the others for every program to see; whoever is
    /// killed now loses nothing. Only [`Appender::sync`] brings them to disk. On an error nothing of them
    /// is kept.
    pub fn write(&self, lines: &[u8]) -> Result<(), FileError> {
        self.commit.write(lines).map_err(|source| FileError::Append { path: self.path.clone(), source })
    }

    /// Returns once everything that was written is on disk. After an error all of it is there still, and
    /// the next sync gives it to the disk again.
    pub fn sync(&self) -> Result<(), FileError> {
        self.commit.sync().map_err(|source| FileError::Sync { path: self.path.clone(), source })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl std::fmt::Debug for Appender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Appender").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Lines {
    /// The file with a whole last line, how long it is, and what it ended with.
    pub(super) fn open(path: &Path) -> Result<(Lines, u64, Tail), FileError> {
        let mut lines = Lines { path: path.into(), file: open(path)?, named: false };
        let tail = mend(path, &mut lines.file)?;
        let len = lines.len().map_err(|source| FileError::Read { path: path.into(), source })?;
        Ok((lines, len, tail))
    }

    pub(super) fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}

impl Sink for Lines {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        door::write(&self.file, bytes)
    }
    fn sync(&mut self) -> io::Result<()> {
        door::sync(&self.file)?;
        if !self.named {
            door::sync_dir(&parent_of(&self.path))?;
            self.named = true;
        }
        Ok(())
    }
    fn truncate(&mut self, len: u64) -> io::Result<()> {
        door::cut(&self.file, len)
    }
    fn rewrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        // The one that appends can write nowhere else.
        let file = door::open(&self.path, File::options().write(true))?;
        door::rewrite(&file, at, bytes)
    }
}

/// The file that torn and foreign lines of `path` are kept in.
pub(crate) fn aside_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    name.into()
}

fn open(path: &Path) -> Result<File, FileError> {
    let create = |source| FileError::Create { path: path.into(), source };
    let made = !path.exists();
    let file =
        door::open(path, os::private_options().read(true).append(true).create(true)).map_err(create)?;
    if made {
        os::make_private(&file).map_err(create)?;
    }
    Ok(file)
}

/// Makes the file end with a newline. The torn line is on disk in its new place before it goes from
/// the old one: a crash in between can double it, never lose it.
pub(super) fn mend(path: &Path, file: &mut File) -> Result<Tail, FileError> {
    let read = |source| FileError::Read { path: path.into(), source };
    let tail = last_line(file).map_err(read)?;
    if tail.is_empty() {
        return Ok(Tail::Whole);
    }
    let aside = |source| FileError::SetAside { path: path.into(), source };
    let (objects, rest) = in_line::<serde_json::Map<String, serde_json::Value>>(&tail);
    if !objects.is_empty() && rest.is_none() {
        // No beginning of a JSON object is one itself, so only the newline is missing, or is a zero.
        door::write(file, b"\n").and_then(|()| door::sync(file)).map_err(aside)?;
        return Ok(Tail::Completed);
    }
    let aside_path = aside_path(path);
    let torn = open(&aside_path)?;
    sync_parent(&aside_path)?;
    door::write(&torn, &[&tail[..], b"\n"].concat()).and_then(|()| door::sync(&torn)).map_err(aside)?;
    let bytes = tail.len() as u64;
    let good = file.metadata().map_err(read)?.len() - bytes;
    door::cut(file, good).and_then(|()| door::sync(file)).map_err(aside)?;
    Ok(Tail::Torn { aside: aside_path, bytes })
}

/// What stands after the last newline; read from the end in steps, since a file may be large.
fn last_line(file: &mut File) -> io::Result<Vec<u8>> {
    const MOST: u64 = 64 * 1024;
    let mut start = file.metadata()?.len();
    let mut tail: Vec<u8> = Vec::new();
    // Nearly always the newline is the last byte: the first step is a small one.
    let mut step = 4 * 1024;
    while start > 0 {
        step = MOST.min(step).min(start);
        start -= step;
        file.seek(SeekFrom::Start(start))?;
        let mut chunk = vec![0; usize::try_from(step).expect("at most 64 KiB")];
        step = MOST;
        file.read_exact(&mut chunk)?;
        if let Some(newline) = chunk.iter().rposition(|&b| b == b'\n') {
            chunk.drain(..=newline);
            chunk.append(&mut tail);
            return Ok(chunk);
        }
        chunk.append(&mut tail);
        tail = chunk;
    }
    Ok(tail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{read, replace};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    /// Opens a file of this content and tells what is in it afterwards, and in the one beside it.
    fn opened(content: &[u8]) -> (Tail, Vec<u8>, Option<Vec<u8>>) {
        let folder = folder();
        let path = folder.path().join("messages.jsonl");
        replace(&path, content).unwrap();
        let (_, tail) = Appender::open(&path).unwrap();
        (tail, read(&path).unwrap().unwrap(), read(&aside_path(&path)).unwrap())
    }

    #[test]
    fn lines_are_appended_in_order_and_survive_reopening() {
        let folder = folder();
        let path = folder.path().join("messages.jsonl");
        for round in 0..3 {
            let (appender, tail) = Appender::open(&path).unwrap();
            assert_eq!(tail, Tail::Whole);
            appender.append(format!("{{\"n\":{round}}}").as_bytes()).unwrap();
            appender.append(b"{}\n{}\n").unwrap();
            appender.append(b"").unwrap();
        }
        let text = String::from_utf8(read(&path).unwrap().unwrap()).unwrap();
        assert_eq!(text, "{\"n\":0}\n{}\n{}\n{\"n\":1}\n{}\n{}\n{\"n\":2}\n{}\n{}\n");
    }

    #[test]
    fn a_torn_line_is_moved_aside_and_reported() {
        let (tail, kept, aside) = opened(b"{\"a\":1}\n{\"b\":");
        assert!(matches!(tail, Tail::Torn { bytes: 5, .. }), "{tail:?}");
        assert_eq!(kept, b"{\"a\":1}\n");
        assert_eq!(aside.as_deref(), Some(&b"{\"b\":\n"[..]));
    }

    #[test]
    fn a_line_that_lacks_only_its_newline_gets_it() {
        assert_eq!(opened(b"{}\n{\"b\":2}"), (Tail::Completed, b"{}\n{\"b\":2}\n".to_vec(), None));
    }

    #[test]
    fn what_a_power_cut_left_as_zeros_is_a_torn_line() {
        let (tail, kept, _) = opened(b"{}\n\0\0\0\0");
        assert!(matches!(tail, Tail::Torn { bytes: 4, .. }), "{tail:?}");
        assert_eq!(kept, b"{}\n");
    }

    #[test]
    fn a_torn_line_of_megabytes_is_moved_whole() {
        let line = format!("{{\"text\":\"{}", "x".repeat(3_000_000));
        let (tail, kept, aside) = opened(format!("{{}}\n{line}").as_bytes());
        assert!(matches!(tail, Tail::Torn { bytes: 3_000_009, .. }), "{tail:?}");
        assert_eq!((kept.as_slice(), aside.unwrap().len()), (&b"{}\n"[..], 3_000_010));
    }

    #[test]
    fn torn_lines_gather_beside_the_file() {
        let folder = folder();
        let path = folder.path().join("messages.jsonl");
        for torn in ["{1", "{2"] {
            replace(&path, torn.as_bytes()).unwrap();
            Appender::open(&path).unwrap();
        }
        assert_eq!(read(&aside_path(&path)).unwrap().as_deref(), Some(&b"{1\n{2\n"[..]));
    }

    #[test]
    fn threads_that_append_at_a_time_never_mix_their_lines() {
        let folder = folder();
        let path = folder.path().join("messages.jsonl");
        let (appender, _) = Appender::open(&path).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let appender = &appender;
                scope.spawn(move || {
                    for n in 0..25 {
                        appender.append(format!("{{\"from\":{thread},\"n\":{n}}}").as_bytes()).unwrap();
                    }
                });
            }
        });
        let text = String::from_utf8(read(&path).unwrap().unwrap()).unwrap();
        assert_eq!(text.lines().count(), 100);
        for thread in 0..4 {
            let own: Vec<_> = text.lines().filter(|l| l.contains(&format!("\"from\":{thread},"))).collect();
            let expect: Vec<_> = (0..25).map(|n| format!("{{\"from\":{thread},\"n\":{n}}}")).collect();
            assert_eq!(own, expect, "the lines of thread {thread}, in its order");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_said_to_be_full() {
        let (appender, _) = Appender::open(Path::new("/dev/full")).unwrap();
        let error = appender.append(b"{}").unwrap_err();
        assert!(matches!(error, FileError::Append { .. }) && error.is_disk_full(), "{error:?}");
        assert_eq!(
            error.to_string(),
            "could not append to /dev/full: the disk is full; make room and try again"
        );
    }
}
