//! A file to which several programs occasionally append lines. Each program holds a common lock while it
//! appends.

use super::{
    Appender, FileError, Tail,
    append::{Lines, repair_tail},
    group_commit::GroupCommit,
};
use crate::os;
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// A file to which several programs append lines. The file stays open between appends while its path still
/// refers to it. Its folder entry is then known to be on disk, so an append waits only for its own lines.
#[derive(Debug)]
pub struct SharedLog {
    path: PathBuf,
    kept: Mutex<Option<Lines>>,
}

impl SharedLog {
    /// Creates a log for a path in an existing folder. The file does not have to exist.
    pub fn at(path: PathBuf) -> SharedLog {
        SharedLog { path, kept: Mutex::default() }
    }

    /// Returns the file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends whole lines, as [`Appender::append_once`] does. The caller must hold the common lock.
    ///
    /// # Errors
    ///
    /// Writing or syncing failed. The lines are then removed again, unless that also fails.
    pub fn append(&self, lines: &[u8]) -> Result<Tail, FileError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |lines: &Lines| os::is_still_at(&lines.file, &self.path).unwrap_or(false);
        let (file, len, tail) = match kept.take().filter(same) {
            Some(mut file) => {
                // Another program may have been killed while it was writing a line.
                let tail = repair_tail(&self.path, &mut file.file)?;
                let len = file.len().map_err(|source| FileError::Read { path: self.path.clone(), source })?;
                (file, len, tail)
            }
            None => Lines::open(&self.path)?,
        };
        let appender = Appender { path: self.path.clone(), commit: GroupCommit::new(file, len) };
        appender.append(lines)?;
        *kept = Some(appender.commit.into_sink());
        Ok(tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{Appender, append::aside_path, read, rename, replace};

    fn log() -> (tempfile::TempDir, SharedLog) {
        let folder = tempfile::tempdir().unwrap();
        let log = SharedLog::at(folder.path().join("system.jsonl"));
        (folder, log)
    }

    fn text(log: &SharedLog) -> String {
        String::from_utf8(read(log.path()).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn lines_of_several_programs_are_not_mixed() {
        let (_folder, log) = log();
        let other = SharedLog::at(log.path().to_owned());
        for n in 0..3 {
            log.append(format!("{{\"ours\":{n}}}\n").as_bytes()).unwrap();
            other.append(format!("{{\"theirs\":{n}}}").as_bytes()).unwrap();
            Appender::append_once(log.path(), b"{}\n").unwrap();
        }
        let round = |n| format!("{{\"ours\":{n}}}\n{{\"theirs\":{n}}}\n{{}}\n");
        assert_eq!(text(&log), (0..3).map(round).collect::<String>());
    }

    #[test]
    fn a_renamed_file_gets_no_more_lines() {
        let (folder, log) = log();
        log.append(b"{\"n\":1}\n").unwrap();
        let older = folder.path().join("system.jsonl.1");
        rename(log.path(), &older).unwrap();
        log.append(b"{\"n\":2}\n").unwrap();
        assert_eq!(
            (read(&older).unwrap().unwrap(), text(&log)),
            (b"{\"n\":1}\n".to_vec(), "{\"n\":2}\n".into())
        );
        // Another program has recreated the file, so its folder entry may not be on disk yet.
        replace(log.path(), b"{\"n\":3}\n").unwrap();
        log.append(b"{\"n\":4}\n").unwrap();
        assert_eq!(text(&log), "{\"n\":3}\n{\"n\":4}\n");
    }

    #[test]
    fn a_partial_line_of_another_program_is_moved_aside() {
        let (_folder, log) = log();
        log.append(b"{\"n\":1}\n").unwrap();
        let half = std::fs::OpenOptions::new().append(true).open(log.path()).unwrap();
        std::io::Write::write_all(&mut &half, b"{\"n\":").unwrap();
        assert!(matches!(log.append(b"{\"n\":2}\n").unwrap(), Tail::Torn { bytes: 5, .. }));
        assert_eq!(text(&log), "{\"n\":1}\n{\"n\":2}\n");
        assert_eq!(read(&aside_path(log.path())).unwrap().unwrap(), b"{\"n\":\n");
    }
}
