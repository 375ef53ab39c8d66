//! Adds the messages' text to the full-text index, which is the expensive part of an update. It runs in
//! batches, newest session first, so that other programs and queries can run in between.

use crate::{
    SearchError, SearchIndex, lines,
    message_fields::MessageText,
    page::at_places,
    positions::Stopped,
    record::{NUMBER_BITS, row_id},
};
use bc_core::ids::SessionId;
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};
use std::time::Instant;

/// The number of message bytes per batch.
const TURN: u64 = 8 << 20;
/// The number of message bytes per batch if a caller waits with a time limit.
const SHORT_TURN: u64 = 1 << 20;

/// The number of message bytes per batch for a caller with this time limit.
pub(crate) fn turn_of(end: Option<Instant>) -> u64 {
    if end.is_some() { SHORT_TURN } else { TURN }
}

pub(crate) fn is_over(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

impl SearchIndex {
    /// Indexes the remaining text within the time limit, but at least one batch. Returns the number of
    /// unfinished sessions.
    pub(crate) fn put_words_until(&mut self, end: Option<Instant>) -> Result<usize, SearchError> {
        while self.put_some_words(turn_of(end))? {
            if is_over(end) {
                let count = "SELECT count(*) FROM session WHERE due > 0";
                let due: i64 =
                    self.connection.query_row(count, [], |row| row.get(0)).map_err(self.sqlite())?;
                return Ok(usize::try_from(due).unwrap_or_default());
            }
        }
        Ok(0)
    }

    /// Indexes one batch of about this size. Returns whether there was any text to index.
    fn put_some_words(&mut self, bytes: u64) -> Result<bool, SearchError> {
        let error = self.sqlite();
        let path = self.path.clone();
        if next_due(&self.connection).map_err(&error)?.is_none() {
            return Ok(false);
        }
        let turn =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&error)?;
        let mut left = bytes;
        while left > 0
            && let Some((key, id)) = next_due(&turn).map_err(&error)?
        {
            let Ok(session) = id.parse::<SessionId>() else {
                mark_indexed(&turn, key).map_err(&error)?;
                continue;
            };
            let messages = self.store.session(session).messages_path();
            let read = put_words_of(&turn, key, &messages, left).map_err(|e| e.at(&path, &messages))?;
            left = left.saturating_sub(read);
        }
        turn.commit().map_err(&error)?;
        Ok(true)
    }
}

fn next_due(connection: &rusqlite::Connection) -> rusqlite::Result<Option<(i64, String)>> {
    connection
        .prepare_cached("SELECT key, id FROM session WHERE due > 0 ORDER BY key DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

fn mark_indexed(turn: &Transaction<'_>, key: i64) -> rusqlite::Result<()> {
    turn.prepare_cached("UPDATE session SET worded = messages, due = 0 WHERE key = ?1")?
        .execute([key])
        .map(drop)
}

/// Indexes about `most` bytes of a session's remaining text. Returns the number of indexed bytes.
fn put_words_of(turn: &Transaction<'_>, key: i64, path: &std::path::Path, most: u64) -> Result<u64, Stopped> {
    let mut places = Vec::new();
    let (mut bytes, mut cut) = (0, false);
    {
        let mut select = turn.prepare_cached(
            "SELECT no, start, length FROM message
             WHERE session = ?1 AND no > (SELECT worded FROM session WHERE key = ?1) ORDER BY no",
        )?;
        let mut rows = select.query([key])?;
        while let Some(row) = rows.next()? {
            if bytes >= most {
                cut = true;
                break;
            }
            let (number, start, length): (i64, u64, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            bytes += length;
            places.push((number, start, length));
        }
    }
    let mut insert = turn.prepare_cached("INSERT INTO words(rowid, said, tools) VALUES (?1,?2,?3)")?;
    let numbers: Vec<i64> = places.iter().map(|place| place.0).collect();
    let ranges: Vec<_> = places.iter().map(|place| (place.1, place.2)).collect();
    at_places::<MessageText, Stopped>(path, &ranges, |at, message| {
        let number = numbers[at];
        if let Some(message) = message.filter(|_| number >> NUMBER_BITS == 0) {
            insert.execute(params![
                row_id(key, number),
                lines::own_text(&message),
                lines::tool_texts(&message)
            ])?;
        }
        Ok(())
    })?;
    match (cut, numbers.last()) {
        (true, Some(last)) => turn
            .prepare_cached("UPDATE session SET worded = ?2, due = MAX(due - ?3, 1) WHERE key = ?1")?
            .execute(params![key, last, bytes])
            .map(drop)?,
        _ => mark_indexed(turn, key)?,
    }
    Ok(bytes)
}
