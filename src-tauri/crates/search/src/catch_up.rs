//! Updates the sessions' records and the positions of their messages in the cache. Only new data is read.
//! `text_indexing` adds the text of the messages later.

use crate::{
    SearchError, SearchIndex,
    positions::{known, read_new},
    record::{forget, put_meta},
    text_indexing::{is_over, turn_of},
};
use bc_core::ids::SessionId;
use bc_store::SessionStore;
use rusqlite::{Transaction, TransactionBehavior};
use std::{collections::HashMap, fs, io, path::Path, time::Instant};

/// The result of checking the sessions' files.
struct FileCheck {
    /// Sessions whose files changed, and the number of new bytes in each.
    changed: Vec<(SessionId, u64)>,
    /// Keys of removed sessions.
    gone: Vec<i64>,
    /// The stamp of `index.json`, if every session was checked.
    swept: Option<Option<String>>,
}

/// The cached values of a session that are compared with its files.
struct Stamps {
    key: i64,
    meta: String,
    length: u64,
    messages: String,
}

impl SearchIndex {
    /// Updates the cache. Closed sessions are checked only if `index.json` is missing or changed since the last
    /// check.
    pub(crate) fn catch_up(&mut self) -> Result<(), SearchError> {
        self.catch_up_until(None).map(drop)
    }

    /// Updates the cache until `end`, but does at least one step. Returns the number of sessions that remain.
    pub(crate) fn catch_up_until(&mut self, end: Option<Instant>) -> Result<usize, SearchError> {
        self.apply(self.check_files()?, end)
    }

    /// Compares the files with the cache to find the required updates.
    fn check_files(&self) -> Result<FileCheck, SearchError> {
        let index = stamp(&self.store.path().join("index.json"))?.map(|(_, stamp)| stamp);
        let all = index.is_none() || self.swept != index;
        let mut known = self.stamps(all).map_err(self.sqlite())?;
        let ids = match all {
            true => self.folders()?,
            false => known.keys().filter_map(|id| id.parse().ok()).collect(),
        };
        let mut changed = Vec::new();
        for id in ids {
            let known = known.remove(&id.to_string());
            changed.extend(self.changed(id, known.as_ref())?.map(|bytes| (id, bytes)));
        }
        let gone = if all { known.into_values().map(|known| known.key).collect() } else { Vec::new() };
        Ok(FileCheck { changed, gone, swept: all.then_some(index) })
    }

    fn apply(&mut self, check: FileCheck, end: Option<Instant>) -> Result<usize, SearchError> {
        let mut rest = check.changed.as_slice();
        while !rest.is_empty() {
            let (mut count, mut bytes) = (0, 0);
            while count < rest.len() && bytes < turn_of(end) {
                bytes += rest[count].1;
                count += 1;
            }
            let (these, others) = rest.split_at(count);
            self.update_sessions(these.iter().map(|(id, _)| *id))?;
            rest = others;
            if !rest.is_empty() && is_over(end) {
                return Ok(rest.len());
            }
        }
        if !check.gone.is_empty() {
            let error = self.sqlite();
            let turn =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&error)?;
            check.gone.into_iter().try_for_each(|key| forget(&turn, key)).map_err(&error)?;
            turn.commit().map_err(&error)?;
        }
        if let Some(index) = check.swept {
            self.swept = index;
        }
        Ok(0)
    }

    /// Updates only the record and the message positions of one session. A client that shows this session
    /// then does not wait for the text of the others.
    pub(crate) fn catch_up_on(&mut self, id: SessionId) -> Result<(), SearchError> {
        let known = known(&self.connection, &id.to_string()).map_err(self.sqlite())?;
        let known = known.map(|k| Stamps { key: 0, meta: k.meta_stamp, length: k.length, messages: k.stamp });
        match self.changed(id, known.as_ref())? {
            Some(_) => self.update_sessions(std::iter::once(id)),
            None => Ok(()),
        }
    }

    /// The number of new bytes in a session's messages; `None` if nothing changed.
    fn changed(&self, id: SessionId, known: Option<&Stamps>) -> Result<Option<u64>, SearchError> {
        let dir = self.store.session(id);
        let Some((_, meta)) = stamp(&dir.meta_path())? else { return Ok(None) };
        let (length, messages) = stamp(&dir.messages_path())?.unwrap_or_default();
        let same = known.is_some_and(|k| k.meta == meta && (k.length, &k.messages) == (length, &messages));
        let before = known.map_or(0, |k| if k.length <= length { k.length } else { 0 });
        Ok((!same).then_some(length - before))
    }

    /// Updates these sessions in one transaction.
    fn update_sessions(&mut self, ids: impl Iterator<Item = SessionId>) -> Result<(), SearchError> {
        let error = self.sqlite();
        let turn =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&error)?;
        for id in ids {
            update_session(&turn, &self.store, id, &self.path)?;
        }
        turn.commit().map_err(&error)
    }

    fn folders(&self) -> Result<Vec<SessionId>, SearchError> {
        let path = self.store.path();
        let error = |source| SearchError::Read { path: path.into(), source };
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(error(source)),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let name = entry.map_err(error)?.file_name().to_string_lossy().into_owned();
            ids.extend(name.parse().ok().filter(|id: &SessionId| id.to_string() == name));
        }
        Ok(ids)
    }

    /// The known values of all sessions, or only of those that were not closed at the last check.
    fn stamps(&self, all: bool) -> rusqlite::Result<HashMap<String, Stamps>> {
        let which = if all { "" } else { "WHERE status <> 'closed'" };
        let mut select = self
            .connection
            .prepare_cached(&format!("SELECT id, key, meta_stamp, length, stamp FROM session {which}"))?;
        let rows = select.query_map([], |row| {
            let stamps =
                Stamps { key: row.get(1)?, meta: row.get(2)?, length: row.get(3)?, messages: row.get(4)? };
            Ok((row.get(0)?, stamps))
        })?;
        rows.collect()
    }
}

/// Updates one session: its record, and the positions of its new messages.
fn update_session(
    turn: &Transaction<'_>,
    store: &SessionStore,
    id: SessionId,
    index: &Path,
) -> Result<(), SearchError> {
    let error = |source| SearchError::Sqlite { path: index.into(), source };
    let dir = store.session(id);
    let Some((_, meta_stamp)) = stamp(&dir.meta_path())? else { return Ok(()) };
    let messages = stamp(&dir.messages_path())?.unwrap_or_default();
    // Read again, because another process may have updated the session in the meantime.
    let known = known(turn, &id.to_string()).map_err(error)?;
    // Ignore a broken or deleted session; the list of sessions reports it.
    let Ok(meta) = dir.meta() else { return Ok(()) };
    let key = put_meta(turn, &meta, &meta_stamp).map_err(error)?;
    read_new(turn, key, known, &dir.messages_path(), messages).map_err(|e| e.at(index, &dir.messages_path()))
}

/// The file's length, and a stamp that differs after a change of the file; `None` if the file does not exist.
fn stamp(path: &Path) -> Result<Option<(u64, String)>, SearchError> {
    match fs::metadata(path) {
        Ok(data) => {
            let changed = data.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
            Ok(Some((data.len(), format!("{}-{}", data.len(), changed.unwrap_or_default().as_nanos()))))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SearchError::Read { path: path.into(), source }),
    }
}
