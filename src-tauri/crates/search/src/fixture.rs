//! Sessions for search tests.

use crate::SearchIndex;
use bc_core::{
    Timestamp,
    ids::SessionId,
    message::{Message, Role, ToolCall},
    session::{Draft, Meta},
};
use bc_store::{SessionLock, SessionStore};
use uuid::Uuid;

pub(crate) struct Fixture {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) store: SessionStore,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionStore::open(folder.path()).unwrap();
        Fixture { folder, store }
    }

    pub(crate) fn index(&self) -> SearchIndex {
        SearchIndex::open(&self.store).unwrap()
    }

    /// A session with these user messages, one minute apart.
    pub(crate) fn session(&self, n: u8, change: impl FnOnce(&mut Meta), said: &[&str]) -> SessionLock {
        let mut meta = Meta::draft(Draft::new(id(n), "proj-1".parse().unwrap(), at(i64::from(n))));
        change(&mut meta);
        let lock = self.store.create(&meta).unwrap();
        let messages: Vec<_> = said.iter().enumerate().map(|(at, text)| message(at as u8, text)).collect();
        lock.message_writer().unwrap().0.append_all(&messages).unwrap();
        self.store.sync_index().unwrap();
        lock
    }
}

pub(crate) fn id(n: u8) -> SessionId {
    SessionId(Uuid::from_u128(u128::from(n)))
}

pub(crate) fn at(minutes: i64) -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap() + chrono::Duration::minutes(minutes)
}

pub(crate) fn message(n: u8, content: &str) -> Message {
    Message::new(format!("msg_{n}"), Role::User, content, at(i64::from(n)))
}

pub(crate) fn call(tool: &str, command: &str, output: &str, is_error: bool) -> ToolCall {
    let input = serde_json::json!({ "command": command });
    let json = serde_json::json!({ "tool": tool, "input": input, "output": output, "is_error": is_error });
    serde_json::from_value(json).unwrap()
}

/// Writes a file as another program would.
pub(crate) fn scribble(path: &std::path::Path, content: impl AsRef<[u8]>) {
    // Tests simulate other programs, which do not use the store.
    #[allow(clippy::disallowed_methods)]
    std::fs::write(path, content).unwrap();
}
