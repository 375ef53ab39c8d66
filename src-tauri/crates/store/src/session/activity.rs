//! `activity.jsonl`: claude's activity, as observed by the session's hosts. One line per change, append-only.

use super::{
    Problem, SessionDir, SessionLock, StoreError,
    lines::{append_lines, read_lines},
};
use crate::file::Appender;
use bc_core::timeline::ActivityLine;
use std::path::PathBuf;

/// The content of `activity.jsonl`.
#[derive(Debug, Default)]
pub struct ActivityLines {
    /// The changes, oldest first.
    pub lines: Vec<ActivityLine>,
    /// Skipped lines.
    pub problems: Vec<Problem>,
}

/// Appends lines to `activity.jsonl`.
#[derive(Debug)]
pub struct ActivityWriter {
    appender: Appender,
}

impl ActivityWriter {
    /// Appends all lines. On an error, no line is appended.
    pub fn append(&self, lines: &[ActivityLine]) -> Result<(), StoreError> {
        append_lines(&self.appender, lines)
    }
}

impl SessionDir {
    /// The path of `activity.jsonl`.
    pub fn activity_path(&self) -> PathBuf {
        self.path().join("activity.jsonl")
    }

    /// Returns the session's activity. Sessions of older builds have no file and therefore no lines.
    pub fn activity(&self) -> Result<ActivityLines, StoreError> {
        let mut lines = Vec::new();
        let problems = read_lines(&self.activity_path(), |line| lines.push(line))?;
        Ok(ActivityLines { lines, problems })
    }
}

impl SessionLock {
    /// Opens `activity.jsonl` for appending and moves a torn last line to another file. Only one writer may
    /// exist at a time.
    pub fn activity_writer(&self) -> Result<ActivityWriter, StoreError> {
        let (appender, _) = Appender::open(&self.activity_path())?;
        Ok(ActivityWriter { appender })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, at, scribble};
    use super::*;
    use bc_core::timeline::{Doing, Happened};

    fn line(second: i64) -> ActivityLine {
        ActivityLine::new(at(second), Happened::Activity { is: Doing::Working })
    }

    #[test]
    fn lines_are_read_in_order_and_torn_ones_skipped() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert!(lock.activity().unwrap().lines.is_empty());
        lock.activity_writer().unwrap().append(&[line(1), line(2)]).unwrap();
        let mut bytes = crate::file::read(&lock.activity_path()).unwrap().unwrap();
        bytes.extend_from_slice(b"{\"version\":1,\"at\":");
        scribble(&lock.activity_path(), &bytes);
        assert_eq!(lock.activity().unwrap().problems.len(), 1);
        lock.activity_writer().unwrap().append(&[line(3)]).unwrap();
        let read = lock.activity().unwrap();
        assert_eq!(read.lines, [line(1), line(2), line(3)]);
        assert!(read.problems.is_empty(), "{:?}", read.problems);
    }

    #[test]
    fn lines_of_newer_builds_are_skipped_and_kept() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let newer = "{\"version\":2,\"at\":\"2026-01-19T10:00:00-06:00\",\"what\":\"dreamt\",\"of\":[1]}\n";
        scribble(&lock.activity_path(), newer.as_bytes());
        lock.activity_writer().unwrap().append(&[line(3)]).unwrap();
        let read = lock.activity().unwrap();
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        assert_eq!((read.lines[0].what.clone(), read.lines.len()), (Happened::Other, 2));
        let bytes = crate::file::read(&lock.activity_path()).unwrap().unwrap();
        assert!(bytes.starts_with(newer.as_bytes()));
    }
}
