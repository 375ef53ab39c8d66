//! The backup record of a session.

use super::Record;
use crate::{
    Timestamp,
    session::{Event, Meta, PauseReason, Status},
};
use serde_json::Value;

/// A session's backup record; `None` for a draft. An active session is stored as interrupted at the latest
/// time in its record, so that every machine restores the same record.
pub fn session_record(meta: &Meta) -> Option<Record> {
    let mut meta = meta.clone();
    match meta.status {
        Status::Draft => return None,
        Status::Active => {
            let last = last_moment(&meta);
            meta.transition(Event::Pause(PauseReason::Interrupted), last).ok()?;
        }
        Status::Paused | Status::Closed => {}
    }
    match serde_json::to_value(meta) {
        Ok(mut value @ Value::Object(_)) => {
            value.sort_all_objects();
            value.as_object().cloned()
        }
        _ => None,
    }
}

/// The latest time in the record.
fn last_moment(meta: &Meta) -> Timestamp {
    let intervals = meta.active_intervals.iter().flat_map(|interval| [Some(interval.start), interval.end]);
    let own = [Some(meta.created_at), meta.started_at, meta.last_activated_at];
    own.into_iter().chain(intervals).flatten().max().unwrap_or(meta.created_at)
}
