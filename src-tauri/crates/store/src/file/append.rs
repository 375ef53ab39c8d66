//! Appends JSON lines to a file. When the file is opened, a torn last line is moved to another file.

use super::{
    FileError, LINE_MAX, Refusal,
    group_commit::{GroupCommit, Sink},
    parent_of, sync_parent, syscalls,
};
use crate::os;
use bc_core::message::in_line;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// The state of the file's last line when the file was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tail {
    /// The file ended with a newline, or was empty or missing.
    Whole,
    /// The file ended with a complete JSON object without a newline, which was added.
    Completed,
    /// The file ended with a torn line, which was moved to the end of the file `aside`.
    Torn {
        /// The file that received the line: the original name plus `.torn`.
        aside: PathBuf,
        /// The length of the torn line, in bytes.
        bytes: u64,
    },
}

/// Appends whole lines, each a JSON object, to a file. Threads share one appender: [`Appender::append`] takes
/// `&self` and combines concurrent appends into one sync.
///
/// Only the holder of the file's lock may create an appender: two appenders would treat each other's
/// incomplete lines as torn.
pub struct Appender {
    pub(super) path: PathBuf,
    pub(super) commit: GroupCommit<Lines>,
}

#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    pub(super) file: File,
    /// Whether the file's folder entry is known to be on disk. The process that created the file may have
    /// been killed before it synced the folder.
    named: bool,
}

impl Appender {
    /// Opens the file, or creates it with mode 0600 in an existing folder. Syncs the existing content: the
    /// previous writer may have been killed before its sync, and the caller relies on the content.
    pub fn open(path: &Path) -> Result<(Appender, Tail), FileError> {
        let (mut lines, len, tail) = Lines::open(path)?;
        // No caller can rely on the content of an empty file, so its folder entry does not have to be on disk
        // yet.
        if len > 0 {
            lines.sync().map_err(|source| FileError::Sync { path: path.into(), source })?;
        }
        Ok((Appender { path: path.into(), commit: GroupCommit::new(lines, len) }, tail))
    }

    /// Opens the file as [`Appender::open`] does, appends whole lines as [`Appender::append`] does, and
    /// closes it. The content is on disk when this function returns.
    pub fn append_once(path: &Path, lines: &[u8]) -> Result<Tail, FileError> {
        let (file, len, tail) = Lines::open(path)?;
        let alone = Appender { path: path.into(), commit: GroupCommit::new(file, len) };
        alone.append(lines)?;
        Ok(tail)
    }

    /// Appends one or more whole lines; the last newline can be omitted. The lines are on disk when this
    /// function returns. On an error, none of them remain if the disk still works. Otherwise, the next
    /// opening moves the torn line to another file.
    pub fn append(&self, lines: &[u8]) -> Result<(), FileError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.commit.append(lines).map_err(|source| FileError::Append { path: self.path.clone(), source })
    }

    /// Appends whole lines with their newlines, without waiting for the disk. The lines are visible to all
    /// programs, and survive a kill of this process. They survive a power cut only after [`Appender::sync`].
    /// On an error, none of them remain, with the same exception as for [`Appender::append`].
    pub fn write(&self, lines: &[u8]) -> Result<(), FileError> {
        self.commit.write(lines).map_err(|source| FileError::Append { path: self.path.clone(), source })
    }

    /// Returns once all written lines are on disk. On an error, the lines are kept, and the next sync writes
    /// them again.
    pub fn sync(&self) -> Result<(), FileError> {
        self.commit.sync().map_err(|source| FileError::Sync { path: self.path.clone(), source })
    }

    /// Returns the path of the file.
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
    /// Opens the file and repairs its last line. Returns the file's length and the previous state of its last
    /// line.
    pub(super) fn open(path: &Path) -> Result<(Lines, u64, Tail), FileError> {
        let mut lines = Lines { path: path.into(), file: open(path)?, named: false };
        let tail = repair_tail(path, &mut lines.file)?;
        let len = lines.len().map_err(|source| FileError::Read { path: path.into(), source })?;
        Ok((lines, len, tail))
    }

    pub(super) fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}

impl Sink for Lines {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        syscalls::write(&self.file, bytes)
    }
    fn sync(&mut self) -> io::Result<()> {
        syscalls::sync(&self.file)?;
        if !self.named {
            syscalls::sync_dir(&parent_of(&self.path))?;
            self.named = true;
        }
        Ok(())
    }
    fn truncate(&mut self, len: u64) -> io::Result<()> {
        syscalls::cut(&self.path, &self.file, len)
    }
    fn rewrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        // A handle opened for appending cannot write at other offsets.
        let file = syscalls::open(&self.path, File::options().write(true))?;
        syscalls::rewrite(&file, at, bytes)
    }
}

/// Returns the file for torn lines of `path`.
pub(crate) fn aside_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    name.into()
}

