//! Incrementally reads a session's records for its timeline: each request reads only the bytes appended since
//! the previous one. A file that was truncated, replaced or overwritten is read again from the start.

use super::{Problem, SessionDir, StoreError, lines::PROBLEMS_MAX};
use crate::{FileError, file::read_line, repository};
use bc_core::{
    hooks::HookRun,
    message::{MessageLog, in_line},
    recovery::Injection,
    timeline::{ActivityLine, lean_injection, lean_message, lean_run},
};
use serde::de::DeserializeOwned;
use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

/// The maximum number of bytes before the position that are compared with the previous read.
const LOOK_BACK: usize = 64;

/// The timeline's records of a session that have been read so far.
#[derive(Debug, Default)]
pub struct TimelineRecords {
    messages: MessageLog,
    injections: Vec<Injection>,
    activity: Vec<ActivityLine>,
    hooks: Vec<HookRun>,
    positions: [Position; 4],
}

impl TimelineRecords {
    /// The messages, one per id.
    pub fn messages(&self) -> &MessageLog {
        &self.messages
    }

    /// The session's context injections, oldest first.
    pub fn injections(&self) -> &[Injection] {
        &self.injections
    }

    /// The changes in claude's activity, oldest first.
    pub fn activity(&self) -> &[ActivityLine] {
        &self.activity
    }

    /// The runs of lifecycle hooks, in the order of their completion.
    pub fn hooks(&self) -> &[HookRun] {
        &self.hooks
    }

    /// The skipped lines of all files.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.positions.iter().flat_map(|position| position.problems.iter().chain(&position.torn))
    }

    /// The total number of bytes read.
    pub fn bytes_read(&self) -> u64 {
        self.positions.iter().map(|position| position.bytes_read).sum()
    }
}

impl SessionDir {
    /// Reads the records that were appended since the last call.
    pub fn read_new_records(&self, followed: &mut TimelineRecords) -> Result<(), StoreError> {
        let TimelineRecords { messages, injections, activity, hooks, positions } = followed;
        let [in_messages, in_injections, in_activity, in_hooks] = positions;
        in_messages.read_new(&self.messages_path(), |step| match step {
            Step::Restart => *messages = MessageLog::default(),
            Step::Line(message) => drop(messages.push(lean_message(message))),
        })?;
        in_injections.read_new(&self.injections_path(), |step| match step {
            Step::Restart => injections.clear(),
            Step::Line(injection) => injections.push(lean_injection(injection)),
        })?;
        in_activity.read_new(&self.activity_path(), |step| match step {
            Step::Restart => activity.clear(),
            Step::Line(line) => activity.push(line),
        })?;
        in_hooks.read_new(&self.hook_runs_path(), |step| match step {
            Step::Restart => hooks.clear(),
            Step::Line(run) => hooks.push(lean_run(run)),
        })
    }
}

enum Step<T> {
    /// The file was replaced, truncated or removed, so its previous records are discarded.
    Restart,
    Line(T),
}

/// The position up to which a file was read.
#[derive(Debug, Default)]
struct Position {
    at: u64,
    line: u64,
    /// The last bytes before the position, at most [`LOOK_BACK`] bytes.
    before: Vec<u8>,
    /// Skipped lines before the position.
    problems: Vec<Problem>,
    /// The incomplete line after the position, if any.
    torn: Option<Problem>,
    bytes_read: u64,
}

