//! Active time as a list of intervals.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A stretch of time during which the session was active.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Interval {
    /// When the session became active.
    pub start: Timestamp,
    /// When it stopped being active; absent while it is. A crash ends it at the last heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
}

/// Milliseconds of active time; an open interval counts up to `now`. A clock that went backwards
/// counts as nothing, never as a negative duration.
pub fn total_ms(intervals: &[Interval], now: Timestamp) -> u64 {
    intervals
        .iter()
        .map(|i| i.end.unwrap_or(now).signed_duration_since(i.start).num_milliseconds().max(0).unsigned_abs())
        .sum()
}
