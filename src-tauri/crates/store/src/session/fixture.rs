//! A store in a temporary folder, and test sessions for it.

use super::{SessionLock, SessionStore};
use bc_core::{
    Timestamp,
    ids::SessionId,
    message::{Message, Role},
    session::{Draft, Meta},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// A project's `.beads` folder with a store.
pub(super) struct Fixture {
    pub(super) folder: tempfile::TempDir,
    pub(super) store: SessionStore,
}

impl Fixture {
    pub(super) fn new() -> Fixture {
        Fixture::in_folder(tempfile::tempdir().unwrap())
    }

    /// Creates a store for tests with thousands of writes. It is in memory if the system has a memory file
    /// system.
    pub(super) fn in_memory() -> Fixture {
        Fixture::in_folder(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn in_folder(folder: tempfile::TempDir) -> Fixture {
        let store = SessionStore::open(folder.path()).unwrap();
        Fixture { folder, store }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.store.path().join(below)
    }

    /// Returns the text of a file in the store.
    pub(super) fn text(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }

    pub(super) fn create(&self, n: u8) -> SessionLock {
        self.store.create(&meta(n)).unwrap()
    }
}

pub(super) fn id(n: u8) -> SessionId {
    SessionId(Uuid::from_u128(u128::from(n)))
}

pub(super) fn at(minutes: i64) -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap() + chrono::Duration::minutes(minutes)
}

/// Returns a draft created `n` minutes after ten o'clock.
pub(super) fn meta(n: u8) -> Meta {
    Meta::draft(Draft::new(id(n), "proj-1".parse().unwrap(), at(i64::from(n))))
}

pub(super) fn message(n: u8, content: &str) -> Message {
    Message::new(format!("msg_{n}"), Role::User, content, at(i64::from(n)))
}

/// Writes a file as another program would.
pub(crate) fn scribble(path: &Path, content: impl AsRef<[u8]>) {
    // Tests simulate other programs, which do not use the store's functions.
    #[allow(clippy::disallowed_methods)]
    fs::write(path, content).unwrap();
}
