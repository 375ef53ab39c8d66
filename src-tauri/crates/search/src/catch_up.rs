//! Making the cache say what the sessions' files say, by reading only what is new in them: first where each
//! message stands, of every session, then what is said in them.

use crate::{
    SearchError, SearchIndex,
    places::{Known, known, read_on},
    record::{forget, put_meta},
    wording::{is_over, turn_of},
};
use bc_core::ids::SessionId;
use bc_store::SessionStore;
use rusqlite::{Transaction, TransactionBehavior};
use std::{collections::HashMap, fs, io, path::Path, time::Instant};

/// What a look at the sessions' files found.
struct Look {
    /// Those whose files are not as they are known, and the bytes that are new in each.
    changed: Vec<(SessionId, u64)>,
    /// Keys of those that are no more.
    gone: Vec<i64>,
    /// What `index.json` is, where every session was looked at.
    swept: Option<Option<String>>,
}

/// What is compared with the files.
struct Stamps {
    key: i64,
    meta: String,
    length: u64,
    messages: String,
}

impl SearchIndex {
    /// Catches up. Closed sessions are looked at only where `index.json` changed since the last time.
    pub(crate) fn catch_up(&mut self) -> Result<(), SearchError> {
        self.catch_up_until(None).map(drop)
    }

    /// The same as far as it goes until then, and at least a step; how many sessions are still to be looked at.
    pub(crate) fn catch_up_until(&mut self, end: Option<Instant>) -> Result<usize, SearchError> {
        let look = self.look()?;
        self.take_in_all(look, end)
    }

    /// What is to be caught up with.
    fn look(&self) -> Result<Look, SearchError> {
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
        Ok(Look { changed, gone, swept: all.then_some(index) })
    }

    /// Takes in what a look found.
    fn take_in_all(&mut self, look: Look, end: Option<Instant>) -> Result<usize, SearchError> {
        let mut rest = look.changed.as_slice();
        while !rest.is_empty() {
            let mut bytes = 0;
            let turn = rest
                .iter()
                .take_while(|(_, new)| {
                    bytes < turn_of(end) && {
                        bytes += new;
                        true
                    }
                })
                .count();
            let (these, others) = rest.split_at(turn.max(1));
            self.take_in(these.iter().map(|(id, _)| *id))?;
            rest = others;
            if !rest.is_empty() && is_over(end) {
                return Ok(rest.len());
            }
        }
        if !look.gone.is_empty() {
            let error = self.sqlite();
            let turn =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&error)?;
            look.gone.into_iter().try_for_each(|key| forget(&turn, key)).map_err(&error)?;
            turn.commit().map_err(&error)?;
        }
        if let Some(index) = look.swept {
            self.swept = index;
        }
        Ok(0)
    }

    /// Catches up on where the messages of one session alone are: whoever looks at one does not wait for
    /// what was said in all others.
    pub(crate) fn catch_up_on(&mut self, id: SessionId) -> Result<(), SearchError> {
        let known = known(&self.connection, &id.to_string()).map_err(self.sqlite())?;
        let known = known.map(|k| Stamps { key: 0, meta: k.meta_stamp, length: k.length, messages: k.stamp });
        match self.changed(id, known.as_ref())? {
            Some(_) => self.take_in(std::iter::once(id)),
            None => Ok(()),
        }
    }

    /// How many bytes are new in a session's messages; `None` where all is as it is known.
    fn changed(&self, id: SessionId, known: Option<&Stamps>) -> Result<Option<u64>, SearchError> {
        let dir = self.store.session(id);
        let Some((_, meta)) = stamp(&dir.meta_path())? else { return Ok(None) };
        let (length, messages) = stamp(&dir.messages_path())?.unwrap_or_default();
        let same = known.is_some_and(|k| k.meta == meta && (k.length, &k.messages) == (length, &messages));
        let before = known.map_or(0, |k| if k.length <= length { k.length } else { 0 });
        Ok((!same).then_some(length - before))
    }

    /// Takes these sessions in, all at once or none.
    fn take_in(&mut self, ids: impl Iterator<Item = SessionId>) -> Result<(), SearchError> {
        let error = self.sqlite();
        let turn =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&error)?;
        for id in ids {
            take_in(&turn, &self.store, id, &self.path)?;
        }
        turn.commit().map_err(&error)
    }

    /// Every session that has a folder.
    fn folders(&self) -> Result<Vec<SessionId>, SearchError> {
        let path = self.store.path();
        let error = |source| SearchError::Read { path: path.into(), source };
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(error(source)),
        };
        let names = entries.map(|entry| Ok(entry.map_err(error)?.file_name().to_string_lossy().into_owned()));
        let names = names.collect::<Result<Vec<_>, SearchError>>()?;
        Ok(names
            .iter()
            .filter_map(|n| n.parse::<SessionId>().ok().filter(|id| id.to_string() == *n))
            .collect())
    }

    /// How all sessions are known, or those alone that were not closed when they were last looked at.
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

/// Takes one session in: its record, and where its new messages are.
fn take_in(
    turn: &Transaction<'_>,
    store: &SessionStore,
    id: SessionId,
    index: &Path,
) -> Result<(), SearchError> {
    let error = |source| SearchError::Sqlite { path: index.into(), source };
    let dir = store.session(id);
    let Some((_, meta_stamp)) = stamp(&dir.meta_path())? else { return Ok(()) };
    let messages = stamp(&dir.messages_path())?.unwrap_or_default();
    // Another process may have been here meanwhile.
    let known: Option<Known> = known(turn, &id.to_string()).map_err(error)?;
    // Broken or gone: the listing tells of it, a search has nothing to say about it.
    let Ok(meta) = dir.meta() else { return Ok(()) };
    let key = put_meta(turn, &meta, &meta_stamp).map_err(error)?;
    read_on(turn, key, known, &dir.messages_path(), messages).map_err(|e| e.at(index, &dir.messages_path()))
}

/// Length and a text that is another one after a change; `None` where there is no file.
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