impl Position {
    fn read_new<T: DeserializeOwned>(
        &mut self,
        path: &Path,
        mut each: impl FnMut(Step<T>),
    ) -> Result<(), StoreError> {
        let error = |source| FileError::Read { path: path.into(), source };
        self.torn = None;
        let mut file = match repository::open_log(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                self.restart(&mut each);
                return Ok(());
            }
            Err(source) => return Err(error(source).into()),
        };
        if self.at > 0 && !self.is_unchanged(&mut file).map_err(error)? {
            self.restart(&mut each);
        }
        file.seek(SeekFrom::Start(self.at)).map_err(error)?;
        let mut reader = BufReader::new(file);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            if read_line(&mut reader, &mut bytes).map_err(error)? == 0 {
                return Ok(());
            }
            self.bytes_read += bytes.len() as u64;
            let (values, wrong) = in_line(&bytes);
            // An incomplete last line can still grow, so it will be read again.
            match (bytes.ends_with(b"\n"), wrong) {
                (false, Some(_)) => {
                    self.torn = Some(Problem::TornLine { path: path.into(), bytes: bytes.len() as u64 });
                    return Ok(());
                }
                (true, Some(_)) if self.problems.len() == PROBLEMS_MAX => {}
                (true, Some(source)) => {
                    let line = self.line + 1;
                    self.problems.push(Problem::ForeignLine { path: path.into(), line, source });
                }
                (_, None) => {}
            }
            values.into_iter().for_each(|(_, value)| each(Step::Line(value)));
            self.advance(&bytes);
        }
    }

    fn restart<T>(&mut self, each: &mut impl FnMut(Step<T>)) {
        each(Step::Restart);
        *self = Position { bytes_read: self.bytes_read, ..Position::default() };
    }

    fn advance(&mut self, line: &[u8]) {
        self.at += line.len() as u64;
        self.line += u64::from(line.ends_with(b"\n"));
        let from = line.len().saturating_sub(LOOK_BACK);
        self.before.extend_from_slice(&line[from..]);
        self.before.drain(..self.before.len().saturating_sub(LOOK_BACK));
    }

    /// Whether the file still has the same bytes before the position, and the last line before it
    /// has not grown.
    fn is_unchanged(&mut self, file: &mut File) -> io::Result<bool> {
        file.seek(SeekFrom::Start(self.at - self.before.len() as u64))?;
        let lacks_newline = self.before.last() != Some(&b'\n');
        let mut bytes = Vec::with_capacity(LOOK_BACK + 1);
        file.take(self.before.len() as u64 + u64::from(lacks_newline)).read_to_end(&mut bytes)?;
        self.bytes_read += bytes.len() as u64;
        let Some(after) = bytes.strip_prefix(self.before.as_slice()) else { return Ok(false) };
        Ok(after.is_empty() || after == b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, message, scribble};
    use super::*;

    /// Asserts that the incremental result equals a full read.
    #[track_caller]
    fn check(dir: &SessionDir, followed: &mut TimelineRecords) {
        dir.read_new_records(followed).unwrap();
        let whole = dir.transcript().unwrap();
        let lean: Vec<_> = whole.messages.into_iter().map(lean_message).collect();
        assert_eq!(followed.messages().messages(), lean);
        let said = |problem: &Problem| problem.to_string();
        let problems: Vec<String> = whole.problems.iter().map(said).collect();
        assert_eq!(followed.problems().map(said).collect::<Vec<_>>(), problems);
    }

    #[test]
    fn a_long_session_is_read_incrementally() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let (writer, _) = lock.message_writer().unwrap();
        let mut followed = TimelineRecords::default();
        check(&lock, &mut followed);
        for n in 0..200 {
            writer.append(&message(n, &"x".repeat(10_000))).unwrap();
        }
        check(&lock, &mut followed);
        let whole = followed.bytes_read();
        assert!(whole > 2_000_000, "{whole}");
        for n in 200..210 {
            writer.append_all(&[message(n, "more"), message(1, "grown")]).unwrap();
            check(&lock, &mut followed);
        }
        let more = followed.bytes_read() - whole;
        let size = crate::file::read(&lock.messages_path()).unwrap().unwrap().len() as u64;
        let written = size - whole;
        println!(
            "COUNTED timeline: {whole} bytes at first, {more} for ten looks after ten changes of {written} bytes"
        );
        assert!(more <= written + 10 * LOOK_BACK as u64, "{more} {written}");
        // Without new records, only the bytes for comparison are read.
        let before = followed.bytes_read();
        check(&lock, &mut followed);
        assert_eq!(followed.bytes_read() - before, LOOK_BACK as u64);
    }

    #[test]
    fn a_truncated_replaced_or_missing_file_is_read_from_the_start() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let (path, mut followed) = (lock.messages_path(), TimelineRecords::default());
        let lines = |of: &[u8]| -> Vec<u8> {
            let line = |n: &u8| format!("{}\n", serde_json::to_string(&message(*n, "said")).unwrap());
            of.iter().map(line).collect::<String>().into_bytes()
        };
        for numbers in [&[1, 2, 3][..], &[1, 2], &[4, 5, 6, 7], &[], &[8]] {
            scribble(&path, lines(numbers));
            check(&lock, &mut followed);
        }
        crate::file::remove(&path).unwrap();
        check(&lock, &mut followed);
        assert!(followed.messages().messages().is_empty());
    }

    #[test]
    fn a_partially_written_file_is_read_up_to_its_last_complete_line() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let path = lock.messages_path();
        let mut whole = Vec::new();
        for (n, text) in [(1, "größer"), (2, "two\nlines"), (1, "again")] {
            whole.extend(format!("{}\n", serde_json::to_string(&message(n, text)).unwrap()).into_bytes());
        }
        whole.extend(b"<<<<<<< HEAD\n");
        let mut followed = TimelineRecords::default();
        for len in 0..=whole.len() {
            scribble(&path, &whole[..len]);
            check(&lock, &mut followed);
        }
        // Also shrink the file, truncating it at every byte.
        for len in (0..whole.len()).rev() {
            scribble(&path, &whole[..len]);
            check(&lock, &mut followed);
        }
    }
}
