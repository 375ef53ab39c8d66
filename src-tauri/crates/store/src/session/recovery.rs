//! `recovery.json`: the facts about a session's work on beads, for the recovery block. `injections.jsonl`:
//! the session's context injections, one per line, append-only.

use super::{
    Problem, SessionDir, SessionLock, StoreError,
    files::{read_json, write_json},
    lines::{append_lines, read_lines},
};
use crate::file::Appender;
use bc_core::recovery::{Injection, Stores};
use std::path::PathBuf;

/// The content of `injections.jsonl`.
#[derive(Debug, Default)]
pub struct Injections {
    /// The injections, oldest first.
    pub injections: Vec<Injection>,
    /// Skipped lines.
    pub problems: Vec<Problem>,
}

/// Appends injections to `injections.jsonl`.
#[derive(Debug)]
pub struct InjectionWriter {
    appender: Appender,
}

impl InjectionWriter {
    /// Appends an injection. The injection is on disk when this function returns.
    pub fn append(&self, injection: &Injection) -> Result<(), StoreError> {
        append_lines(&self.appender, std::slice::from_ref(injection))
    }
}

impl SessionDir {
    /// The path of `recovery.json`.
    pub fn recovery_path(&self) -> PathBuf {
        self.path().join("recovery.json")
    }

    /// The path of `injections.jsonl`.
    pub fn injections_path(&self) -> PathBuf {
        self.path().join("injections.jsonl")
    }

    /// Returns the session's recovery stores, or empty ones if the file is missing.
    pub fn recovery(&self) -> Result<Stores, StoreError> {
        Ok(read_json(&self.recovery_path())?.unwrap_or_default())
    }

    /// Returns the session's context injections. A missing file counts as empty.
    pub fn injections(&self) -> Result<Injections, StoreError> {
        let mut injections = Vec::new();
        let problems = read_lines(&self.injections_path(), |injection| injections.push(injection))?;
        Ok(Injections { injections, problems })
    }
}

impl SessionLock {
    /// Replaces `recovery.json`.
    pub fn save_recovery(&self, stores: &Stores) -> Result<(), StoreError> {
        write_json(&self.recovery_path(), stores)
    }

    /// Opens `injections.jsonl` for appending and moves a torn last line to another file. Only one writer may
    /// exist at a time.
    pub fn injection_writer(&self) -> Result<InjectionWriter, StoreError> {
        let (appender, _) = Appender::open(&self.injections_path())?;
        Ok(InjectionWriter { appender })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, scribble};
    use super::*;
    use bc_core::recovery::Reason;

    #[test]
    fn recovery_data_is_read_back_and_broken_files_are_reported() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.recovery().unwrap(), Stores::default());
        let mut stores = Stores::default();
        stores.claim(&"a-1".parse().unwrap());
        stores.edited("src/größe.rs");
        lock.save_recovery(&stores).unwrap();
        assert_eq!(lock.recovery().unwrap(), stores);
        scribble(&lock.recovery_path(), b"{");
        assert!(matches!(lock.recovery(), Err(StoreError::Broken { .. })));
    }

    #[test]
    fn injections_are_read_in_order_and_torn_lines_skipped() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert!(lock.injections().unwrap().injections.is_empty());
        let at = bc_core::Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap();
        let told = |text: &str| Injection::new(at, Reason::Start, "recovery", text.to_owned());
        lock.injection_writer().unwrap().append(&told("one")).unwrap();
        let mut bytes = crate::file::read(&lock.injections_path()).unwrap().unwrap();
        bytes.extend_from_slice(b"{\"version\":1,\"at\":");
        scribble(&lock.injections_path(), &bytes);
        assert_eq!(lock.injections().unwrap().problems.len(), 1);
        lock.injection_writer().unwrap().append(&told("two\nlines")).unwrap();
        let read = lock.injections().unwrap();
        assert_eq!(read.injections, [told("one"), told("two\nlines")]);
        assert!(read.problems.is_empty(), "{:?}", read.problems);
    }
}
