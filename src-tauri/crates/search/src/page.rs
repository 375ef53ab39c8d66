//! Reads pages of a conversation at their positions in the file.

use crate::{SearchError, SearchIndex};
use bc_core::{ids::SessionId, message::Message};
use rusqlite::{OptionalExtension, Row, ToSql, params};
use serde::de::DeserializeOwned;
use std::{
    io::{self, BufReader, Read},
    path::Path,
};

/// The maximum size of the read buffer, in bytes.
const AHEAD: u64 = 64 << 10;

/// Consecutive messages of a conversation.
#[derive(Debug, Default, PartialEq)]
pub struct Page {
    /// The position of the first message, from 0.
    pub first: u32,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// The total number of messages in the conversation.
    pub total: u32,
    /// The number of unreadable lines in the conversation.
    pub damaged: u32,
}

impl SearchIndex {
    /// Returns the last `limit` messages before position `before`, or at the end of the conversation if
    /// `before` is `None`.
    pub fn page(&mut self, id: SessionId, before: Option<u32>, limit: u32) -> Result<Page, SearchError> {
        self.with(|index| {
            index.catch_up_on(id)?;
            let Some((key, total, damaged)) = index.key(id)? else { return Ok(Page::default()) };
            let end = i64::from(before.map_or(total, |before| before.min(total)));
            let first = (end - i64::from(limit)).max(0);
            let messages = index.messages(id, key, first + 1, end)?;
            Ok(Page { first: first as u32, messages, total, damaged })
        })
    }

    /// The position of the first message at or after a time, in milliseconds since 1970; `None` if there is
    /// no such message.
    pub fn place_at(&mut self, id: SessionId, at: i64) -> Result<Option<u32>, SearchError> {
        self.place(id, "SELECT MIN(no) FROM message WHERE session = ?1 AND at >= ?2", &at)
    }

    /// The position of a message; `None` if it does not exist.
    pub fn place_of(&mut self, id: SessionId, message: &str) -> Result<Option<u32>, SearchError> {
        self.place(id, "SELECT MIN(no) FROM message WHERE session = ?1 AND id = ?2", &message)
    }

    fn place(&mut self, id: SessionId, select: &str, value: &dyn ToSql) -> Result<Option<u32>, SearchError> {
        self.with(|index| {
            index.catch_up_on(id)?;
            let Some((key, ..)) = index.key(id)? else { return Ok(None) };
            let number = index
                .connection
                .prepare_cached(select)
                .and_then(|mut s| s.query_row(params![key, value], |row| row.get::<_, Option<u32>>(0)))
                .map_err(index.sqlite())?;
            Ok(number.map(|number| number - 1))
        })
    }

    /// The session's key, and its numbers of messages and of unreadable lines.
    pub(crate) fn key(&self, id: SessionId) -> Result<Option<(i64, u32, u32)>, SearchError> {
        let values = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        self.connection
            .prepare_cached("SELECT key, messages, damaged FROM session WHERE id = ?1")
            .and_then(|mut s| s.query_row([id.to_string()], values).optional())
            .map_err(self.sqlite())
    }

    /// Returns the messages with these numbers, from 1, inclusive. If the file was just changed, a message
    /// that is no longer at its position is omitted; the next query finds it.
    pub(crate) fn messages<T: DeserializeOwned>(
        &self,
        id: SessionId,
        key: i64,
        first: i64,
        last: i64,
    ) -> Result<Vec<T>, SearchError> {
        let places = || {
            let mut select = self.connection.prepare_cached(
                "SELECT start, length FROM message WHERE session = ?1 AND no BETWEEN ?2 AND ?3 ORDER BY no",
            )?;
            let rows = select.query_map([key, first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<Vec<(u64, u64)>, _>>()
        };
        let places = places().map_err(self.sqlite())?;
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let path = self.store.session(id).messages_path();
        let mut messages = Vec::with_capacity(places.len());
        let put = |_, message: Option<T>| {
            messages.extend(message);
            Ok::<(), io::Error>(())
        };
        at_places(&path, &places, put).map_err(|source| SearchError::Read { path, source })?;
        Ok(messages)
    }
}

/// Reads the lines at these positions (start and length) of a file, and calls `put` for each line in order,
/// with `None` for an invalid line. Does nothing if the file does not exist.
pub(crate) fn at_places<T: DeserializeOwned, E: From<io::Error>>(
    path: &Path,
    places: &[(u64, u64)],
    mut put: impl FnMut(usize, Option<T>) -> Result<(), E>,
) -> Result<(), E> {
    // Limit the buffer to the requested range, which is often one message of a long conversation.
    let end = places.iter().map(|(start, length)| start + length).max().unwrap_or(0);
    let ahead = places.first().map_or(0, |(start, _)| end.saturating_sub(*start)).min(AHEAD);
    let mut file = match bc_store::repository::open(path) {
        Ok(file) => BufReader::with_capacity(ahead as usize, file),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(e.into()),
    };
    let (mut at, mut bytes) = (0, Vec::new());
    for (n, &(start, length)) in places.iter().enumerate() {
        // Positions are usually consecutive; a relative seek then keeps the buffer.
        file.seek_relative(start as i64 - at as i64)?;
        bytes.clear();
        let read = Read::by_ref(&mut file).take(length).read_to_end(&mut bytes)?;
        at = start + read as u64;
        put(n, serde_json::from_slice(&bytes).ok())?;
    }
    Ok(())
}