fn open(path: &Path) -> Result<File, FileError> {
    let create = |source| FileError::Create { path: path.into(), source };
    let made = !path.exists();
    let mut options = os::private_options();
    // Refuse links: a link in a repository could redirect the write to any file.
    let opened = syscalls::open(path, os::refuse_link(options.read(true).append(true).create(true)));
    let link = || create(Refusal::NotRegular { kind: "a link" }.into());
    let file = opened.map_err(|error| if path.is_symlink() { link() } else { create(error) })?;
    // Windows opens the link itself instead of refusing it.
    if file.metadata().map_err(create)?.is_symlink() {
        return Err(link());
    }
    if made {
        os::make_private(&file).map_err(create)?;
    }
    Ok(file)
}

/// Makes the file end with a newline. A torn line is on disk in its new file before it is cut from the old
/// file. A crash in between can therefore duplicate the line, but not lose it.
pub(super) fn repair_tail(path: &Path, file: &mut File) -> Result<Tail, FileError> {
    let read = |source| FileError::Read { path: path.into(), source };
    let tail = last_line(file).map_err(read)?;
    if tail.is_empty() {
        return Ok(Tail::Whole);
    }
    let aside = |source| FileError::SetAside { path: path.into(), source };
    let (objects, rest) = in_line::<serde_json::Map<String, serde_json::Value>>(&tail);
    if !objects.is_empty() && rest.is_none() {
        // A prefix of a JSON object is never a JSON object, so the line is complete except for its newline.
        syscalls::write(file, b"\n").and_then(|()| syscalls::sync(file)).map_err(aside)?;
        return Ok(Tail::Completed);
    }
    let aside_path = aside_path(path);
    let torn = open(&aside_path)?;
    sync_parent(&aside_path)?;
    syscalls::write(&torn, &[&tail[..], b"\n"].concat())
        .and_then(|()| syscalls::sync(&torn))
        .map_err(aside)?;
    let bytes = tail.len() as u64;
    let good = file.metadata().map_err(read)?.len() - bytes;
    syscalls::cut(path, file, good).and_then(|()| syscalls::sync(file)).map_err(aside)?;
    Ok(Tail::Torn { aside: aside_path, bytes })
}

/// Returns the bytes after the last newline. Fails if they exceed [`LINE_MAX`]. Reads backwards in steps,
/// because the file can be large.
fn last_line(file: &mut File) -> io::Result<Vec<u8>> {
    const STEP: u64 = 64 * 1024;
    let mut start = file.metadata()?.len();
    let mut tail: Vec<u8> = Vec::new();
    while start > 0 {
        if tail.len() as u64 > LINE_MAX {
            return Err(Refusal::TooLarge { max: LINE_MAX }.into());
        }
        let step = STEP.min(start);
        start -= step;
        file.seek(SeekFrom::Start(start))?;
        let mut chunk = vec![0; usize::try_from(step).expect("at most 64 KiB")];
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

    /// Opens a file with this content. Returns its previous state, its new content, and the content of the
    /// `.torn` file.
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
    fn a_line_without_its_newline_is_completed() {
        assert_eq!(opened(b"{}\n{\"b\":2}"), (Tail::Completed, b"{}\n{\"b\":2}\n".to_vec(), None));
    }

    #[test]
    fn zeros_after_a_power_cut_are_a_torn_line() {
        let (tail, kept, _) = opened(b"{}\n\0\0\0\0");
        assert!(matches!(tail, Tail::Torn { bytes: 4, .. }), "{tail:?}");
        assert_eq!(kept, b"{}\n");
    }

    #[test]
    fn a_torn_line_of_megabytes_is_moved_completely() {
        let line = format!("{{\"text\":\"{}", "x".repeat(3_000_000));
        let (tail, kept, aside) = opened(format!("{{}}\n{line}").as_bytes());
        assert!(matches!(tail, Tail::Torn { bytes: 3_000_009, .. }), "{tail:?}");
        assert_eq!((kept.as_slice(), aside.unwrap().len()), (&b"{}\n"[..], 3_000_010));
    }

    #[test]
    fn torn_lines_are_collected_beside_the_file() {
        let folder = folder();
        let path = folder.path().join("messages.jsonl");
        for torn in ["{1", "{2"] {
            replace(&path, torn.as_bytes()).unwrap();
            Appender::open(&path).unwrap();
        }
        assert_eq!(read(&aside_path(&path)).unwrap().as_deref(), Some(&b"{1\n{2\n"[..]));
    }

    #[test]
    fn concurrent_appends_do_not_mix_lines() {
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
    fn a_full_disk_is_reported() {
        let (appender, _) = Appender::open(Path::new("/dev/full")).unwrap();
        let error = appender.append(b"{}").unwrap_err();
        assert!(matches!(error, FileError::Append { .. }) && error.is_disk_full(), "{error:?}");
        assert_eq!(
            error.to_string(),
            "cannot append to /dev/full: the disk is full; free some space and try again"
        );
    }
}
