//! Reads each message's position and its values for metrics, but not its text, so that the end of a long
//! conversation is available quickly.

use crate::{
    SearchError,
    message_fields::Figures,
    record::{forget_messages, row_id},
};
use bc_core::message::in_line;
use rusqlite::{OptionalExtension, Transaction, params};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

/// The number of bytes before the last known position that are compared. If they are unchanged, the file has
/// only grown.
const TAIL: u64 = 64;

/// The cached values of a session.
pub(crate) struct Known {
    pub(crate) meta_stamp: String,
    pub(crate) read_to: u64,
    pub(crate) length: u64,
    pub(crate) stamp: String,
    pub(crate) tail: Vec<u8>,
}

/// The session's row; `None` if it is not in the cache.
pub(crate) fn known(connection: &rusqlite::Connection, id: &str) -> rusqlite::Result<Option<Known>> {
    connection
        .prepare_cached("SELECT meta_stamp, read_to, length, stamp, tail FROM session WHERE id = ?1")?
        .query_row([id], |row| {
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

/// Why reading stopped.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) enum Stopped {
    Sqlite(#[from] rusqlite::Error),
    Read(#[from] io::Error),
}

impl Stopped {
    pub(crate) fn at(self, index: &Path, file: &Path) -> SearchError {
        match self {
            Stopped::Sqlite(source) => SearchError::Sqlite { path: index.into(), source },
            Stopped::Read(source) => SearchError::Read { path: file.into(), source },
        }
    }
}

/// Reads the new lines, or all lines if the file was changed other than by appending.
pub(crate) fn read_new(
    turn: &Transaction<'_>,
    key: i64,
    known: Option<Known>,
    path: &Path,
    (length, stamp): (u64, String),
) -> Result<(), Stopped> {
    let mut file = match bc_store::repository::open_log(path) {
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
    }
    let mut reading = Reading::of(turn, key)?;
    if let Some(file) = &mut file {
        file.seek(SeekFrom::Start(at))?;
        let mut reader = BufReader::with_capacity(256 << 10, file);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = bc_store::file::read_line(&mut reader, &mut bytes)? as u64;
            if read == 0 {
                break;
            }
            let (messages, rest) = in_line::<Figures>(&bytes);
            if rest.is_some() && !bytes.ends_with(b"\n") {
                // The last line is still being written.
                break;
            }
            reading.damaged += i64::from(rest.is_some());
            for (place, message) in &messages {
                reading.put(message, at + place.start as u64, place.len() as u64)?;
            }
            at += read;
        }
    }
    reading.finish()?;
    let mut tail = Vec::new();
    if let Some(file) = &mut file {
        file.seek(SeekFrom::Start(at.saturating_sub(TAIL)))?;
        file.take(at.min(TAIL)).read_to_end(&mut tail)?;
    }
    turn.prepare_cached(
        "UPDATE session SET read_to = ?2, length = ?3, stamp = ?4, tail = ?5 WHERE key = ?1",
    )?
    .execute(params![key, at, length, stamp, tail])?;
    Ok(())
}

fn same_tail(file: &mut File, known: &Known) -> io::Result<bool> {
    file.seek(SeekFrom::Start(known.read_to - known.tail.len() as u64))?;
    let mut now = Vec::new();
    Read::by_ref(file).take(known.tail.len() as u64).read_to_end(&mut now)?;
    Ok(now == known.tail)
}

/// The state while a session's lines are read. Sums are written at the end.
struct Reading<'a> {
    turn: &'a Transaction<'a>,
    key: i64,
    messages: i64,
    /// The last message number that `words` contains.
    worded: i64,
    /// The total size of the messages that `words` lacks, in bytes.
    due: i64,
    /// The number of lines that are not messages.
    damaged: i64,
    /// Tokens and messages per quarter of an hour, from which the days of every time zone are computed.
    quarters: HashMap<i64, (i64, i64)>,
}

impl<'a> Reading<'a> {
    fn of(turn: &'a Transaction<'a>, key: i64) -> rusqlite::Result<Reading<'a>> {
        let (messages, worded, due, damaged) = turn
            .prepare_cached("SELECT messages, worded, due, damaged FROM session WHERE key = ?1")?
            .query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        Ok(Reading { turn, key, messages, worded, due, damaged, quarters: HashMap::new() })
    }

    fn put(&mut self, message: &Figures, start: u64, length: u64) -> rusqlite::Result<()> {
        let number = match self.earlier(message)? {
            Some(number) => number,
            None => {
                self.messages += 1;
                self.messages
            }
        };
        let at = message.timestamp.timestamp_millis();
        let tokens = message.tokens.unwrap_or(0);
        self.turn.prepare_cached("INSERT INTO message VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)")?.execute(
            params![
                self.key,
                number,
                message.id,
                at,
                start,
                length,
                tokens,
                message.latency_ms,
                message.failed()
            ],
        )?;
        for call in message.tool_calls.iter().flatten() {
            self.turn.prepare_cached("INSERT INTO tool VALUES (?1,?2,?3,?4)")?.execute(params![
                self.key,
                number,
                call.tool,
                call.is_error
            ])?;
        }
        self.count(at, tokens as i64, 1);
        self.due += length as i64;
        Ok(())
    }

    /// If the message is known, removes its values from the sums and returns its number. Its text, and that
    /// of later messages, is then indexed again.
    fn earlier(&mut self, message: &Figures) -> rusqlite::Result<Option<i64>> {
        let found = self
            .turn
            .prepare_cached("SELECT no, at, tokens FROM message WHERE session = ?1 AND id = ?2")?
            .query_row(params![self.key, message.id], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
            })
            .optional()?;
        let Some((number, at, tokens)) = found else { return Ok(None) };
        for table in ["message", "tool"] {
            let delete = format!("DELETE FROM {table} WHERE session = ?1 AND no = ?2");
            self.turn.prepare_cached(&delete)?.execute([self.key, number])?;
        }
        if number <= self.worded {
            self.turn
                .prepare_cached("DELETE FROM words WHERE rowid >= ?1 AND rowid <= ?2")?
                .execute([row_id(self.key, number), row_id(self.key, self.worded)])?;
            self.worded = number - 1;
        }
        self.count(at, -tokens, -1);
        Ok(Some(number))
    }

    fn count(&mut self, at: i64, tokens: i64, messages: i64) {
        let quarter = self.quarters.entry(at.div_euclid(900_000)).or_default();
        *quarter = (quarter.0 + tokens, quarter.1 + messages);
    }

    fn finish(self) -> rusqlite::Result<()> {
        for (quarter, (tokens, messages)) in &self.quarters {
            self.turn
                .prepare_cached(
                    "INSERT INTO quarter VALUES (?1,?2,?3,?4)
                     ON CONFLICT DO UPDATE SET tokens = tokens + ?3, messages = messages + ?4",
                )?
                .execute([self.key, *quarter, *tokens, *messages])?;
        }
        self.turn
            .prepare_cached(
                "UPDATE session SET messages = ?2, worded = ?3, due = ?4, damaged = ?5 WHERE key = ?1",
            )?
            .execute([self.key, self.messages, self.worded, self.due, self.damaged])?;
        Ok(())
    }
}
