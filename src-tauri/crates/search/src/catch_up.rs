//! Making the cache say what the sessions' files say, by reading only what is new in them.

use crate::{SearchError, SearchIndex, lines, words::segmented};
use bc_core::{
    ids::SessionId,
    message::{Message, in_line},
    session::{Meta, Status},
};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};
use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

/// Of a row id of `words`: the session's key is above so many bits, the message's number in them.
pub(crate) const NUMBER_BITS: u32 = 24;
/// The second that keys count from: 2020 began.
const EPOCH: i64 = 1_577_836_800;
/// Of a key: the second above so many bits, the session within the second in them.
const SAME_SECOND_BITS: u32 = 9;
/// So many bytes before the end of what was read must be the same for the rest to be only new lines.
const TAIL: u64 = 64;

/// A session as the cache knows it.
struct Known {
    meta_stamp: String,
    read_to: u64,
    length: u64,
    stamp: String,
    tail: Vec<u8>,
}

impl SearchIndex {
    /// Catches up. Closed sessions are looked at only where `index.json` changed since the last time.
    pub(crate) fn catch_up(&mut self) -> Result<(), SearchError> {
        let index = stamp(&self.store.path().join("index.json"))?.map(|(_, stamp)| stamp);
        let all = index.is_none() || self.swept != index;
        let ids = if all { self.folders()? } else { self.open_ones()? };
        for id in &ids {
            self.catch_up_on(*id)?;
        }
        if all {
            self.drop_others(&ids)?;
            self.swept = index;
        }
        Ok(())
    }

    /// Catches up on one session alone: whoever looks at one does not wait for what was said in all others.
    pub(crate) fn catch_up_on(&mut self, id: SessionId) -> Result<(), SearchError> {
        let error = self.sqlite();
        let dir = self.store.session(id);
        let metas = stamp(&dir.meta_path())?;
        let messages = stamp(&dir.messages_path())?.unwrap_or((0, String::new()));
        let Some((_, meta_stamp)) = metas else { return Ok(()) };
        let known = known(&self.connection, id).map_err(&error)?;
        let meta_same = known.as_ref().is_some_and(|k| k.meta_stamp == meta_stamp);
        let messages_same = known.as_ref().is_some_and(|k| (k.length, &k.stamp) == (messages.0, &messages.1));
        if meta_same && messages_same {
            return Ok(());
        }
        let path = self.path.clone();
        let turn =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&error)?;
        // Another process may have been here meanwhile.
        let known = self::known(&turn, id).map_err(&error)?;
        let meta = match dir.meta() {
            Ok(meta) => meta,
            // Broken or gone: the listing tells of it, a search has nothing to say about it.
            Err(_) => return Ok(()),
        };
        let key = put_meta(&turn, &meta, &meta_stamp).map_err(&error)?;
        read_on(&turn, key, known, &dir.messages_path(), messages)
            .map_err(|e| e.at(&path, &dir.messages_path()))?;
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

    /// Those that were not closed when they were last looked at.
    fn open_ones(&self) -> Result<Vec<SessionId>, SearchError> {
        let ids = || {
            let mut select =
                self.connection.prepare_cached("SELECT id FROM session WHERE status <> 'closed'")?;
            select.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
        };
        Ok(ids().map_err(self.sqlite())?.iter().filter_map(|id| id.parse().ok()).collect())
    }

    fn drop_others(&mut self, there: &[SessionId]) -> Result<(), SearchError> {
        let there: HashSet<String> = there.iter().map(ToString::to_string).collect();
        let error = self.sqlite();
        let turn =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&error)?;
        let gone: Vec<i64> = {
            let mut select = turn.prepare("SELECT key, id FROM session").map_err(&error)?;
            let rows =
                select.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?))).map_err(&error)?;
            let rows = rows.collect::<Result<Vec<_>, _>>().map_err(&error)?;
            rows.into_iter().filter(|(_, id)| !there.contains(id)).map(|(key, _)| key).collect()
        };
        for key in gone {
            forget_messages(&turn, key).map_err(&error)?;
            turn.execute("DELETE FROM words WHERE rowid = ?1", [row_id(key, 0)]).map_err(&error)?;
            for table in ["file", "hash"] {
                turn.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [key]).map_err(&error)?;
            }
            turn.execute("DELETE FROM session WHERE key = ?1", [key]).map_err(&error)?;
        }
        turn.commit().map_err(&error)
    }
}

