//! A session's record in the cache: the values for filters, and the words of its title, objective and bead
//! id.

use crate::words::segmented;
use bc_core::session::Meta;
use rusqlite::{Transaction, params};

/// The number of low bits of a `words` row id that hold the message's number; the higher bits hold the
/// session's key.
pub(crate) const NUMBER_BITS: u32 = 24;
/// The epoch of the keys: 2020-01-01, in seconds since 1970.
const EPOCH: i64 = 1_577_836_800;
/// The number of low bits of a key that number the sessions created within one second; the higher bits hold
/// the second.
const SAME_SECOND_BITS: u32 = 9;

/// The `words` row id of a session's message.
pub(crate) fn row_id(key: i64, number: i64) -> i64 {
    (key << NUMBER_BITS) | number
}

/// Inserts or replaces a session's record. Returns its key.
pub(crate) fn put_meta(turn: &Transaction<'_>, meta: &Meta, stamp: &str) -> rusqlite::Result<i64> {
    let json = serde_json::to_string(meta).expect("a record is JSON");
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
                meta.status.as_str(),
                meta.created_at.timestamp_millis(),
                free_key(turn, meta)?,
            ],
            |row| row.get(0),
        )?;
    let head = [meta.title.as_deref(), meta.objective.as_deref(), meta.bead_id.as_ref().map(|b| b.as_str())];
    let head = head.into_iter().flatten().collect::<Vec<_>>().join("\n");
    turn.prepare_cached("DELETE FROM heads WHERE rowid = ?1")?.execute([key])?;
    turn.prepare_cached("INSERT INTO heads(rowid, head) VALUES (?1, ?2)")?
        .execute(params![key, segmented(&head)])?;
    turn.prepare_cached("DELETE FROM active WHERE session = ?1")?.execute([key])?;
    for interval in &meta.active_intervals {
        // An open interval has no end yet.
        let ended = interval.end.map_or(i64::MAX, |end| end.timestamp_millis());
        turn.prepare_cached("INSERT INTO active VALUES (?1, ?2, ?3)")?.execute(params![
            key,
            interval.start.timestamp_millis(),
            ended
        ])?;
    }
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

/// Allocates a key for a new session. Later sessions have greater keys, so that the rows are in the order of
/// the sessions.
fn free_key(turn: &Transaction<'_>, meta: &Meta) -> rusqlite::Result<i64> {
    let seconds = meta.created_at.timestamp().saturating_sub(EPOCH).clamp(0, (1 << 30) - 1);
    let first = seconds << SAME_SECOND_BITS;
    // If a second has more sessions than keys, only their order is lost.
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

/// Removes a session.
pub(crate) fn forget(turn: &Transaction<'_>, key: i64) -> rusqlite::Result<()> {
    forget_messages(turn, key)?;
    turn.prepare_cached("DELETE FROM heads WHERE rowid = ?1")?.execute([key])?;
    for table in ["active", "file", "hash"] {
        turn.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [key])?;
    }
    turn.execute("DELETE FROM session WHERE key = ?1", [key]).map(drop)
}

/// Removes the cached data of a session's messages.
pub(crate) fn forget_messages(turn: &Transaction<'_>, key: i64) -> rusqlite::Result<()> {
    turn.execute("DELETE FROM words WHERE rowid > ?1 AND rowid < ?2", [row_id(key, 0), row_id(key + 1, 0)])?;
    for table in ["message", "tool", "quarter"] {
        turn.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [key])?;
    }
    let nothing =
        "UPDATE session SET read_to = 0, messages = 0, worded = 0, due = 0, damaged = 0 WHERE key = ?1";
    turn.execute(nothing, [key]).map(drop)
}