/// The row of `words` of a session's message.
pub(crate) fn row_id(key: i64, number: i64) -> i64 {
    (key << NUMBER_BITS) | number
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

fn known(connection: &rusqlite::Connection, id: SessionId) -> rusqlite::Result<Option<Known>> {
    connection
        .prepare_cached("SELECT meta_stamp, read_to, length, stamp, tail FROM session WHERE id = ?1")?
        .query_row([id.to_string()], |row| {
            Ok(Known {
                meta_stamp: row.get(0)?,
                read_to: row.get(1)?,
                length: row.get(2)?,
                stamp: row.get(3)?,
                tail: row.get(4)?,
            })
        })
        .optional()
}

fn put_meta(turn: &Transaction<'_>, meta: &Meta, stamp: &str) -> rusqlite::Result<i64> {
    let json = serde_json::to_string(meta).expect("a record is JSON");
    let status = match meta.status {
        Status::Draft => "draft",
        Status::Active => "active",
        Status::Paused => "paused",
        Status::Closed => "closed",
    };
    let key: i64 = turn
        .prepare_cached(
            "INSERT INTO session(id, meta, meta_stamp, bead, agent, status, made, key)
             VALUES (?1,?2,?3,?4,?5,?6,?7,?8)
             ON CONFLICT(id) DO UPDATE SET meta=?2, meta_stamp=?3, bead=?4, agent=?5, status=?6, made=?7
             RETURNING key",
        )?
        .query_row(
            params![
                meta.id.to_string(),
                json,
                stamp,
                meta.bead_id.as_ref().map(ToString::to_string),
                meta.agent_id.as_ref().map(ToString::to_string),
                status,
                meta.created_at.timestamp_millis(),
                free_key(turn, meta)?,
            ],
            |row| row.get(0),
        )?;
    let head = [meta.title.as_deref(), meta.objective.as_deref(), meta.bead_id.as_ref().map(|b| b.as_str())];
    let head = head.into_iter().flatten().collect::<Vec<_>>().join("\n");
    turn.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([row_id(key, 0)])?;
    turn.prepare_cached("INSERT INTO words(rowid, head) VALUES (?1, ?2)")?
        .execute(params![row_id(key, 0), segmented(&head)])?;
    turn.prepare_cached("DELETE FROM file WHERE session = ?1")?.execute([key])?;
    for path in &meta.files_touched {
        turn.prepare_cached("INSERT INTO file VALUES (?1, ?2)")?
            .execute(params![key, path.to_lowercase()])?;
    }
    turn.prepare_cached("DELETE FROM hash WHERE session = ?1")?.execute([key])?;
    for hash in &meta.commits {
        turn.prepare_cached("INSERT INTO hash VALUES (?1, ?2)")?
            .execute(params![key, hash.to_lowercase()])?;
    }
    Ok(key)
}

/// A key for a new session: a later session has a greater one, so that rows in their order are sessions
/// in theirs.
fn free_key(turn: &Transaction<'_>, meta: &Meta) -> rusqlite::Result<i64> {
    let seconds = meta.created_at.timestamp().saturating_sub(EPOCH).clamp(0, (1 << 30) - 1);
    let first = seconds << SAME_SECOND_BITS;
    // More in one second than there are keys for: the order among them is all that suffers.
    for window in [1 << SAME_SECOND_BITS, i64::MAX >> NUMBER_BITS] {
        let next: i64 = turn
            .prepare_cached("SELECT COALESCE(MAX(key) + 1, ?1) FROM session WHERE key >= ?1 AND key < ?2")?
            .query_row([first, first.saturating_add(window)], |row| row.get(0))?;
        if next < first.saturating_add(window) {
            return Ok(next);
        }
    }
    Ok(first)
}

/// Forgets what was read of a session's messages.
fn forget_messages(turn: &Transaction<'_>, key: i64) -> rusqlite::Result<()> {
    turn.execute("DELETE FROM words WHERE rowid > ?1 AND rowid < ?2", [row_id(key, 0), row_id(key + 1, 0)])?;
    for table in ["message", "tool", "quarter"] {
        turn.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [key])?;
    }
    Ok(())
}

/// What stopped the reading.
enum Stopped {
    Sqlite(rusqlite::Error),
    Read(io::Error),
}

impl From<rusqlite::Error> for Stopped {
    fn from(e: rusqlite::Error) -> Stopped {
        Stopped::Sqlite(e)
    }
}

impl From<io::Error> for Stopped {
    fn from(e: io::Error) -> Stopped {
        Stopped::Read(e)
    }
}

impl Stopped {
    fn at(self, index: &Path, file: &Path) -> SearchError {
        match self {
            Stopped::Sqlite(source) => SearchError::Sqlite { path: index.into(), source },
            Stopped::Read(source) => SearchError::Read { path: file.into(), source },
        }
    }
}

/// Reads the lines that are new, or all where the file is not the known one grown longer.
fn read_on(
    turn: &Transaction<'_>,
    key: i64,
    known: Option<Known>,
    path: &Path,
    (length, stamp): (u64, String),
) -> Result<(), Stopped> {
    let mut file = match File::open(path) {
        Ok(file) => Some(file),
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e.into()),
    };
    let grown = match (&known, &mut file) {
        (Some(known), Some(file)) => {
            length >= known.length
                && (length > known.length || stamp == known.stamp)
                && same_tail(file, known)?
        }
        _ => false,
    };
    let mut at = known.filter(|_| grown).map_or(0, |k| k.read_to);
    if !grown {
        forget_messages(turn, key)?;
        turn.execute("UPDATE session SET messages = 0 WHERE key = ?1", [key])?;
    }
    if let Some(file) = &mut file {
        file.seek(SeekFrom::Start(at))?;
        let mut reader = BufReader::with_capacity(256 << 10, file);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes)? as u64;
            if read == 0 {
                break;
            }
            let (messages, rest) = in_line::<Message>(&bytes);
            if rest.is_some() && !bytes.ends_with(b"\n") {
                // Still being written.
                break;
            }
            for (place, message) in &messages {
                put_message(turn, key, message, at + place.start as u64, place.len() as u64)?;
            }
            at += read;
        }
    }
    let mut tail = Vec::new();
    if let Some(file) = &mut file {
        file.seek(SeekFrom::Start(at.saturating_sub(TAIL)))?;
        file.take(at.min(TAIL)).read_to_end(&mut tail)?;
    }
    turn.execute(
        "UPDATE session SET read_to = ?2, length = ?3, stamp = ?4, tail = ?5 WHERE key = ?1",
        params![key, at, length, stamp, tail],
    )?;
    Ok(())
}

fn same_tail(file: &mut File, known: &Known) -> io::Result<bool> {
    file.seek(SeekFrom::Start(known.read_to - known.tail.len() as u64))?;
    let mut now = Vec::new();
    Read::by_ref(file).take(known.tail.len() as u64).read_to_end(&mut now)?;
    Ok(now == known.tail)
}

fn put_message(
    turn: &Transaction<'_>,
    key: i64,
    message: &Message,
    start: u64,
    length: u64,
) -> rusqlite::Result<()> {
    let number = match earlier(turn, key, message)? {
        Some(number) => number,
        None => turn
            .prepare_cached("UPDATE session SET messages = messages + 1 WHERE key = ?1 RETURNING messages")?
            .query_row([key], |row| row.get::<_, i64>(0))?,
    };
    let calls = message.tool_calls.as_deref().unwrap_or_default();
    let tokens = message.tokens.unwrap_or(0);
    turn.prepare_cached("INSERT INTO message VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)")?.execute(params![
        key,
        number,
        message.id,
        message.timestamp.timestamp_millis(),
        start,
        length,
        tokens,
        message.latency_ms,
        lines::failed(message),
    ])?;
    for call in calls {
        turn.prepare_cached("INSERT INTO tool VALUES (?1,?2,?3,?4)")?.execute(params![
            key,
            number,
            call.tool,
            call.is_error
        ])?;
    }
    add_quarter(turn, key, message.timestamp.timestamp_millis(), tokens as i64, 1)?;
    if number >> NUMBER_BITS == 0 {
        turn.prepare_cached("INSERT INTO words(rowid, said, tools) VALUES (?1,?2,?3)")?.execute(params![
            row_id(key, number),
            lines::said(message),
            lines::tools(message)
        ])?;
    }
    Ok(())
}

/// Takes out what is known of the message, if it is known, and returns its number.
fn earlier(turn: &Transaction<'_>, key: i64, message: &Message) -> rusqlite::Result<Option<i64>> {
    let found = turn
        .prepare_cached("SELECT no, at, tokens FROM message WHERE session = ?1 AND id = ?2")?
        .query_row(params![key, message.id], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        })
        .optional()?;
    let Some((number, at, tokens)) = found else { return Ok(None) };
    turn.prepare_cached("DELETE FROM message WHERE session = ?1 AND no = ?2")?.execute([key, number])?;
    turn.prepare_cached("DELETE FROM tool WHERE session = ?1 AND no = ?2")?.execute([key, number])?;
    turn.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([row_id(key, number)])?;
    add_quarter(turn, key, at, -tokens, -1)?;
    Ok(Some(number))
}

/// Adds to a quarter of an hour, of which every time zone's days are made.
fn add_quarter(
    turn: &Transaction<'_>,
    key: i64,
    at: i64,
    tokens: i64,
    messages: i64,
) -> rusqlite::Result<()> {
    turn.prepare_cached(
        "INSERT INTO quarter VALUES (?1,?2,?3,?4)
         ON CONFLICT DO UPDATE SET tokens = tokens + ?3, messages = messages + ?4",
    )?
    .execute([key, at.div_euclid(900_000), tokens, messages])?;
    Ok(())
}
